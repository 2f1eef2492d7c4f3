// SPDX-License-Identifier: Apache-2.0
// Published figures of commitments, terms and totals, to the printed digit.
#include "cost/commitment.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "cost/rent.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kYear = 8760;

// FinOps Foundation, FOCUS v1.2 (2025-05-29), specification/data/commitment_discount_scenarios: one
// year at $1 an hour, paid in three ways.
TEST(Commitment, FocusYearAtADollarAnHour) {
  const Commitment all_upfront{MicroUsd{8'760'000'000}, MicroUsd{0}, kYear};
  const Commitment no_upfront{MicroUsd{0}, MicroUsd{1'000'000}, kYear};
  const Commitment partial{MicroUsd{4'380'000'000}, MicroUsd{500'000}, kYear};
  for (const Commitment& paid : {all_upfront, no_upfront, partial}) {
    EXPECT_EQ(format_usd(billed_over_term(paid), 2), "8,760.00");
    EXPECT_EQ(format_usd(effective_per_hour(paid), 2), "1.00");
  }
  // The text says $182.50 a month; the hourly half is 8,760 x 0.5 / 12.
  EXPECT_EQ(scaled(partial.usd_per_hour * kYear, 1, 12), MicroUsd{365'000'000});
}

// The same: what becomes of a committed hour of $1.00 at 75 %, at no and at 150 % use.
TEST(Commitment, FocusUsedAndUnusedShares) {
  const MicroUsd hour{1'000'000};
  const CommitmentHour most = commitment_hour(hour, 0.75, hour);
  EXPECT_EQ(format_usd(most.used, 2), "0.75");
  EXPECT_EQ(format_usd(most.unused, 2), "0.25");
  EXPECT_EQ(most.overage, MicroUsd{0});
  const CommitmentHour none = commitment_hour(hour, 0, hour);
  EXPECT_EQ(none.used, MicroUsd{0});
  EXPECT_EQ(format_usd(none.unused, 2), "1.00");
  const CommitmentHour over = commitment_hour(hour, 1.5, hour);
  EXPECT_EQ(format_usd(over.used, 2), "1.00");
  EXPECT_EQ(over.unused, MicroUsd{0});
  EXPECT_EQ(format_usd(over.overage, 2), "0.50");
}

TEST(Commitment, UsedAndUnusedAlwaysAddUp) {
  for (int percent = 0; percent <= 100; ++percent) {
    const CommitmentHour hour = commitment_hour({333'333}, percent / 100.0, {500'000});
    EXPECT_EQ(hour.used + hour.unused, MicroUsd{333'333}) << percent;
  }
  EXPECT_THROW(commitment_hour({1}, -0.1, {1}), std::invalid_argument);
  EXPECT_THROW(effective_per_hour({MicroUsd{1}, MicroUsd{0}, 0}), std::invalid_argument);
}

// techecho on forward rates: one year at 7.20 and three at 5.40 imply 4.50 for years 2 and 3.
TEST(ForwardRate, OfYearsTwoAndThree) {
  EXPECT_EQ(format_usd(forward_rate({1, {7'200'000}}, {3, {5'400'000}}), 2), "4.50");
  EXPECT_THROW(forward_rate({3, {1}}, {3, {1}}), std::invalid_argument);
  EXPECT_THROW(forward_rate({0, {1}}, {3, {1}}), std::invalid_argument);
}

TEST(CommitmentBreakEven, IsTheRatioOfThePrices) {
  EXPECT_EQ(commitment_break_even({630'000}, {1'000'000}), 0.63);
  EXPECT_EQ(commitment_break_even({1'000'000}, {1'000'000}), std::nullopt);
  EXPECT_EQ(commitment_break_even({1}, {0}), std::nullopt);
}

// Nebius price documentation: GPU 2.668, 16 processors at 0.012, 200 GiB at 0.0032 are 3.50 an
// hour.
TEST(PriceOfParts, NebiusInstance) {
  const MicroUsd hour = price_of_parts({{{2'668'000}, 1}, {{12'000}, 16}, {{3'200}, 200}});
  EXPECT_EQ(hour, MicroUsd{3'500'000});
}

// datareceipts, 109-gpu-pricing, 2026-11-09: $2.69 and $12.29 an hour are $1,964 and $8,972 in a
// month of 730 h, 4.57 times as much.
TEST(TimesTheLeast, MonthsOfTwoPrices) {
  const MicroUsd low = reserved_month({2'690'000}, 730);
  const MicroUsd high = reserved_month({12'290'000}, 730);
  EXPECT_EQ(format_usd(low, 0), "1,964");
  EXPECT_EQ(format_usd(high, 0), "8,972");
  EXPECT_EQ(format_number(times_the_least({low, high}).at(1), 2), "4.57");
}

// SemiAnalysis, ClusterMAX TCO (clustermax.ai/tco, article of 2026-04-20): 4,096 GPUs, 36 months of
// 720 h, three providers.
TEST(TimesTheLeast, ClusterMaxProviders) {
  EXPECT_EQ(format_usd(reserved_month(MicroUsd{2'000'000} * 4096, 720), 0), "5,898,240");
  const std::vector<MicroUsd> totals = {
      {199'408'973'000'000}, {251'618'208'000'000}, {223'224'957'000'000}};
  const std::vector<double> times = times_the_least(totals);
  EXPECT_EQ(format_number(times[0], 2), "1.00");
  EXPECT_EQ(format_number(times[1], 2), "1.26");
  EXPECT_EQ(format_number(times[2], 2), "1.12");
  EXPECT_EQ(format_usd(scaled(totals[1] - totals[0], 1, 36), 0), "1,450,257");
  EXPECT_EQ(format_usd(scaled(totals[2] - totals[0], 1, 36), 0), "661,555");
  EXPECT_THROW(times_the_least({{0}, {1}}), std::invalid_argument);
}

// computetape on networks: 256 GPUs at $7 for 100 h, or for 130 h on a slower network.
TEST(TimesTheLeast, ASlowerNetwork) {
  const MicroUsd cluster = MicroUsd{7'000'000} * 256;
  const MicroUsd fast = run_cost(cluster, round_hours(100));
  const MicroUsd slow = run_cost(cluster, round_hours(130));
  EXPECT_EQ(format_usd(fast, 0), "179,200");
  EXPECT_EQ(format_usd(slow, 0), "232,960");
  EXPECT_EQ(format_number(times_the_least({fast, slow}).at(1), 2), "1.30");
}

}  // namespace
}  // namespace sizesheet
