// SPDX-License-Identifier: Apache-2.0
// The formulas of owning, as columns: the arithmetic of the program over the cells of a workbook.
#pragma once

#include <vector>

#include "render/xlsx/inputs.h"
#include "render/xlsx/table.h"

namespace sizesheet::xlsx {

/// Every part is rounded to a micro-dollar, as the program rounds it. Options that the sheet does
/// not count leave no trace.
std::vector<Column> ownership_columns(const std::vector<Input>& inputs);

}  // namespace sizesheet::xlsx
