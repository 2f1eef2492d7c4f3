// SPDX-License-Identifier: Apache-2.0
// Medians, percentiles, bias: worked by hand.
#include <gtest/gtest.h>

#include "evidence/validation.h"

namespace sizesheet {
namespace {

TEST(Statistics, median_is_the_middle_or_the_mean_of_two) {
  EXPECT_EQ(median_of({}), std::nullopt);
  EXPECT_EQ(median_of({3, 1, 2}), 2);
  EXPECT_EQ(median_of({4, 1, 2, 3}), 2.5);
}

TEST(Statistics, sizes_are_sorted_and_signs_are_kept_where_they_count) {
  const auto stats = stats_of({0.1, -0.4, 0.2, -0.3});
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->n, 4);
  EXPECT_DOUBLE_EQ(stats->median, 0.25);
  EXPECT_DOUBLE_EQ(stats->mean, 0.25);
  EXPECT_DOUBLE_EQ(stats->p90, 0.4);
  EXPECT_DOUBLE_EQ(stats->worst, -0.4);
  EXPECT_DOUBLE_EQ(stats->bias, -0.1);
  EXPECT_DOUBLE_EQ(stats->low, -0.4);
  EXPECT_DOUBLE_EQ(stats->high, 0.2);
}

TEST(Statistics, ninetieth_percentile_leaves_a_tenth_above) {
  std::vector<double> errors;
  for (int i = 1; i <= 20; ++i) errors.push_back(i / 100.0);
  EXPECT_DOUBLE_EQ(stats_of(errors)->p90, 0.19);
  EXPECT_DOUBLE_EQ(stats_of({0.05})->p90, 0.05);
  EXPECT_FALSE(stats_of({}));
}

}  // namespace
}  // namespace sizesheet
