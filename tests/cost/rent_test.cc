// SPDX-License-Identifier: Apache-2.0
// Renting: the cases of tests/oracles/cases_rent.json, which rows of a price table count and what
// the best of them comes to; hours and money at their edges.

#include "cost/rent.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "catalog/facts/gpu.h"
#include "catalog/prices/price.h"
#include "cost/cost_line.h"
#include "cost/offer_filter.h"
#include "cost/sample_terms.h"
#include "support/cases.h"
#include "support/formula_evaluator.h"
#include "support/json.h"
#include "support/money.h"
#include "support/project_catalog.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

Price price_from(const Json& said) {
  Price price = price_row("a", 1, 1'000'000, kDay);
  patch(said, price);
  price.settled = said.value("settled", "");
  price.doubt = said.value("doubt", "");
  return price;
}

PricePolicy policy_from(const Json& said) {
  PricePolicy policy = policy_on(said.at("as_of"));
  patch(said, static_cast<OfferFilter&>(policy));
  const Patch own{said};
  own("tier", policy.tier);
  own("max_age_days", policy.max_age_days);
  own("fallback_age_days", policy.fallback_age_days);
  own("offers", policy.offers);
  return policy;
}

/// Amounts by the titles of the lines, each of which must follow from its own formula.
void put_lines(const RentQuote& quote, const Json& request, Json& facts) {
  RentTerms terms;
  terms.gpus = request.at("gpus");
  if (request.contains("hours")) terms.hours = round_hours(request.at("hours"));
  terms.interruption_share = request.value("interruption_share", 0.0);
  for (const CostLine& line : explain_rent(quote, terms)) {
    EXPECT_EQ(rounded_usd(evaluate(line.formula)), line.usd) << line.name;
    facts["lines"][line.title] = line.usd;
    for (const FormulaStep& step : line.formula.steps) facts["formulas"].push_back(step.formula);
    facts["formulas"].push_back(line.formula.text);
  }
}

/// What a price table comes to under a policy, for a number of GPUs.
Json rented(const Json& request) {
  std::vector<Price> rows;
  for (const Json& patch : request.at("prices")) {
    Json row = request.at("row");
    row.update(patch);
    rows.push_back(price_from(row));
  }
  const CurrentPrices prices(rows, policy_from(request.at("policy")));
  Json facts = {{"why", Json::array()}, {"quotes", Json::array()}, {"best", nullptr}};
  for (const Price& row : rows) facts["why"].push_back(prices.why_not(row));
  Gpu gpu = h100();
  gpu.gpus_per_node = request.at("gpus_per_node");
  const std::int64_t gpus = request.at("gpus");
  for (const RentQuote& quote : rent_quotes(prices, gpu, gpus)) {
    facts["quotes"].push_back(quote.price->provider);
  }
  const std::optional<PriceSpread> range = spread(prices, gpu, gpus);
  facts["spread"] = as_json(range);
  if (const auto best = cheapest_rent(prices, gpu, gpus)) {
    facts["best"] = best->price - rows.data();
    facts["instances"] = best->instances;
    facts["usd_per_hour"] = best->usd_per_hour;
    facts["old"] = best->old;
    put_lines(*best, request, facts);
  }
  return facts;
}

TEST(Rent, WorkedCases) { expect_cases(oracle("cases_rent.json"), rented); }

TEST(Rent, PoliciesThatCannotPriceAreRefused) { expect_refused(oracle("cases_rent.json"), rented); }

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

TEST(RunCost, OfAMillionTokensIsTheRunOverItsTokens) {
  EXPECT_EQ(usd_per_million_tokens(MicroUsd{5'286'960}, 50'000'000), MicroUsd{105'739});  // …,2
  EXPECT_EQ(usd_per_million_tokens(MicroUsd{3}, 2'000'000), MicroUsd{2});                 // 1.5
  EXPECT_EQ(usd_per_million_tokens(MicroUsd{7}, 1), MicroUsd{7'000'000});
}

TEST(RunCost, IsExactAndRoundedHalfUpOnce) {
  EXPECT_EQ(run_cost(MicroUsd{1}, {5'000}), MicroUsd{1});
  EXPECT_EQ(run_cost(MicroUsd{1}, {4'999}), MicroUsd{0});
  EXPECT_EQ(run_cost(MicroUsd{9'000'000'000'000}, {10'000'000}), MicroUsd{9'000'000'000'000'000});
  EXPECT_THROW(run_cost(MicroUsd{std::numeric_limits<std::int64_t>::max()}, {10'001}),
               std::overflow_error);
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

TEST(InterruptedHours, AddTheShareAndRoundHalfUp) {
  EXPECT_EQ(interrupted_hours(round_hours(10), 0.1).value, 110'000);
  EXPECT_EQ(interrupted_hours({5}, 0.1).value, 6);  // 5.5 ten-thousandths
  EXPECT_EQ(interrupted_hours({4}, 0.1).value, 4);
  EXPECT_EQ(interrupted_hours(round_hours(10), 0).value, 100'000);
  EXPECT_THROW(interrupted_hours({1}, -0.1), std::invalid_argument);
  EXPECT_THROW(interrupted_hours({9'000'000'000'000'000'000}, 1), std::overflow_error);
}

std::optional<double> block_hours(double hours) {
  const auto paid = capacity_block_hours(round_hours(hours));
  return paid ? std::optional<double>(to_hours(*paid)) : std::nullopt;
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

TEST(OfferCounts, SeveralNodesOnlyOfOffersThatSayWhatJoinsThem) {
  std::vector<Price> rows = {price_row("a", 8, 16'000'000, kDay)};
  PricePolicy connected = policy_on("2026-11-20");
  EXPECT_TRUE(cheapest_rent({rows, connected}, h100(), 16));
  connected.connected = true;
  EXPECT_TRUE(cheapest_rent({rows, connected}, h100(), 8));
  EXPECT_FALSE(cheapest_rent({rows, connected}, h100(), 16));
  for (const Interconnect& one : kInterconnects) {
    rows[0].interconnect = one.key;
    EXPECT_EQ(cheapest_rent({rows, connected}, h100(), 16).has_value(), one.joins_nodes) << one.key;
  }
}

TEST(PricePolicy, ARegionMatchesItsNameOrABeginning) {
  EXPECT_TRUE(region_matches("eu-west-1", "eu-west-1"));
  EXPECT_FALSE(region_matches("eu-west-1", "eu-west"));
  EXPECT_TRUE(region_matches("eu-west-1", "eu-*"));
  EXPECT_FALSE(region_matches("us-east-1", "eu-*"));
  EXPECT_TRUE(region_matches("any", "*"));
}

}  // namespace
}  // namespace sizesheet
