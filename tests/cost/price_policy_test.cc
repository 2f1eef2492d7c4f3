// SPDX-License-Identifier: Apache-2.0
// Which rows of a price table count, against the rule read off its words.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

#include "catalog/prices/price.h"
#include "cost/rent.h"
#include "cost/sample_terms.h"

namespace sizesheet {
namespace {

const char* const kToday = "2026-11-20";

/// Read off the rule's words, row by row: a newer row of the same offer that is admitted replaces
/// one, on sale or not.
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
  if (reason.empty() && newest != &price) reason = "replaced by a price of " + newest->as_of;
  if (reason.empty() && price.stock == "none") reason = "out of stock on " + price.as_of;
  if (reason.empty() && price.sale) reason = "sold by reservation only";
  if (reason.empty() && price.stock == "low") reason = "stock was low on " + price.as_of;
  const bool over = price.valid_until && *price.valid_until < kToday;
  if (reason.empty() && over) reason = "valid until " + *price.valid_until;
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
      if (one_of(6) == 0) price.stock = one_of(2) == 0 ? "low" : "some";
      if (one_of(6) == 0) price.offer = "marketplace";
      if (one_of(6) == 0) price.sale = "by reservation";
      if (one_of(6) == 0) price.valid_until = "2026-11-" + std::to_string(19 + one_of(2));
      if (one_of(6) == 0) price.valid_from = "2026-11-2" + std::to_string(one_of(2));
      if (one_of(6) == 0) price.second_reading = true;
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
