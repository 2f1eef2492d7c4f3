// SPDX-License-Identifier: Apache-2.0
// The tables of the sheet as CSV, and the lines of a sweep.
#pragma once

#include <string>
#include <vector>

#include "support/files.h"

namespace sizesheet {

struct Row;
struct Sheet;

/// Adds these three.
void write_tables(const Sheet& sheet, FileSet& files);

/// Column names and the cells of one row, in the same order. An absent figure is an empty cell.
std::vector<std::string> csv_header();
std::vector<std::string> csv_cells(const Row& row);

/// A cell as RFC 4180 wants it; text that a spreadsheet would run as a formula gets a leading
/// quote.
std::string csv_cell(const std::string& text);

/// prices.csv: every price row of the sheet's GPUs. A unit price is for an hour of one instance.
std::string focus_prices(const Sheet& sheet);

/// charges.csv: what each row of the sheet would be billed: a run on demand, on spot or in a
/// capacity block, a month of a reservation, the purchase, and a run on the owned machine.
/// ListUnitPrice x PricingQuantity is ListCost to within a micro-dollar; a purchase is billed whole
/// and its effective cost is zero, because the runs on the machine carry it.
std::string focus_charges(const Sheet& sheet);

/// The header, with a line end.
std::string grid_csv_header();
std::string grid_csv_line(const Row& row);

/// One object and a line end.
std::string grid_json_line(const Row& row);

}  // namespace sizesheet
