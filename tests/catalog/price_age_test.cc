// SPDX-License-Identifier: Apache-2.0
// How prices age: kinds, widths between measured days, cards whose price rises.
#include "catalog/prices/price_age.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "catalog/prices/price.h"
#include "catalog/prices/provider.h"
#include "support/error.h"
#include "support/json.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

AgeKind kind_with(std::vector<AgeWidth> widths) {
  AgeKind kind;
  kind.widths = std::move(widths);
  return kind;
}

TEST(AgeKind, WidthsLieOnStraightLinesBetweenTheDays) {
  const AgeKind kind = kind_with({{0, 0}, {15, 0}, {30, 0.3}});
  EXPECT_DOUBLE_EQ(kind.ln_width(0), 0);
  EXPECT_DOUBLE_EQ(kind.ln_width(15), 0);
  EXPECT_DOUBLE_EQ(kind.ln_width(20), 0.1);
  EXPECT_DOUBLE_EQ(kind.ln_width(30), 0.3);
}

TEST(AgeKind, WidthsGrowWithTheRootOfTheDaysBeyondTheLast) {
  const AgeKind kind = kind_with({{0, 0}, {25, 0.2}});
  EXPECT_DOUBLE_EQ(kind.ln_width(100), 0.4);
  EXPECT_DOUBLE_EQ(kind.ln_width(25 * 10'000), kMostLnOfAge);
  EXPECT_DOUBLE_EQ(kind_with({}).ln_width(100), 0);
  EXPECT_DOUBLE_EQ(kind_with({{0, 0}}).ln_width(100), 0);
}

TEST(AgeKind, NoKindOfTheCatalogStepsOrNarrows) {
  for (const AgeKind& kind : project_catalog().price_age.kinds) {
    double most = 0;
    for (std::size_t i = 1; i < kind.widths.size(); ++i) {
      const double days = static_cast<double>(kind.widths[i].days - kind.widths[i - 1].days);
      most = std::max(most, (kind.widths[i].ln - kind.widths[i - 1].ln) / days);
    }
    for (std::int64_t days = 0; days < 500; ++days) {
      const double more = kind.ln_width(days + 1) - kind.ln_width(days);
      EXPECT_GE(more, 0) << kind.id << " " << days;
      EXPECT_LE(more, most + 1e-12) << kind.id << " " << days;
    }
  }
}

TEST(PriceAge, TheCatalogHasTheMeasuredFactors) {
  const AgeKind* list =
      entry_with(project_catalog().price_age.kinds, &AgeKind::id, std::string("list-specialised"));
  ASSERT_NE(list, nullptr);
  EXPECT_DOUBLE_EQ(list->drift_per_day, 0.0009);
  EXPECT_NEAR(std::exp(list->ln_width(30)), 1.10, 0.005);
  EXPECT_NEAR(std::exp(list->ln_width(90)), 1.30, 0.005);
  EXPECT_NEAR(std::exp(list->ln_width(180)), 1.50, 0.005);
}

PriceHistory history_of(const std::vector<std::pair<std::string, std::int64_t>>& points) {
  PriceHistory history;
  history.gpu = "h100-sxm";
  for (const auto& [date, micro_usd] : points) history.points.push_back({date, {micro_usd}, 3});
  return history;
}

TEST(Rises, TheLastPointIsHeldAgainstTheOneSomeMonthsBefore) {
  const RiseRule rule{3, 0.02};
  EXPECT_TRUE(rises(history_of({{"2026-06", 100}, {"2026-08", 200}, {"2026-09", 103}}), rule));
  EXPECT_FALSE(rises(history_of({{"2026-06", 100}, {"2026-08", 50}, {"2026-09", 101}}), rule));
  EXPECT_TRUE(rises(history_of({{"2025-11", 100}, {"2026-02", 103}}), rule)) << "over a new year";
  EXPECT_TRUE(rises(history_of({{"2026-04", 100}, {"2026-09", 110}}), rule)) << "the one before";
  EXPECT_FALSE(rises(history_of({{"2026-07", 100}, {"2026-09", 200}}), rule)) << "none so early";
  EXPECT_FALSE(rises(history_of({}), rule));
}

TEST(Rises, TheCardsOfTheCatalog) {
  EXPECT_EQ(project_catalog().price_age.rising,
            (std::set<std::string>{"a100-80-sxm", "h100-sxm", "h200-sxm"}));
}

TEST(PriceAge, AKindGoesByTierOfferAndSeller) {
  std::map<std::string, std::string> kinds;  // by provider, tier and offer
  for (const Price& price : project_catalog().prices) {
    kinds[price.provider + " " + price.tier + " " + price.offer] = price.age_kind;
  }
  EXPECT_EQ(kinds.at("aws on_demand list"), "list-hyperscaler");
  EXPECT_EQ(kinds.at("oracle on_demand list"), "list-hyperscaler");
  EXPECT_EQ(kinds.at("lambda on_demand list"), "list-specialised");
  EXPECT_EQ(kinds.at("runpod on_demand list"), "list-specialised");
  EXPECT_EQ(kinds.at("vast.ai on_demand marketplace"), "list-marketplace");
  EXPECT_EQ(kinds.at("aws capacity_block list"), "") << "nobody measured those";
}

TEST(PriceAge, HyperscalersAreNamedByTheCatalog) {
  std::set<std::string> large;
  for (const Provider& provider : project_catalog().providers) {
    if (provider.kind == "hyperscaler") large.insert(provider.id);
  }
  EXPECT_EQ(large, (std::set<std::string>{"aws", "azure", "gcp", "oracle"}));
}

TEST(PriceAge, ASellerThatNobodyKnowsIsSpecialised) {
  PriceAge age;
  for (const std::string& seller : kSellerKinds) {
    AgeKind& kind = age.kinds.emplace_back();
    kind.id = "spot-" + seller;
    kind.tiers = {"spot"};
    kind.offers = {"list"};
    kind.sellers = seller;
  }
  std::vector<Price> prices(1);
  prices[0].provider = "acme";
  prices[0].tier = "spot";
  prices[0].offer = "list";
  mark_ages(age, {}, prices);
  EXPECT_EQ(prices[0].age_kind, "spot-specialised");
  prices[0].tier = "on_demand";
  mark_ages(age, {}, prices);
  EXPECT_EQ(prices[0].age_kind, "");
}

}  // namespace
}  // namespace sizesheet
