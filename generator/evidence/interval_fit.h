// SPDX-License-Identifier: Apache-2.0
// Interval factors from residuals.
#pragma once

#include <vector>

#include "catalog/published/measured.h"

namespace sizesheet {

struct AccuracyInterval;
struct HeldOutCoverage;

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

}  // namespace sizesheet
