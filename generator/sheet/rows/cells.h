// SPDX-License-Identifier: Apache-2.0
// The cells of a sheet, and the methods of a catalog, in the sheet's order.
#pragma once

#include <string>
#include <vector>

namespace sizesheet {

struct Catalog;
struct Cell;
struct SheetSpec;

/// Every cell of the spec in sheet order.
std::vector<Cell> cells_of(const SheetSpec& spec);

/// Methods of the sheet first, in its order, then the others of the catalog that fine-tune.
std::vector<std::string> methods_in_order(const Catalog& catalog, const SheetSpec& policy);

}  // namespace sizesheet
