// SPDX-License-Identifier: Apache-2.0
// What makes an offer count: its age, its stock, its term, its least order, what joins its nodes.
#include <gtest/gtest.h>

#include "catalog/prices/price.h"
#include "cost/rent.h"
#include "cost/sample_terms.h"
#include "support/formula_evaluator.h"

namespace sizesheet {
namespace {

constexpr const char* kOldDay = "2026-08-22";  // 90 days before the sheet's

/// 45 days, else 120, on 2026-11-20.
PricePolicy counting() {
  PricePolicy policy = policy_on("2026-11-20");
  policy.max_age_days = 45;
  policy.fallback_age_days = 120;
  return policy;
}

TEST(OfferCounts, AnOlderListPriceOnlyWhereNoNewerOneWillDo) {
  const std::vector<Price> rows = {price_row("cheap", 8, 16'000'000, kOldDay),
                                   price_row("fresh", 1, 3'000'000, kDay)};
  const CurrentPrices prices(rows, counting());
  const auto one_node = rent_quotes(prices, h100(), 8);
  ASSERT_EQ(one_node.size(), 1U);
  EXPECT_EQ(one_node[0].price, &rows[1]);
  EXPECT_FALSE(one_node[0].old);
  // The fresh row is no whole node, so that it leaves two of them without an offer.
  const auto two_nodes = cheapest_rent(prices, h100(), 16);
  ASSERT_TRUE(two_nodes);
  EXPECT_EQ(two_nodes->price, &rows[0]);
  EXPECT_TRUE(two_nodes->old);
  EXPECT_EQ(spread(prices, h100(), 8)->providers, 1);
}

TEST(OfferCounts, TheFallbackHasAnEndAndIsForListPrices) {
  Price host = price_row("host", 1, 1'000'000, kOldDay);
  host.offer = "marketplace";
  const std::vector<Price> rows = {host, price_row("a", 1, 1'000'000, "2026-07-22")};
  const CurrentPrices prices(rows, counting());
  EXPECT_FALSE(cheapest_rent(prices, h100(), 1));
  EXPECT_EQ(prices.why_not(rows[0]), "older than 45 days (2026-08-22)");
  EXPECT_EQ(prices.why_not(rows[1]), "older than 120 days (2026-07-22)");
  PricePolicy none = counting();
  none.fallback_age_days.reset();
  EXPECT_EQ(why_not_admitted(price_row("a", 1, 1, kOldDay), none),
            "older than 45 days (2026-08-22)");
}

TEST(OfferCounts, ARowOutOfStockPricesNothingAndStillReplacesAnOlderOne) {
  std::vector<Price> rows = {price_row("a", 1, 2'000'000, "2026-10-10"),
                             price_row("a", 1, 2'500'000, kDay)};
  rows[1].stock = "none";
  const CurrentPrices prices(rows, counting());
  EXPECT_FALSE(cheapest_rent(prices, h100(), 1));
  EXPECT_EQ(prices.why_not(rows[0]), "history: replaced on 2026-11-09");
  EXPECT_EQ(prices.why_not(rows[1]), "out of stock on 2026-11-09");
  for (const char* stock : {"low", "in stock"}) {
    rows[1].stock = stock;
    EXPECT_EQ(cheapest_rent({rows, counting()}, h100(), 1)->price, &rows[1]) << stock;
  }
}

TEST(OfferCounts, ATermIsNoPriceByTheHour) {
  Price cluster = price_row("lambda", 16, 98'560'000, kDay);
  cluster.minimum_term_days = 14;
  EXPECT_EQ(why_barred(cluster, counting()), "a term of at least 14 days, not by the hour");
}

TEST(OfferCounts, ASmallerNeedIsBilledAsTheLeastOrder) {
  std::vector<Price> rows = {price_row("verda", 8, 60'000'000, kDay)};
  rows[0].minimum_gpus = 16;
  const CurrentPrices prices(rows, counting());
  const auto quote = cheapest_rent(prices, h100(), 4);
  ASSERT_TRUE(quote);
  EXPECT_EQ(quote->instances, 2);
  EXPECT_EQ(quote->usd_per_hour, MicroUsd{120'000'000});
  EXPECT_EQ(cheapest_rent(prices, h100(), 24)->instances, 3);
  RentTerms terms;
  terms.gpus = 4;
  const auto lines = explain_rent(*quote, terms);
  EXPECT_EQ(lines[0].formula.steps[0].formula, "ceil(max(gpus, minimum_gpus) / gpus_per_instance)");
  EXPECT_EQ(rounded_usd(evaluate(lines[0].formula)), quote->usd_per_hour);
}

TEST(OfferCounts, SeveralNodesOnlyOfOffersThatSayWhatJoinsThem) {
  std::vector<Price> rows = {price_row("a", 8, 16'000'000, kDay)};
  PricePolicy connected = counting();
  connected.connected = true;
  EXPECT_TRUE(cheapest_rent({rows, counting()}, h100(), 16));
  EXPECT_TRUE(cheapest_rent({rows, connected}, h100(), 8));
  EXPECT_FALSE(cheapest_rent({rows, connected}, h100(), 16));
  for (const Interconnect& one : kInterconnects) {
    rows[0].interconnect = one.key;
    EXPECT_EQ(cheapest_rent({rows, connected}, h100(), 16).has_value(), one.joins_nodes) << one.key;
  }
}

}  // namespace
}  // namespace sizesheet
