// SPDX-License-Identifier: Apache-2.0
// The Sizing sheet: counts, layout and memory of every row. Results of the program, not formulas: a
// price does not move them.
#pragma once

#include "render/xlsx/table.h"
#include "sheet/sheet.h"

namespace sizesheet::xlsx {

Table sizing_table(const Sheet& sheet);

}  // namespace sizesheet::xlsx
