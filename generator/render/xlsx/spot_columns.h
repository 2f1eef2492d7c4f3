// SPDX-License-Identifier: Apache-2.0
// Columns for a run on spot under a rule of rates, of Rent vs buy and of Prices, and for the use
// from which a reserved term beats the price on demand.
#pragma once

#include <string>
#include <vector>

#include "render/xlsx/table.h"

namespace sizesheet {

struct RentTier;
struct Row;

}  // namespace sizesheet

namespace sizesheet::xlsx {

/// Adds the rates of the offers to the columns of Prices; its key.
std::string add_spot_rate(const std::string& group, std::vector<Column>& prices);

/// The share lost, the expected hours and their dollars.
std::vector<Column> spot_run_columns(const RentTier& tier);

/// What the program says of these; nothing where the row has no such run.
void add_spot_run_cells(const Row& priced, TableRow& row);

/// Hours of use per month from which the term costs less.
Column committed_from(const RentTier& tier);

}  // namespace sizesheet::xlsx
