// SPDX-License-Identifier: Apache-2.0
// The published guides of the catalog, judged and made part of a sheet.
#pragma once

#include "catalog/catalog.h"
#include "sheet/sheet.h"

namespace sizesheet {

/// Fills `sheet.guides` and `sheet.guide_differences`.
void add_guides(const Catalog& catalog, Sheet& sheet);

}  // namespace sizesheet
