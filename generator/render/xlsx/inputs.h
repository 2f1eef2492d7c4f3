// SPDX-License-Identifier: Apache-2.0
// What formulas rest on: the figures of the Assumptions sheet, names of things, texts of formulas.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "render/xlsx/table.h"
#include "sheet/sheet.h"

namespace sizesheet::xlsx {

// ---- What the workbook calls the things of a Sheet; formulas compare these names.

/// The card's short name; its id where two cards of the sheet share one.
std::string gpu_label(const Sheet& sheet, const std::string& id);

/// The sheet's prices in the order of the Prices sheet: by GPU, tier, newest, provider, key. Among
/// equal costs the first line wins, as in the program.
std::vector<const SheetPrice*> price_lines(const Sheet& sheet);

/// Line of each price key on the Prices sheet, counted from 1.
std::map<std::string, std::int64_t> line_numbers(const std::vector<const SheetPrice*>& lines);

/// Line of the price of a rent, counted from 1; 0 where there is none.
std::int64_t line_of(const std::map<std::string, std::int64_t>& lines,
                     const std::optional<RentLine>& rent);

/// Line of the entry for which `is_it` holds, counted from 1; 0 when there is none.
template <typename Entries, typename Condition>
std::int64_t line_where(const Entries& all, Condition is_it) {
  const auto found = std::find_if(all.begin(), all.end(), is_it);
  return found == all.end() ? 0 : found - all.begin() + 1;
}

/// Of each GPU type and count that some row of the sheet needs and that can be bought, a row: its
/// ownership figures hold for all. By GPU as the sheet lists them, then by count.
std::vector<const Row*> set_ups(const Sheet& sheet);

/// What a row is of: size, model, method, gpu and scenario.
TableRow described_row(const Sheet& sheet, const Row& row);

/// Rows that hold: those that can be priced at all, in the order of the sheet.
std::vector<const Row*> priced_rows(const Sheet& sheet);

// ---- The figures of the Assumptions sheet that every formula rests on: name, value, range, where
// it is from. What may be changed has its limits here.

struct Input {
  std::string name;      ///< of the cell, as formulas call it
  SheetEstimate figure;  ///< title, unit, value and where it is from
  Style style = Style::kInputNumber;
  double least = 0;  ///< what may be typed
  double most = 0;
  bool has_range = true;     ///< the figure's low and high are known
  std::string formula = {};  ///< of a figure that follows from others; then it is no input
};

/// Choices of the sheet, rates, and the figures that follow from them, in the order of printing.
/// Throws InputError when machines can be bought and a rate that their cost needs is missing.
std::vector<Input> inputs_of(const Sheet& sheet);

/// Of the input of that name; absent where the sheet does not count it.
std::optional<double> value_of(const std::vector<Input>& inputs, const std::string& name);

}  // namespace sizesheet::xlsx
