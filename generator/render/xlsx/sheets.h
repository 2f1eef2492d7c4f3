// SPDX-License-Identifier: Apache-2.0
// The sheets of the workbook and their tables.
#pragma once

#include <vector>

#include "render/xlsx/inputs.h"
#include "render/xlsx/table.h"
#include "render/xlsx/workbook_file.h"
#include "sheet/sheet.h"

namespace sizesheet::xlsx {

// ---- The Assumptions sheet: every input with its range and source, machines, scenarios.

void draw_assumptions(const Sheet& sheet, const std::vector<Input>& inputs, WorkbookFile& book,
                      bool letter);

/// Only numbers from `least` to `most` may be typed into the cells; says so when one is chosen.
void limit_numbers(Page& page, std::size_t first_row, std::size_t last_row, std::size_t column,
                   double least, double most, const std::string& words);

// ---- The sheets of the workbook that hold one table each.

void draw_sizing(const Sheet& sheet, WorkbookFile& book, bool letter);
void draw_rent(const Sheet& sheet, WorkbookFile& book, bool letter);
void draw_prices(const Sheet& sheet, WorkbookFile& book, bool letter);
void draw_ownership(const Sheet& sheet, const std::vector<Input>& inputs, WorkbookFile& book,
                    bool letter);
void draw_terms(const Sheet& sheet, WorkbookFile& book, bool letter);

// ---- The formulas of owning, as columns: the arithmetic of the program over the cells of a
// workbook.

/// Every part is rounded to a micro-dollar, as the program rounds it. Options that the sheet does
/// not count leave no trace.
std::vector<Column> ownership_columns(const std::vector<Input>& inputs);

// ---- The Ownership sheet: what each GPU type and count costs to own, part by part, and against
// renting it; and the machines that can be bought.

/// A line a machine: GPUs, price and power, which are inputs. Stands on the Assumptions sheet.
Table machines_table(const Sheet& sheet);

/// A line a set-up, in the order of set_ups(sheet).
Table ownership_table(const Sheet& sheet, const std::vector<Input>& inputs);

// ---- The Prices sheet: every price of the sheet's GPUs, whether it counts today, and room for
// quotes.

/// Empty lines under the prices, for offers of one's own.
inline constexpr std::size_t kQuoteLines = 12;

Table prices_table(const Sheet& sheet);

// ---- The formulas of the Rent vs buy sheet, as columns.

std::vector<Column> rent_columns();

/// The columns that hold lines of the Prices sheet; they stand side by side.
inline std::string line_column(const RentTier& tier) { return std::string(tier.name) + "_line"; }

// ---- The Rent vs buy sheet: a line a row of the sheet that holds; hours, every way to rent, and
// owning.

/// A line a scenario: what it adds to the hours of training. Stands on the Assumptions sheet.
Table scenarios_table(const Sheet& sheet);

Table rent_table(const Sheet& sheet);

// ---- The Sizing sheet: counts, layout and memory of every row. Results of the program, not
// formulas: a price does not move them.

Table sizing_table(const Sheet& sheet);

// ---- The Terms sheet: what the columns mean, FOCUS terms, and what is not priced.

Table terms_table(const Sheet& sheet);

}  // namespace sizesheet::xlsx
