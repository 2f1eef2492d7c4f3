// SPDX-License-Identifier: Apache-2.0
// The figures of the Assumptions sheet that every formula rests on: name, value, range, where it is
// from. What may be changed has its limits here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "render/xlsx/styles.h"
#include "sheet/sheet.h"

namespace sizesheet::xlsx {

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
