// SPDX-License-Identifier: Apache-2.0
// Lengths of samples: the quantiles of a lognormal distribution, cut at the longest.
#include "sizing/time/lengths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sizesheet {
namespace {

double mean(const std::vector<double>& lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), 0.0) / static_cast<double>(lengths.size());
}

TEST(Lengths, SixteenOfMeanNineHundredByHand) {
  const std::vector<double> lengths = sorted_lengths({900, 4096, 0.7}, 16);
  std::vector<double> whole;
  for (const double one : lengths) whole.push_back(std::ceil(one - 1e-9));
  EXPECT_EQ(whole, (std::vector<double>{232, 327, 397, 460, 521, 583, 647, 715, 790, 873, 969, 1083,
                                        1227, 1422, 1727, 2435}));
}

TEST(Lengths, KeepTheirMeanWhateverTheCut) {
  for (const double longest : {1000.0, 1500.0, 20000.0}) {
    const std::vector<double> lengths = sorted_lengths({900, longest, 0.9}, 513);
    EXPECT_NEAR(mean(lengths), 900, 1e-6) << longest;
    EXPECT_LE(lengths.back(), longest);
    EXPECT_TRUE(std::ranges::is_sorted(lengths));
  }
}

TEST(Lengths, AreAllTheMeanWithoutVariation) {
  for (const double one : sorted_lengths({350, 4096, 0}, 7)) EXPECT_NEAR(one, 350, 1e-9);
}

}  // namespace
}  // namespace sizesheet
