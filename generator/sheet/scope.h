// SPDX-License-Identifier: Apache-2.0
// What the money of a sheet contains and what it leaves out, by the sheet's own rates: the one
// place that pages, handout and workbook take the words from.
#pragma once

#include <string>
#include <vector>

#include "sheet/sheet.h"

namespace sizesheet {

/// A cost that stands in no figure of the sheet.
struct LeftOut {
  std::string words;    ///< "data egress"
  std::string brief;    ///< where there is no room: "egress"
  std::string meaning;  ///< a sentence
};

/// In the order of printing. Staff is among them unless a rate pays for it.
std::vector<LeftOut> left_out(const Sheet& sheet);

/// What a month of an owned machine is charged beside capital, power and space: "support", "staff"
/// …
std::vector<std::string> running_costs(const Sheet& sheet);

/// "Running costs of an owned machine include support and staff; rent includes no staff."; "" where
/// nothing of the sheet can be bought.
std::string running_costs_words(const Sheet& sheet);

/// "a", "a and b", "a, b and c".
std::string joined_words(const std::vector<std::string>& words);

}  // namespace sizesheet
