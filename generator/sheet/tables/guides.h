// SPDX-License-Identifier: Apache-2.0
// The published guides of the catalog, judged.
#pragma once

namespace sizesheet {

struct Catalog;
struct Sheet;

/// Fills `sheet.guides` and `sheet.guide_differences`.
void add_guides(const Catalog& catalog, Sheet& sheet);

}  // namespace sizesheet
