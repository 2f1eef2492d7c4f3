// SPDX-License-Identifier: Apache-2.0
// What changed since an earlier edition: a page of a site, or a document of its own.
#pragma once

#include <string>

#include "support/json.h"

namespace sizesheet {

struct Sheet;
struct SheetChanges;

/// The page of changes as one HTML document that needs no other file: stylesheet and script stand
/// in it. Nothing links to an edition.
std::string changes_page(const SheetChanges& changes);

Json changes_values(const Sheet& sheet);  ///< of a sheet that has changes

/// The words of the banner on the index, those of the first sentence of the page of changes; null
/// without changes.
void put_changes_banner(Json& values, const Sheet& sheet);

}  // namespace sizesheet
