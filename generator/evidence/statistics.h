// SPDX-License-Identifier: Apache-2.0
// Statistics of relative errors, as one table of them is to be read.
#pragma once

#include <optional>
#include <vector>

#include "evidence/accuracy.h"

namespace sizesheet {

/// The middle value, or the mean of the two in the middle; nullopt of nothing.
std::optional<double> median_of(std::vector<double> values);

/// nullopt of nothing. p90 is the value at index floor(0.9 n) of the sorted sizes.
std::optional<ErrorStats> stats_of(const std::vector<double>& errors);

}  // namespace sizesheet
