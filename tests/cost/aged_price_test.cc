// SPDX-License-Identifier: Apache-2.0
// Prices on a later day, worked on paper: drift, width, rents and their formulas.
#include "cost/aged_price.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "catalog/prices/price.h"
#include "catalog/prices/price_age.h"
#include "cost/rent.h"
#include "cost/sample_terms.h"
#include "support/formula_evaluator.h"
#include "support/money.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

const char* const kSheetDay = "2026-11-20";

/// The list of specialised clouds as the catalog has it; the price of H100 rises.
PriceAge sample_age() {
  PriceAge age;
  age.kinds.resize(1);
  AgeKind& kind = age.kinds.front();
  kind.id = "list-specialised";
  kind.drift_per_day = 0.0009;
  kind.widths = {{0, 0}, {15, 0}, {30, 0.0955}, {45, 0.1283}, {60, 0.1692}, {90, 0.2604}};
  age.rising = {"h100-sxm"};
  return age;
}

Price listed(const std::string& provider, std::int64_t gpus, std::int64_t micro_usd,
             const std::string& as_of) {
  Price price = price_row(provider, gpus, micro_usd, as_of);
  price.age_kind = "list-specialised";
  return price;
}

// 41 days: exp(0.0009 x 41) = 1.037589; 31.92 x 1.037589 = 33.11984088. The width is 0.0955 +
// 11/15 x 0.0328 = 0.1195533; exp of that is 1.126993; 33.119841 x 1.126993 = 37.325829.
TEST(AgedPrice, DriftsAndWidensAsWorkedOnPaper) {
  const AgedPrice aged =
      aged_price(listed("hyperstack", 8, 31'920'000, "2026-10-10"), sample_age(), kSheetDay);
  EXPECT_EQ(aged.days, 41);
  EXPECT_EQ(aged.factor_millionths, 1'037'589);
  EXPECT_EQ(aged.expected, MicroUsd{33'119'841});
  EXPECT_NEAR(aged.ln_width, 0.1195533, 1e-7);
  EXPECT_EQ(aged.high, MicroUsd{37'325'829});
}

TEST(AgedPrice, APriceOfTheDayIsItsOwn) {
  for (const char* day : {"2026-11-20", "2026-11-21"}) {
    const AgedPrice aged = aged_price(listed("a", 8, 31'920'000, day), sample_age(), kSheetDay);
    EXPECT_EQ(aged.days, 0);
    EXPECT_EQ(aged.expected, MicroUsd{31'920'000});
    EXPECT_EQ(aged.high, MicroUsd{31'920'000});
    EXPECT_FALSE(aged.moved());
  }
}

TEST(AgedPrice, ACardThatDoesNotRiseHasAWidthAndNoDrift) {
  Price price = listed("a", 1, 1'000'000, "2026-10-21");
  price.gpu = "l40s";
  const AgedPrice aged = aged_price(price, sample_age(), kSheetDay);
  EXPECT_EQ(aged.days, 30);
  EXPECT_EQ(aged.expected, MicroUsd{1'000'000});
  EXPECT_EQ(aged.high, MicroUsd{1'100'209});  // exp(0.0955)
}

TEST(AgedPrice, WhatNobodyMeasuredDoesNotAge) {
  Price price = listed("a", 1, 1'000'000, "2026-05-20");
  price.age_kind = "";
  const AgedPrice aged = aged_price(price, sample_age(), kSheetDay);
  EXPECT_EQ(aged.days, 184);
  EXPECT_EQ(aged.expected, MicroUsd{1'000'000});
  EXPECT_EQ(aged.high, MicroUsd{1'000'000});
}

// 4.00 x exp(0.0009 x 100) = 4.00 x 1.094174 = 4.376696: dearer than 4.35 of the day.
TEST(RentQuotes, AnOlderPriceWinsByWhatItIsExpectedToBe) {
  const std::vector<Price> rows = {listed("old", 1, 4'000'000, "2026-08-12"),
                                   listed("new", 1, 4'350'000, kSheetDay)};
  const CurrentPrices prices(rows, policy_on(kSheetDay), sample_age());
  const std::vector<RentQuote> quotes = rent_quotes(prices, h100(), 2);
  ASSERT_EQ(quotes.size(), 2U);
  EXPECT_EQ(quotes[0].price->provider, "new");
  EXPECT_EQ(quotes[0].usd_per_hour, MicroUsd{8'700'000});
  EXPECT_EQ(quotes[0].list_usd_per_hour, MicroUsd{8'700'000});
  EXPECT_EQ(quotes[0].ln_width, 0);
  EXPECT_EQ(quotes[1].usd_per_hour, MicroUsd{8'753'392});
  EXPECT_EQ(quotes[1].list_usd_per_hour, MicroUsd{8'000'000});
  EXPECT_GT(quotes[1].ln_width, 0.26);
  EXPECT_EQ(cheapest_rent({rows, policy_on(kSheetDay)}, h100(), 2)->price->provider, "old")
      << "without ages";
}

TEST(ExplainRent, APriceThatMovedHasALineOfItsOwn) {
  const std::vector<Price> rows = {listed("hyperstack", 8, 31'920'000, "2026-10-10")};
  const auto quote = cheapest_rent({rows, policy_on(kSheetDay), sample_age()}, h100(), 16);
  ASSERT_TRUE(quote);
  RentTerms terms;
  terms.gpus = 16;
  terms.hours = round_hours(10.5);
  const std::vector<CostLine> lines = explain_rent(*quote, terms);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].name, "expected_usd_per_instance_hour");
  EXPECT_EQ(lines[0].title, "Rent per hour of an instance, expected");
  EXPECT_EQ(lines[0].formula.text, "usd_per_instance_hour * age_factor");
  EXPECT_EQ(lines[0].usd, MicroUsd{33'119'841});
  EXPECT_EQ(lines[1].formula.steps.back().formula, "instances * expected_usd_per_instance_hour");
  EXPECT_EQ(lines[1].usd, MicroUsd{66'239'682});
  EXPECT_EQ(lines[2].usd, MicroUsd{695'516'661});  // x 10.5
  for (const CostLine& line : lines) {
    EXPECT_EQ(rounded_usd(evaluate(line.formula)), line.usd) << line.name;
  }
}

// 33.119841 / 8 = 4.139980125.
TEST(Spread, IsOfExpectedPrices) {
  const std::vector<Price> rows = {listed("a", 8, 31'920'000, "2026-10-10"),
                                   listed("b", 1, 4'500'000, kSheetDay)};
  const auto range = spread({rows, policy_on(kSheetDay), sample_age()}, h100(), 1);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->high, MicroUsd{4'500'000});
  EXPECT_EQ(range->low, MicroUsd{4'139'980});
}

TEST(AgeLimit, AKindOfPriceMayCountForFewerDays) {
  PricePolicy policy = policy_on(kSheetDay);
  policy.max_age_days_of = {{"list-specialised", 40}};
  const Price price = listed("a", 1, 1'000'000, "2026-10-10");
  EXPECT_EQ(why_not_admitted(price, policy), "older than 40 days (2026-10-10)");
  policy.max_age_days_of = {{"list-specialised", 41}};
  EXPECT_EQ(why_not_admitted(price, policy), "");
  policy.max_age_days = 10;
  EXPECT_EQ(why_not_admitted(price, policy), "older than 10 days (2026-10-10)") << "the lesser";
  policy.max_age_days_of = {{"list-hyperscaler", 5}};
  policy.max_age_days = 400;
  EXPECT_EQ(why_not_admitted(price, policy), "") << "of another kind";
}

}  // namespace
}  // namespace sizesheet
