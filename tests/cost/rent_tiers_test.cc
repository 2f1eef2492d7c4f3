// SPDX-License-Identifier: Apache-2.0
// What the tiers add to a rent: interruptions on spot, whole days of a block, whole months of a
// term; and every quote in its order.
#include <gtest/gtest.h>

#include <stdexcept>

#include "cost/rent.h"
#include "cost/sample_terms.h"
#include "support/formula_evaluator.h"

namespace sizesheet {
namespace {

std::optional<double> block_hours(double hours) {
  const auto paid = capacity_block_hours(round_hours(hours));
  return paid ? std::optional<double>(to_hours(*paid)) : std::nullopt;
}

TEST(InterruptedHours, AddTheShareAndRoundHalfUp) {
  EXPECT_EQ(interrupted_hours(round_hours(10), 0.1).value, 110'000);
  EXPECT_EQ(interrupted_hours({5}, 0.1).value, 6);  // 5.5 ten-thousandths
  EXPECT_EQ(interrupted_hours({4}, 0.1).value, 4);
  EXPECT_EQ(interrupted_hours(round_hours(10), 0).value, 100'000);
  EXPECT_THROW(interrupted_hours({1}, -0.1), std::invalid_argument);
  EXPECT_THROW(interrupted_hours({9'000'000'000'000'000'000}, 1), std::overflow_error);
}

TEST(CapacityBlock, IsPaidInWholeDaysThenWholeWeeks) {
  EXPECT_EQ(block_hours(0.0001), 24);
  EXPECT_EQ(block_hours(24), 24);
  EXPECT_EQ(block_hours(24.0001), 48);
  EXPECT_EQ(block_hours(14 * 24), 14 * 24);
  EXPECT_EQ(block_hours(14 * 24 + 0.0001), 21 * 24);
  EXPECT_EQ(block_hours(26 * 168), 26 * 168);
  EXPECT_EQ(block_hours(26 * 168 + 0.0001), std::nullopt);
}

TEST(PaidHours, AreTheRunsOwnButOnABlock) {
  for (const char* tier : {"on_demand", "spot", "reserved_1y", "reserved_3y"}) {
    EXPECT_EQ(paid_hours(price_tier(tier), {12'345}), HoursTenThousandths{12'345}) << tier;
  }
  EXPECT_EQ(paid_hours(price_tier("capacity_block"), {12'345}), HoursTenThousandths{240'000});
}

TEST(RentQuotes, StandBestFirst) {
  const std::vector<Price> rows = {
      price_row("dear", 8, 55'040'000, kDay), price_row("b", 1, 4'500'000, kDay),
      price_row("a", 1, 4'500'000, kDay), price_row("old", 1, 4'500'000, "2026-10-01")};
  std::vector<std::string> order;
  for (const RentQuote& quote : rent_quotes({rows, policy_on("2026-11-20")}, h100(), 8)) {
    order.push_back(quote.price->provider);
  }
  EXPECT_EQ(order, (std::vector<std::string>{"a", "b", "old", "dear"}));
}

/// Names and amounts of the lines; each must follow from its own formula.
std::map<std::string, MicroUsd> explained(const std::string& tier, double hours) {
  std::vector<Price> rows = {price_row("aws", 8, 39'800'000, kDay)};
  rows.front().tier = tier;
  PricePolicy policy = policy_on("2026-11-20");
  policy.tier = tier;
  const auto quote = cheapest_rent({rows, policy}, h100(), 16);
  if (!quote) return {};
  RentTerms terms;
  terms.gpus = 16;
  terms.hours = round_hours(hours);
  terms.interruption_share = 0.1;
  std::map<std::string, MicroUsd> amounts;
  for (const CostLine& line : explain_rent(*quote, terms)) {
    EXPECT_EQ(rounded_usd(evaluate(line.formula)), line.usd) << tier << " " << line.name;
    amounts[line.title] = line.usd;
  }
  return amounts;
}

using Amounts = std::map<std::string, MicroUsd>;

TEST(ExplainRent, SpotCountsInterruptions) {
  EXPECT_EQ(explained("spot", 30.5),
            (Amounts{{"Spot rent per hour", {79'600'000}},
                     {"Spot rent per run", {2'427'800'000}},
                     {"Spot rent per run, interruptions counted", {2'670'580'000}}}));
}

TEST(ExplainRent, AReservedTermIsPaidByTheMonth) {
  EXPECT_EQ(explained("reserved_1y", 30.5),
            (Amounts{{"Rent on a term of 1y per hour", {79'600'000}},
                     {"Rent on a term of 1y per run", {2'427'800'000}},
                     {"Rent on a term of 1y per month, used or not", {58'108'000'000}}}));
}

TEST(ExplainRent, ABlockIsPaidByTheDay) {
  EXPECT_EQ(explained("capacity_block", 30.5),
            (Amounts{{"Rent of a capacity block per hour", {79'600'000}},
                     {"Rent of a capacity block per run", {3'820'800'000}}}));
  EXPECT_EQ(explained("capacity_block", 15 * 24).at("Rent of a capacity block per run"),
            MicroUsd{79'600'000} * 21 * 24);
  EXPECT_EQ(explained("capacity_block", 183 * 24).size(), 1U);
}

TEST(ExplainRent, NamesTheRateOfExchange) {
  std::vector<Price> rows = {price_row("verda", 8, 39'800'000, kDay)};
  rows.front().asked =
      AskedPrice{"EUR", {36'000'000}, {"EUR", {1'105'556}, "2026-11-06", "ECB", {}}};
  const auto quote = cheapest_rent({rows, policy_on("2026-11-20")}, h100(), 8);
  ASSERT_TRUE(quote);
  RentTerms terms;
  terms.gpus = 8;
  EXPECT_EQ(explain_rent(*quote, terms).front().source,
            "a price list; rate of exchange: ECB, 2026-11-06");
}

}  // namespace
}  // namespace sizesheet
