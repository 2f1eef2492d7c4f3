// SPDX-License-Identifier: Apache-2.0
// What the workbook calls the things of a Sheet; formulas compare these names.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sheet/sheet.h"

namespace sizesheet::xlsx {

/// The card's short name; its id where two cards of the sheet share one.
std::string gpu_label(const Sheet& sheet, const std::string& id);

/// The sheet's prices in the order of the Prices sheet: by GPU, tier, newest, provider, key. Among
/// equal costs the first line wins, as in the program.
std::vector<const SheetPrice*> price_lines(const Sheet& sheet);

/// Line of each price key on the Prices sheet, counted from 1.
std::map<std::string, std::int64_t> line_numbers(const std::vector<const SheetPrice*>& lines);

/// A GPU type and a count that some row of the sheet needs and that can be bought.
struct SetUp {
  std::string gpu;
  std::int64_t gpus = 0;
  const Row* row = nullptr;  ///< any row with this set-up: its ownership figures hold for all
};

/// In the order of the Ownership sheet: by GPU as the sheet lists them, then by count.
std::vector<SetUp> set_ups(const Sheet& sheet);

/// Rows that hold: those that can be priced at all, in the order of the sheet.
std::vector<const Row*> priced_rows(const Sheet& sheet);

}  // namespace sizesheet::xlsx
