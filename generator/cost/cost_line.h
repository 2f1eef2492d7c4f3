// SPDX-License-Identifier: Apache-2.0
// A cost figure that can be taken apart: the amount, and the formula and source it comes from.
#pragma once

#include <string>

#include "support/money.h"
#include "support/trace.h"

namespace sizesheet {

inline constexpr const char* kDefinition = "definition";  ///< the source of what is so by name

/// An amount of money. `formula` gives it in dollars; rounded to a micro-dollar it is `usd`.
struct CostLine {
  std::string name;
  std::string title;
  MicroUsd usd;
  std::string unit;  ///< "$", "$/month", "$/h", "$/run"
  Formula formula;
  std::string source;
};
BOOST_DESCRIBE_STRUCT(CostLine, (), (name, title, usd, unit, formula, source))

/// A figure of the comparison that is no money. `formula` gives `value`.
struct QuantityLine {
  std::string name;
  std::string title;
  double value = 0;
  std::string unit;  ///< "", "nodes", "h/month", "runs/month", "years", "h"
  Formula formula;
  std::string source;
};
BOOST_DESCRIBE_STRUCT(QuantityLine, (), (name, title, value, unit, formula, source))

}  // namespace sizesheet
