// SPDX-License-Identifier: Apache-2.0
// How long samples and completions are: a distribution of lengths, and what batches of such samples
// cost beside their own tokens.
#pragma once

#include <cstdint>
#include <vector>

namespace sizesheet {

/// Tokens of samples drawn from a lognormal distribution that is cut at a longest length.
struct LengthSpread {
  double mean = 0;       ///< after the cut
  double longest = 0;    ///< the cut
  double variation = 0;  ///< coefficient of variation before the cut; 0: all alike
};

/// `count` lengths in ascending order, real numbers: the quantiles (i + 1/2) / count of the
/// distribution, whose median is solved for so that their mean is the given one. `mean` is at most
/// `longest` and `count` at least 1.
std::vector<double> sorted_lengths(const LengthSpread& spread, std::int64_t count);

}  // namespace sizesheet
