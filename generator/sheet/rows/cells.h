// SPDX-License-Identifier: Apache-2.0
// The cells of a sheet, in its order.
#pragma once

#include <vector>

namespace sizesheet {

struct Cell;
struct SheetSpec;

/// Every cell of the spec in sheet order.
std::vector<Cell> cells_of(const SheetSpec& spec);

}  // namespace sizesheet
