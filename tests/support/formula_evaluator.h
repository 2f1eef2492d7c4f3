// SPDX-License-Identifier: Apache-2.0
// Computes printed formulas anew from their inputs, by the grammar of support/trace.h: the check
// that what a page shows is what the program computed.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "support/trace.h"

namespace sizesheet {

/// The value of `text`: names, decimal literals, + - * /, parentheses, max(a, b), min(a, b),
/// ceil(a). Throws std::invalid_argument naming the column.
double evaluate_expression(std::string_view text, const std::map<std::string, double>& names);

/// The value of a whole formula. Throws std::invalid_argument when a name is missing or given
/// twice, or when a step does not evaluate to exactly the value it states.
double evaluate(const Formula& formula);

}  // namespace sizesheet
