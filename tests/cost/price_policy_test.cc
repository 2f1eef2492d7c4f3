// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

#include "cost/rent.h"
#include "cost/sample_terms.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

const char* const kToday = "2026-11-20";

std::string policy_refusal(const PricePolicy& policy) {
  return refusal_of([&] { check_policy(policy); });
}

TEST(PricePolicy, AdmitsACurrentRowOfItsTier) {
  EXPECT_EQ(why_not_admitted(price_row("nebius", 1, 4'500'000, "2026-10-10"), policy_on(kToday)),
            "");
}

TEST(PricePolicy, NamesEveryReason) {
  PricePolicy policy = policy_on(kToday);
  policy.offers = {"list", "community"};
  const Price good = price_row("nebius", 1, 4'500'000, "2026-10-10");
  const auto reason = [&](auto change) {
    Price price = good;
    change(price);
    return why_not_admitted(price, policy);
  };
  EXPECT_EQ(reason([](Price& p) { p.as_of = "2023-07"; }), "older than 400 days (2023-07)");
  EXPECT_EQ(reason([](Price& p) { p.as_of = "2026-11-21"; }),
            "dated after 2026-11-20 (2026-11-21)");
  EXPECT_EQ(reason([](Price& p) { p.as_of = "soon"; }), "no valid date (soon)");
  EXPECT_EQ(reason([](Price& p) { p.settled = "a newer row is 17.64"; }),
            "a settled conflict: a newer row is 17.64");
  EXPECT_EQ(reason([](Price& p) { p.doubt = "$0.3 a GPU-hour is little"; }),
            "in doubt until confirmed: $0.3 a GPU-hour is little");
  EXPECT_EQ(reason([](Price& p) { p.offer = "marketplace"; }), "marketplace offer");
  EXPECT_EQ(reason([](Price& p) { p.tier = "spot"; }), "other tier (spot)");
  EXPECT_EQ(reason([](Price& p) { p.tier = "reserved_unstated"; }), "term not stated");
}

TEST(PricePolicy, AnAgeOfExactlyTheLimitIsAdmitted) {
  const PricePolicy policy = policy_on(kToday);
  EXPECT_EQ(why_not_admitted(price_row("a", 1, 1, "2025-10-16"), policy), "");
  EXPECT_EQ(why_not_admitted(price_row("a", 1, 1, "2025-10-15"), policy),
            "older than 400 days (2025-10-15)");
}

TEST(PricePolicy, AMonthCountsFromItsFirstDay) {
  EXPECT_EQ(why_not_admitted(price_row("a", 1, 1, "2026-11"), policy_on(kToday)), "");
  EXPECT_EQ(why_not_admitted(price_row("a", 1, 1, "2026-12"), policy_on(kToday)),
            "dated after 2026-11-20 (2026-12)");
}

TEST(PricePolicy, AnOlderRowOfTheSameOfferIsHistory) {
  const std::vector<Price> rows = {price_row("nebius", 1, 3'850'000, "2026-09-25"),
                                   price_row("nebius", 1, 4'500'000, "2026-10-10"),
                                   price_row("runpod", 1, 3'990'000, "2026-10-10")};
  const PricePolicy policy = policy_on(kToday);
  EXPECT_EQ(CurrentPrices(rows, policy).why_not(rows[0]), "history: replaced on 2026-10-10");
  EXPECT_EQ(CurrentPrices(rows, policy).why_not(rows[1]), "");
  EXPECT_EQ(CurrentPrices(rows, policy).why_not(rows[2]), "");
}

TEST(PricePolicy, ARowThatIsNotAdmittedReplacesNothing) {
  std::vector<Price> rows = {price_row("nebius", 1, 3'850'000, "2026-09-25"),
                             price_row("nebius", 1, 4'500'000, "2026-10-10")};
  EXPECT_EQ(CurrentPrices(rows, policy_on("2026-10-01")).why_not(rows[0]), "");
  rows[1].settled = "a misprint";
  EXPECT_EQ(CurrentPrices(rows, policy_on(kToday)).why_not(rows[0]), "");
}

/// A row of a known provider: seat in the EU, machine in the UK.
Price placed_row() {
  Price price = price_row("nebius", 1, 4'500'000, "2026-10-10");
  price.region = "eu-west-2";
  price.jurisdiction = "eu";
  price.location = "uk";
  price.tenancy = "container";
  return price;
}

TEST(PricePolicy, FiltersSayWhatTheyMiss) {
  const auto reason = [](auto change) {
    PricePolicy policy = policy_on(kToday);
    change(policy);
    return why_not_admitted(placed_row(), policy);
  };
  EXPECT_EQ(reason([](PricePolicy& p) { p.jurisdictions = {"us"}; }),
            "provider's seat is eu, not us");
  EXPECT_EQ(reason([](PricePolicy& p) { p.jurisdictions = {"us", "eu"}; }), "");
  EXPECT_EQ(reason([](PricePolicy& p) {
              p.locations = {"eu", "ch"};
            }),
            "place of the region is uk, not eu or ch");
  EXPECT_EQ(reason([](PricePolicy& p) { p.tenancies = {"bare-metal"}; }),
            "tenancy is container, not bare-metal");
  EXPECT_EQ(reason([](PricePolicy& p) {
              p.providers = {"aws", "gcp"};
            }),
            "provider is nebius, not aws or gcp");
  EXPECT_EQ(reason([](PricePolicy& p) { p.exclude_providers = {"nebius"}; }),
            "provider left out: nebius");
  EXPECT_EQ(reason([](PricePolicy& p) {
              p.regions = {"eu-west-1", "us-*"};
            }),
            "region is eu-west-2, not eu-west-1 or us-*");
  EXPECT_EQ(reason([](PricePolicy& p) { p.regions = {"us-east-1", "eu-*"}; }), "");
}

TEST(PricePolicy, WhatIsNotStatedPassesNoFilter) {
  const Price row = price_row("nebius", 1, 4'500'000, "2026-10-10");
  PricePolicy policy = policy_on(kToday);
  EXPECT_EQ(why_not_admitted(row, policy), "");
  policy.jurisdictions = {"eu"};
  EXPECT_EQ(why_not_admitted(row, policy), "provider's seat not stated");
  policy.jurisdictions.clear();
  policy.locations = {"eu"};
  EXPECT_EQ(why_not_admitted(row, policy), "place of the region not stated");
  policy.locations.clear();
  policy.tenancies = {"container"};
  EXPECT_EQ(why_not_admitted(row, policy), "tenancy not stated");
}

TEST(PricePolicy, AFilteredRowReplacesNothing) {
  std::vector<Price> rows = {placed_row(), placed_row()};
  rows[1].as_of = "2026-11-01";
  rows[1].tenancy = "bare-metal";
  PricePolicy policy = policy_on(kToday);
  EXPECT_EQ(CurrentPrices(rows, policy).why_not(rows[0]), "history: replaced on 2026-11-01");
  policy.tenancies = {"container"};
  EXPECT_EQ(CurrentPrices(rows, policy).why_not(rows[0]), "");
}

TEST(PricePolicy, ARegionMatchesItsNameOrABeginning) {
  EXPECT_TRUE(region_matches("eu-west-1", "eu-west-1"));
  EXPECT_FALSE(region_matches("eu-west-1", "eu-west"));
  EXPECT_TRUE(region_matches("eu-west-1", "eu-*"));
  EXPECT_FALSE(region_matches("us-east-1", "eu-*"));
  EXPECT_TRUE(region_matches("any", "*"));
}

TEST(PricePolicy, RefusesATierItCannotPrice) {
  PricePolicy policy = policy_on(kToday);
  policy.tier = "on-demand";
  EXPECT_EQ(policy_refusal(policy), "unknown tier \"on-demand\" (did you mean \"on_demand\"?)");
  policy.tier = "free";
  EXPECT_EQ(policy_refusal(policy), "unknown tier \"free\"");
  policy.tier = "reserved_unstated";
  EXPECT_EQ(policy_refusal(policy),
            "tier \"reserved_unstated\": a term that is not stated is never priced");
}

TEST(PricePolicy, NeedsADay) {
  EXPECT_EQ(policy_refusal(policy_on("2026-11")), "as_of: expected YYYY-MM-DD, got \"2026-11\"");
  EXPECT_EQ(policy_refusal(policy_on("")), "as_of: expected YYYY-MM-DD, got \"\"");
}

/// Read off the rule's words, row by row: a newer row of the same offer that counts replaces one.
std::string why_not_by_hand(const Price& price, const std::vector<Price>& all,
                            const PricePolicy& policy) {
  std::string reason = why_not_admitted(price, policy);
  const Price* newest = &price;
  for (const Price& other : all) {
    if (other.offer_key() != price.offer_key() || !why_not_admitted(other, policy).empty()) {
      continue;
    }
    if (other.as_of > newest->as_of) newest = &other;
  }
  if (reason.empty() && newest != &price) reason = "history: replaced on " + newest->as_of;
  if (reason.empty() && price.stock == "none") reason = "out of stock on " + price.as_of;
  return reason;
}

TEST(CurrentPrices, SaysOfRandomTablesWhatTheRuleSaysRowByRow) {
  std::mt19937_64 random(22);
  const auto one_of = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
  PricePolicy policy = policy_on(kToday);
  policy.max_age_days = 20;
  policy.fallback_age_days = 390;
  for (int table = 0; table < 200; ++table) {
    std::map<std::string, Price> by_key;
    for (int i = 0; i < 60; ++i) {
      const std::string day = std::to_string(2025 + one_of(2)) + "-1" + std::to_string(one_of(3)) +
                              "-2" + std::to_string(one_of(4));
      Price price = price_row(std::string(1, static_cast<char>('a' + one_of(3))), 1 + one_of(2),
                              1'000'000 + one_of(9), day);
      if (one_of(4) == 0) price.tier = "spot";
      if (one_of(6) == 0) price.settled = "another row is right";
      if (one_of(6) == 0) price.stock = "none";
      if (one_of(6) == 0) price.offer = "marketplace";
      by_key.emplace(price.key(), price);
    }
    std::vector<Price> rows;
    for (const auto& [key, price] : by_key) rows.push_back(price);
    const CurrentPrices current(rows, policy);
    std::vector<const Price*> count;
    for (const Price& row : rows) {
      const std::string by_hand = why_not_by_hand(row, rows, policy);
      EXPECT_EQ(current.why_not(row), by_hand) << row.key();
      if (by_hand.empty()) count.push_back(&row);
    }
    std::stable_sort(count.begin(), count.end(), [](const Price* a, const Price* b) {
      return std::tuple(b->as_of, a->provider, a->key()) <
             std::tuple(a->as_of, b->provider, b->key());
    });
    std::vector<const Price*> listed;
    for (const CurrentPrice& row : current.of(rows.front().gpu)) {
      listed.push_back(row.price);
      EXPECT_EQ(row.old, row.price->as_of < "2026-10-31") << row.price->key();
    }
    EXPECT_EQ(listed, count);
  }
}

}  // namespace
}  // namespace sizesheet
