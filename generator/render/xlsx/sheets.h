// SPDX-License-Identifier: Apache-2.0
// The sheets of the workbook and their tables.
#pragma once

#include <vector>

#include "render/xlsx/inputs.h"
#include "render/xlsx/table.h"
#include "sheet/sheet.h"

namespace sizesheet::xlsx {

/// A line a machine: GPUs, price and power, which are inputs. Stands on the Assumptions sheet.
Table machines_table(const Sheet& sheet);

/// A line a set-up, in the order of set_ups(sheet).
Table ownership_table(const Sheet& sheet, const std::vector<Input>& inputs);

/// Empty lines under the prices, for offers of one's own.
inline constexpr std::size_t kQuoteLines = 12;

Table prices_table(const Sheet& sheet);

/// The column that holds a tier's line of the Prices sheet; they stand side by side.
inline std::string line_column(const RentTier& tier) { return std::string(tier.name) + "_line"; }

/// The first of its columns that hold lines of the Prices sheet; a tier each, side by side.
inline constexpr const char* kFirstLine = "list_line";

/// A line a scenario: what it adds to the hours of training. Stands on the Assumptions sheet.
Table scenarios_table(const Sheet& sheet);

Table rent_table(const Sheet& sheet);

// ---- The Sizing sheet: counts, layout and memory of every row. Results of the program, not
// formulas: a price does not move them.

Table sizing_table(const Sheet& sheet);

// ---- The Terms sheet: what the columns mean, FOCUS terms, and what is not priced.

Table terms_table(const Sheet& sheet);

// ---- Formula texts that stand in more than one table. {key} is a cell of the same row; plain
// names are those of cells and columns of the workbook.

/// "" where `cell` is empty, else `formula`: unknown stays unknown.
std::string unless_empty(const std::string& cell, const std::string& formula);

/// "" where the line number in `line` is 0, else `formula`.
std::string with_line(const std::string& line, const std::string& formula);

/// Line of the cheapest admitted price of a tier for {gpus} x {gpu}, 0 when there is none. Beyond
/// {node} GPUs only whole nodes count. Works on arrays.
std::string cheapest_price_line(const std::string& tier);

/// Dollars an hour for {gpus} GPUs at the price in line {`line`}.
std::string usd_per_hour(const std::string& line);

/// GPUs that are paid at the price in line {`line`}: whole instances.
std::string gpus_paid(const std::string& line);

/// Line of the machine that houses {gpus} x {gpu} for the least money, 0 when there is none. Works
/// on arrays.
std::string cheapest_machine_line();

}  // namespace sizesheet::xlsx
