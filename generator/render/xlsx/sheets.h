// SPDX-License-Identifier: Apache-2.0
// The sheets of the workbook and their tables.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "render/pdf/page/page_layout.h"
#include "render/xlsx/table.h"
#include "render/xlsx/workbook_file.h"
#include "sheet/sheet.h"
#include "support/trace.h"

namespace sizesheet {

/// sheet.xlsx: the sheet as a workbook whose costs are formulas. Change a price, a rate or the use,
/// and everything follows; until then it shows the program's own figures. `letter`: printed pages
/// are US Letter, else A4.
std::string xlsx_workbook(const Sheet& sheet, bool letter);

}  // namespace sizesheet

namespace sizesheet::xlsx {

// ---- What the workbook calls the things of a Sheet; formulas compare these names.

/// Line of the entry for which `is_it` holds, counted from 1; 0 when there is none.
template <typename Entries, typename Condition>
std::int64_t line_where(const Entries& all, Condition is_it) {
  const auto found = std::find_if(all.begin(), all.end(), is_it);
  return found == all.end() ? 0 : found - all.begin() + 1;
}

// ---- The figures of the Assumptions sheet that every formula rests on: name, value, range, where
// it is from. What may be changed has its limits here.

struct Input {
  std::string name;      ///< of the cell, as formulas call it
  SheetEstimate figure;  ///< title, unit, value and where it is from
  Style style = Style::kInputNumber;
  double least = 0;  ///< what may be typed
  double most = 0;
  bool has_range = true;     ///< the figure's low and high are known
  std::string formula = {};  ///< of a figure that follows from others; then it is no input here
  std::string label = {};    ///< on the Answer sheet, where it is typed then; "" it is not
};

/// The cell of an input: its name, and only what it admits may be typed.
void input_cell(const std::string& sheet, std::size_t row, std::size_t column, const Input& input,
                Page& page);

/// Only numbers from `least` to `most` may be typed into the cells; says so when one is chosen.
void limit_numbers(Page& page, std::size_t first_row, std::size_t last_row, std::size_t column,
                   double least, double most, const std::string& words);

// ---- The sheets of the workbook and their tables.

/// Empty lines under the prices, for offers of one's own.
inline constexpr std::size_t kQuoteLines = 12;

/// The column that holds a tier's line of the Prices sheet; they stand side by side.
inline std::string line_column(const RentTier& tier) { return std::string(tier.name) + "_line"; }

/// The first of its columns that hold lines of the Prices sheet; a tier each, side by side.
inline constexpr const char* kFirstLine = "list_line";

}  // namespace sizesheet::xlsx
