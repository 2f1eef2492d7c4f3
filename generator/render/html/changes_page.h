// SPDX-License-Identifier: Apache-2.0
// The page of what changed since an earlier edition: one of a site, or a document of its own; and
// the sentence on the index that leads to it.
#pragma once

#include <string>

#include "sheet/sheet.h"

namespace sizesheet {

/// Values of changes.mustache. The sheet must have changes.
Json changes_values(const Sheet& sheet);

/// The same page as one HTML document that needs no other file: stylesheet and script stand in it.
/// Models and methods are named by id, and nothing links to an edition.
std::string changes_page(const SheetChanges& changes);

/// has_banner and the banner's words; the figures are those of the page's first sentence.
void put_changes_banner(Json& values, const Sheet& sheet);

}  // namespace sizesheet
