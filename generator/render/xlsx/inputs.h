// SPDX-License-Identifier: Apache-2.0
// What formulas rest on: the figures of the Assumptions sheet, names of things, texts of formulas.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "render/xlsx/workbook_file.h"
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

// ---- The figures of the Assumptions sheet that every formula rests on: name, value, range, where
// it is from. What may be changed has its limits here.

struct Input {
  std::string name;  ///< of the cell, as formulas call it
  std::string title;
  std::string unit;
  double value = 0;
  std::optional<double> low;
  std::optional<double> high;
  std::string basis;
  std::string source;
  std::string date;
  std::string note;
  Style style = Style::kInputNumber;
  double least = 0;  ///< what may be typed
  double most = 0;
  std::string formula;  ///< of a figure that follows from others; then it is no input
};

/// Choices of the sheet, rates, and the figures that follow from them, in the order of printing.
/// Throws InputError when machines can be bought and a rate that their cost needs is missing.
std::vector<Input> inputs_of(const Sheet& sheet);

/// True when the sheet counts this: the name of a rate that may be left out.
bool has_input(const std::vector<Input>& inputs, const std::string& name);

}  // namespace sizesheet::xlsx
