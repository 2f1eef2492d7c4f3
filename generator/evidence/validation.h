// SPDX-License-Identifier: Apache-2.0
// Published runs beside the engine: rows compared, totals, statistics, intervals fitted.
#pragma once

#include <optional>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/published/measured.h"
#include "evidence/accuracy.h"

namespace sizesheet {

/// Estimates the row's request. What the engine refuses becomes a row with the reason.
AccuracyRow compare(const MeasuredSource& source, const MeasuredRow& row, const Catalog& catalog);

/// The same for a speed.
SpeedRow compare(const MeasuredSource& source, const MeasuredSpeed& speed, const Catalog& catalog);

// ---- Totals over compared rows: errors by what rows have in common, verdicts, undercut bounds.

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

// ---- Interval factors from residuals: how far published measurements lay from the estimates of
// their class.

/// Measured over predicted bytes of one run. Factors that hold for allocated or reserved bytes are
/// taken to hold for device bytes, whose remainder is small and known.
struct Residual {
  IntervalFacts facts;
  std::string source;
  bool held_out = false;
  double ratio = 1;
};

/// The classes with factors, counts, grades and bases from the residuals. Each class uses every
/// residual its conditions hold for. Its factors are the ends of the narrowest range that holds as
/// many of them as the coverage asks, wider at each end by what keeps sources within that were left
/// out, and always contain 1. A class with too few rows or sources takes those of the next wider
/// one.
Intervals fit_intervals(const Intervals& classes, const std::vector<Residual>& residuals);

/// Factors fitted to the residuals that are not held out, tried on those that are.
HeldOutCoverage held_out_coverage(const Intervals& classes, const std::vector<Residual>& residuals);

/// Fills what each interval of `fitted` holds of its figures, in the fit and left out of it source
/// by source, and says what that comes to over all.
HeldOutCoverage put_coverage(const Intervals& fitted, const std::vector<Residual>& residuals,
                             std::vector<AccuracyInterval>& intervals);

struct Validation {
  Accuracy accuracy;
  Intervals intervals;  ///< the catalog's classes, fitted anew to all residuals
  Intervals speed_intervals;
};

/// Compares every row of the catalog on `jobs` threads; the result does not depend on `jobs`.
Validation validate(const Catalog& catalog, int jobs);

}  // namespace sizesheet
