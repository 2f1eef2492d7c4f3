// SPDX-License-Identifier: Apache-2.0
// Totals over compared rows and speeds, and the statistics they rest on.
#pragma once

#include <optional>
#include <vector>

#include "evidence/accuracy.h"

namespace sizesheet {

struct ValidationRules;

/// Totals of the rows; flagged ones count only where they ran out of memory all the same.
AccuracyPart totals_of(const std::vector<AccuracyRow>& rows);

/// Errors of the flagged rows, AccuracyRow or SpeedRow, by source.
template <typename Row>
std::vector<AccuracyGroup> flagged_errors(const std::vector<Row>& rows);

/// Every reason with the number of rows it holds for; a row may have several.
std::vector<OutOfModel> out_of_model(const std::vector<AccuracyRow>& rows,
                                     const std::vector<SpeedRow>& speeds,
                                     const ValidationRules& rules);

/// Each bar against the figure of the parts and of the coverages of all.
std::vector<BarResult> bar_results(const Accuracy& accuracy, const AccuracyPart& part,
                                   const SpeedPart& speed, const ValidationRules& rules);

/// Totals of the rows; flagged ones do not count.
SpeedPart totals_of(const std::vector<SpeedRow>& rows);

/// The middle value, or the mean of the two in the middle; nullopt of nothing.
std::optional<double> median_of(std::vector<double> values);

/// nullopt of nothing. p90 is the value at index floor(0.9 n) of the sorted sizes.
std::optional<ErrorStats> stats_of(const std::vector<double>& errors);

}  // namespace sizesheet
