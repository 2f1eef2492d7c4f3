// SPDX-License-Identifier: Apache-2.0
// Published guides held against their own arithmetic: the quantities that their figures are, and
// memory and parameters as a guide counts them.
#pragma once

#include <string>
#include <vector>

#include "catalog/published/convention.h"
#include "support/error.h"
#include "support/json.h"

namespace sizesheet {

class CatalogLayers;
struct Catalog;

// ---- What a figure is worked out from: one variant of a convention, and the figure's inputs.

inline constexpr double kGigabyte = 1e9;  ///< thousand millions of bytes, as in the guides
inline constexpr double kPercent = 100;
inline constexpr Bounds<double> kNotNegative{0};
inline constexpr Bounds<double> kAtLeastOne{1};

/// Missing inputs are recorded as faults; InputError where the convention has no such rule.
struct GuideInputs {
  const ConventionRules& rules;
  ObjectReader& inputs;

  double number(const std::string& key, Bounds<double> bounds = {}) const {
    return inputs.number(key, bounds);
  }
  /// At least 1, which it is where nothing is given.
  double degree(const std::string& key) const { return inputs.number_or(key, 1, kAtLeastOne); }
  /// A list, or one number as a list of one.
  std::vector<double> numbers(const std::string& key) const;
  double sum(const std::string& key) const;

  double constant(const std::string& name) const;  ///< the low end of a range
  const std::string& rule(const std::string& name) const;
  const HybridShape& hybrid() const;
};

const GuideConstant& constant_of(const ConventionRules& rules, const std::string& name);

// ---- Published guides held against their own arithmetic: every figure computed under the guide's
// convention and judged.

struct JudgedFigure {
  const GuideFigure* figure = nullptr;
  GuideValue computed;  ///< empty where the guide gives no rule
  std::string status;   ///< by the arithmetic: exact | within-rounding | inconsistent |
                        ///< not-derivable
};

/// Throws InputError naming the figure when its question cannot be answered.
JudgedFigure judge(const Convention& convention, const GuideFigure& figure);
std::vector<JudgedFigure> judge_all(const Convention& convention);

/// Faults of figures whose question cannot be answered or whose stated status is not what the
/// arithmetic says.
void check_guides(const Catalog& catalog, const CatalogLayers& layers, Faults& faults);

}  // namespace sizesheet
