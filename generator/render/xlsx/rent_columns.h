// SPDX-License-Identifier: Apache-2.0
// The formulas of the Rent vs buy sheet, as columns.
#pragma once

#include <vector>

#include "render/xlsx/table.h"

namespace sizesheet::xlsx {

std::vector<Column> rent_columns();

/// The columns that hold lines of the Prices sheet; they stand side by side.
inline constexpr const char* kFirstLine = "list_line";
inline constexpr const char* kLastLine = "capacity_block_line";

}  // namespace sizesheet::xlsx
