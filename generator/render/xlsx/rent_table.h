// SPDX-License-Identifier: Apache-2.0
// The Rent vs buy sheet: a line a row of the sheet that holds; hours, every way to rent, and
// owning.
#pragma once

#include "render/xlsx/table.h"
#include "sheet/sheet.h"

namespace sizesheet::xlsx {

/// A line a scenario: what it adds to the hours of training. Stands on the Assumptions sheet.
Table scenarios_table(const Sheet& sheet);

Table rent_table(const Sheet& sheet);

}  // namespace sizesheet::xlsx
