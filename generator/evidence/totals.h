// SPDX-License-Identifier: Apache-2.0
// Totals over compared rows: errors by what rows have in common, verdicts, undercut bounds.
#pragma once

#include <vector>

#include "catalog/validation_rules.h"
#include "evidence/accuracy.h"

namespace sizesheet {

/// An estimate this far below a lower bound undercuts it.
inline constexpr double kUndercut = 0.97;

/// Totals of the rows; flagged ones count only where they ran out of memory all the same.
AccuracyPart totals_of(const std::vector<AccuracyRow>& rows);

/// Errors of the flagged rows by source.
std::vector<AccuracyGroup> flagged_errors(const std::vector<AccuracyRow>& rows);

/// Every reason with the number of rows it holds for; a row may have several.
std::vector<OutOfModel> out_of_model(const std::vector<AccuracyRow>& rows,
                                     const std::vector<SpeedRow>& speeds,
                                     const ValidationRules& rules);

/// Each bar against the figure of the parts.
std::vector<BarResult> bar_results(const AccuracyPart& part, const HeldOutCoverage& coverage,
                                   const SpeedPart& speed, const ValidationRules& rules);

}  // namespace sizesheet
