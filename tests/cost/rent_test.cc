// SPDX-License-Identifier: Apache-2.0
#include "cost/rent.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "cost/sample_terms.h"
#include "support/error.h"
#include "support/formula_evaluator.h"

namespace sizesheet {
namespace {

PricePolicy policy() { return policy_on("2026-11-20"); }

TEST(CheapestRent, InstancesRoundUp) {
  const std::vector<Price> rows = {price_row("aws", 8, 55'040'000, kDay)};
  const auto quote = cheapest_rent({rows, policy()}, h100(), 3);
  ASSERT_TRUE(quote);
  EXPECT_EQ(quote->price, &rows[0]);
  EXPECT_EQ(quote->instances, 1);
  EXPECT_EQ(quote->usd_per_hour, MicroUsd{55'040'000});
  EXPECT_EQ(cheapest_rent({rows, policy()}, h100(), 17)->instances, 3);
}

TEST(CheapestRent, WithinANodeSingleGpusMultiply) {
  const std::vector<Price> rows = {price_row("aws", 8, 55'040'000, kDay),
                                   price_row("nebius", 1, 4'500'000, kDay)};
  const auto quote = cheapest_rent({rows, policy()}, h100(), 8);
  ASSERT_TRUE(quote);
  EXPECT_EQ(quote->price->provider, "nebius");
  EXPECT_EQ(quote->instances, 8);
  EXPECT_EQ(quote->usd_per_hour, MicroUsd{36'000'000});
}

TEST(CheapestRent, BeyondANodeOnlyWholeNodesCount) {
  std::vector<Price> rows = {price_row("nebius", 1, 4'500'000, kDay),
                             price_row("lambda", 4, 12'000'000, kDay),
                             price_row("market", 24, 80'000'000, kDay)};
  EXPECT_FALSE(cheapest_rent({rows, policy()}, h100(), 16));
  rows.push_back(price_row("aws", 8, 55'040'000, kDay));
  const auto quote = cheapest_rent({rows, policy()}, h100(), 16);
  ASSERT_TRUE(quote);
  EXPECT_EQ(quote->price->provider, "aws");
  EXPECT_EQ(quote->instances, 2);
  EXPECT_EQ(quote->usd_per_hour, MicroUsd{110'080'000});
}

TEST(CheapestRent, PassesOverWhatThePolicyRefuses) {
  std::vector<Price> rows(7, price_row("cheap", 1, 1'000'000, kDay));
  rows[0].gpu = "h200-sxm";
  rows[1].tier = "spot";
  rows[2].tier = "reserved_unstated";
  rows[3].settled = "a misprint";
  rows[4].as_of = "2023-07";
  rows[5].as_of = "2026-11-21";
  rows[6].offer = "marketplace";
  PricePolicy only_lists = policy();
  only_lists.offers = {"list"};
  EXPECT_FALSE(cheapest_rent({rows, only_lists}, h100(), 1));
  rows.push_back(price_row("dear", 1, 9'000'000, kDay));
  EXPECT_EQ(cheapest_rent({rows, only_lists}, h100(), 1)->price->provider, "dear");
  EXPECT_EQ(cheapest_rent({rows, policy()}, h100(), 1)->price->provider, "cheap");
}

TEST(CheapestRent, ALowerPriceOfThePastDoesNotWin) {
  const std::vector<Price> rows = {price_row("nebius", 1, 3'850'000, "2026-09-25"),
                                   price_row("nebius", 1, 4'500'000, "2026-10-10")};
  EXPECT_EQ(cheapest_rent({rows, policy()}, h100(), 1)->usd_per_hour, MicroUsd{4'500'000});
}

TEST(CheapestRent, TiesGoToTheNewestThenProviderThenKey) {
  const Price old_row = price_row("a", 1, 2'000'000, "2026-10-01");
  const Price newer = price_row("c", 1, 2'000'000, kDay);
  Price first = price_row("b", 1, 2'000'000, kDay);
  first.instance = "x";
  Price second = first;
  second.instance = "y";
  const std::vector<Price> by_day = {old_row, newer};
  EXPECT_EQ(cheapest_rent({by_day, policy()}, h100(), 1)->price, &by_day[1]);
  const std::vector<Price> by_provider = {newer, old_row, second};
  EXPECT_EQ(cheapest_rent({by_provider, policy()}, h100(), 1)->price, &by_provider[2]);
  const std::vector<Price> by_key = {second, newer, first};
  EXPECT_EQ(cheapest_rent({by_key, policy()}, h100(), 1)->price, &by_key[2]);
}

TEST(CheapestRent, RefusesAnUnknownTier) {
  PricePolicy wrong = policy();
  wrong.tier = "spott";
  try {
    cheapest_rent({std::vector<Price>{}, wrong}, h100(), 1);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "unknown tier \"spott\" (did you mean \"spot\"?)");
  }
}

TEST(RentSpread, TakesTheBestRowOfEachProvider) {
  std::vector<Price> rows = {
      price_row("a", 1, 2'000'000, kDay), price_row("a", 8, 24'000'000, kDay),
      price_row("b", 8, 32'000'000, kDay), price_row("c", 1, 9'000'000, kDay)};
  const auto odd = spread({rows, policy()}, h100(), 8);
  ASSERT_TRUE(odd);
  EXPECT_EQ(odd->low, MicroUsd{2'000'000});
  EXPECT_EQ(odd->median, MicroUsd{4'000'000});
  EXPECT_EQ(odd->high, MicroUsd{9'000'000});
  EXPECT_EQ(odd->providers, 3);
  rows.push_back(price_row("d", 1, 4'000'001, kDay));
  EXPECT_EQ(spread({rows, policy()}, h100(), 8)->median, MicroUsd{4'000'001});
  EXPECT_FALSE(spread({std::vector<Price>{}, policy()}, h100(), 8));
}

TEST(RoundHours, RoundsHalfUp) {
  EXPECT_EQ(round_hours(0).value, 0);
  EXPECT_EQ(round_hours(0.00005).value, 1);
  EXPECT_EQ(round_hours(0.000049).value, 0);
  EXPECT_EQ(round_hours(32).value, 320'000);
  EXPECT_EQ(to_hours(round_hours(1.23456)), 1.2346);
}

TEST(RoundHours, RefusesWhatIsNoDuration) {
  EXPECT_THROW(round_hours(-1), std::invalid_argument);
  EXPECT_THROW(round_hours(std::numeric_limits<double>::quiet_NaN()), std::invalid_argument);
  EXPECT_THROW(round_hours(std::numeric_limits<double>::infinity()), std::overflow_error);
}

TEST(RunCost, IsExactAndRoundedHalfUpOnce) {
  EXPECT_EQ(run_cost(MicroUsd{1}, {5'000}), MicroUsd{1});
  EXPECT_EQ(run_cost(MicroUsd{1}, {4'999}), MicroUsd{0});
  EXPECT_EQ(run_cost(MicroUsd{9'000'000'000'000}, {10'000'000}), MicroUsd{9'000'000'000'000'000});
  EXPECT_THROW(run_cost(MicroUsd{std::numeric_limits<std::int64_t>::max()}, {10'001}),
               std::overflow_error);
}

// Spheron, GPU VRAM Requirements to Fine-Tune LLMs in 2026, cost examples: 11 instances of $5.07
// for 32 h are printed as $1,785; and two short runs.
TEST(RunCost, PublishedRuns) {
  Gpu gpu = h100();
  gpu.gpus_per_node = 1;
  const std::vector<Price> rows = {price_row("a", 1, 5'070'000, kDay)};
  const auto quote = cheapest_rent({rows, policy()}, gpu, 11);
  ASSERT_TRUE(quote);
  EXPECT_EQ(quote->usd_per_hour, MicroUsd{55'770'000});
  const MicroUsd run = run_cost(quote->usd_per_hour, round_hours(32));
  EXPECT_EQ(format_usd(run, 2), "1,784.64");
  EXPECT_EQ(format_usd(run, 0), "1,785");
  EXPECT_EQ(run_cost(MicroUsd{2'010'000}, round_hours(10)), MicroUsd{20'100'000});
  EXPECT_EQ(run_cost(MicroUsd{920'000}, round_hours(3)), MicroUsd{2'760'000});
}

// AI Field Notes, Looking Beyond Spark: 24 H100 at $80 to $100 an hour are $3.33 to $4.17 a
// GPU-hour, $5,760 to $7,200 in 3 days, of which the guide prints 7,000.
TEST(RunCost, PublishedClusterOfTwentyFour) {
  const std::vector<Price> rows = {price_row("low", 24, 80'000'000, kDay),
                                   price_row("high", 24, 100'000'000, kDay)};
  Gpu gpu = h100();
  gpu.gpus_per_node = 24;
  const auto range = spread({rows, policy()}, gpu, 24);
  ASSERT_TRUE(range);
  EXPECT_EQ(format_usd(range->low, 2), "3.33");
  EXPECT_EQ(format_usd(range->high, 2), "4.17");
  EXPECT_EQ(run_cost(MicroUsd{80'000'000}, round_hours(72)), MicroUsd{5'760'000'000});
  EXPECT_EQ(run_cost(MicroUsd{100'000'000}, round_hours(72)), MicroUsd{7'200'000'000});
}

// datareceipts, 2026-11-09: $2.69 and $12.29 at 730 h; ClusterMAX TCO: 4,096 GPUs at $2.00 and 720
// h.
TEST(ReservedMonth, PaysEveryHour) {
  EXPECT_EQ(reserved_month(MicroUsd{2'690'000}, 730), MicroUsd{1'963'700'000});
  EXPECT_EQ(reserved_month(MicroUsd{12'290'000}, 730), MicroUsd{8'971'700'000});
  EXPECT_EQ(reserved_month(MicroUsd{2'000'000} * 4096, 720), MicroUsd{5'898'240'000'000});
}

TEST(CommitmentBreakEven, IsTheRatioOfThePrices) {
  EXPECT_EQ(commitment_break_even({630'000}, {1'000'000}), 0.63);
  EXPECT_EQ(commitment_break_even({1'000'000}, {1'000'000}), std::nullopt);
  EXPECT_EQ(commitment_break_even({1}, {0}), std::nullopt);
}

TEST(ExplainRent, FormulasGiveTheAmounts) {
  const std::vector<Price> rows = {price_row("aws", 8, 55'040'000, kDay)};
  const auto quote = cheapest_rent({rows, policy()}, h100(), 12);
  ASSERT_TRUE(quote);
  RentTerms terms;
  terms.gpus = 12;
  const auto without_hours = explain_rent(*quote, terms);
  EXPECT_EQ(without_hours.size(), 1U);
  terms.hours = round_hours(9.5);
  const auto lines = explain_rent(*quote, terms);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].name, "usd_per_hour");
  EXPECT_EQ(lines[0].formula.text, "usd_per_hour");
  ASSERT_EQ(lines[0].formula.steps.size(), 2U);
  EXPECT_EQ(lines[0].formula.steps[0].formula, "ceil(gpus / gpus_per_instance)");
  EXPECT_EQ(lines[1].formula.text, "usd_per_hour * hours");
  EXPECT_EQ(lines[1].usd, MicroUsd{1'045'760'000});
  for (const CostLine& line : lines) EXPECT_EQ(rounded_usd(evaluate(line.formula)), line.usd);
}

}  // namespace
}  // namespace sizesheet
