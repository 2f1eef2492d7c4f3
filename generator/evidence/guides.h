// SPDX-License-Identifier: Apache-2.0
// Published guides held against their own arithmetic: every figure computed under the guide's
// convention and judged.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/convention.h"

namespace sizesheet {

struct JudgedFigure {
  const GuideFigure* figure = nullptr;
  GuideValue computed;  ///< empty where the guide gives no rule
  std::string status;   ///< by the arithmetic: exact | within-rounding | inconsistent |
                        ///< not-derivable
};

/// How far a figure as printed may lie from the arithmetic: the figure's own tolerance, else half
/// the step of the guide's display rule.
double figure_tolerance(const ConventionRules& rules, const GuideFigure& figure);

/// Throws InputError naming the figure when its question cannot be answered.
JudgedFigure judge(const Convention& convention, const GuideFigure& figure);
std::vector<JudgedFigure> judge_all(const Convention& convention);

/// Faults of figures whose question cannot be answered or whose stated status is not what the
/// arithmetic says.
void check_guides(const Catalog& catalog, const std::string& directory, Faults& faults);

}  // namespace sizesheet
