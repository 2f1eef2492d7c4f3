// SPDX-License-Identifier: Apache-2.0
// Totals over compared speeds: errors by what rows have in common, and how often the range holds.
#pragma once

#include <vector>

#include "evidence/accuracy.h"

namespace sizesheet {

/// Totals of the rows; flagged ones do not count.
SpeedPart speed_totals(const std::vector<SpeedRow>& rows);

/// Errors of the flagged rows by source.
std::vector<AccuracyGroup> flagged_speed_errors(const std::vector<SpeedRow>& rows);

}  // namespace sizesheet
