// SPDX-License-Identifier: Apache-2.0
// A lower price never raises what is minimised: the plan's total, and the dollars that a pick is
// ranked by; over random prices, of which one or those of a card come down at a time.
#include <gtest/gtest.h>

#include <random>

#include "catalog/catalog.h"
#include "catalog/prices/price.h"
#include "sheet/decision.h"
#include "sheet/plan.h"
#include "sheet/plan/build_plan.h"
#include "sheet/plan/plan_task.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sizing/time/throughput.h"
#include "support/due.h"
#include "support/json.h"
#include "support/money.h"
#include "support/named.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

constexpr int kTrials = 240;
constexpr int kScoreTrials = 1000;
constexpr const char* kOldest = "2026-01";  ///< an older price rarely wins anything
constexpr MicroUsd kSolver{20'000};         ///< a plan is proven to a cent

/// Two cards, one kind of run, two months, with spot and reservations.
SheetSpec planned_spec(const char* rank, double tie_share) {
  Json json = quarterly_of({"llama-3.1-8b"}, {"qlora-r16"}, {"h100-sxm", "a100-80-sxm"});
  json["plan"] = {
      {"months", 2},
      {"spot", true},
      {"runs", {{{"model", "llama-3.1-8b"}, {"method", "qlora-r16"}, {"runs_per_month", 150}}}}};
  json["picks"] = {{"rank", rank}, {"tie_share", tie_share}};
  if (rank == std::string("score")) json["picks"]["risk_weight"] = 0.25;
  return spec_of(json);
}

/// Prices of the catalog that the spec's cards have, each by a factor of its own.
class Market {
 public:
  Market(const SheetSpec& spec, unsigned seed) : random_(seed) {
    std::erase_if(catalog_.prices, [&](const Price& price) {
      const bool other = std::ranges::find(spec.gpus, price.gpu) == spec.gpus.end();
      return other || !price.settled.empty() || price.as_of < kOldest;
    });
    shuffle();
  }

  void shuffle() {
    for (Price& price : catalog_.prices) scale(price, std::uniform_real_distribution(0.5, 2.0));
  }

  /// One price, or every price of a card in a tier: of those the plan takes some.
  void lower() {
    std::uniform_int_distribution<std::size_t> which(0, catalog_.prices.size() - 1);
    const std::size_t one = which(random_);
    const bool alone = random_() % 2 == 0;
    for (std::size_t i = 0; i < catalog_.prices.size(); ++i) {
      Price& price = catalog_.prices[i];
      const bool alike =
          price.gpu == catalog_.prices[one].gpu && price.tier == catalog_.prices[one].tier;
      if (alone ? i == one : alike) scale(price, std::uniform_real_distribution(0.5, 0.999));
    }
  }

  const Catalog& catalog() const { return catalog_; }

 private:
  void scale(Price& price, std::uniform_real_distribution<double> factor) {
    price.usd_per_instance_hour =
        rounded_usd(to_usd(price.usd_per_instance_hour) * factor(random_));
  }

  Catalog catalog_ = project_catalog();
  std::mt19937 random_;
};

struct Minimised {
  MicroUsd plan;
  MicroUsd least;  ///< what a candidate of the pick's is ranked by, at the least
  MicroUsd won;    ///< what the pick is ranked by
};

/// The score of the one pick.
MicroUsd score_of(const Catalog& catalog, const SheetSpec& spec) {
  for (const Row& row : sized_alone(catalog, spec).rows) {
    if (row.rent_pick) return ranked_usd(*row.set_up(), spec.pick_rules);
  }
  throw std::logic_error("nothing is picked");
}

Minimised minimised(const Catalog& catalog, const SheetSpec& spec) {
  const std::optional<SheetPlan> plan = bare_plan_of(catalog, spec, 1);
  EXPECT_EQ(plan->totals.status, "optimal");
  SheetSpec rows = spec;
  rows.plan.reset();
  const Sheet sheet = sized_alone(catalog, rows);
  Minimised found{plan->totals.usd, {}, {}};
  std::vector<const RunCandidate*> all;
  for (const Row& row : sheet.rows) {
    for (const RunCandidate& one : row.candidates) all.push_back(&one);
    if (row.rent_pick) found.won = ranked_usd(*row.set_up(), spec.pick_rules);
  }
  found.least =
      ranked_usd(*least_ranked(all, spec.pick_rules, spec.deadline_hours), spec.pick_rules);
  return found;
}

void expect_never_raised(const char* rank, double tie_share, unsigned seed, int trials) {
  const SheetSpec spec = planned_spec(rank, tie_share);
  Market market(spec, seed);
  Minimised before = minimised(market.catalog(), spec);
  std::size_t fell = 0;
  for (int trial = 0; trial < trials; ++trial) {
    if (trial % 30 == 29) {
      market.shuffle();
      before = minimised(market.catalog(), spec);
    }
    market.lower();
    const Minimised after = minimised(market.catalog(), spec);
    EXPECT_LE(after.plan, before.plan + kSolver) << trial;
    EXPECT_LE(after.least, before.least) << trial;
    if (tie_share == 0) {
      EXPECT_LE(after.won, before.won) << trial;
    }
    EXPECT_LE(to_usd(after.won), to_usd(after.least) * (1 + tie_share) + 1e-5) << trial;
    fell += after.plan < before.plan ? 1 : 0;
    before = after;
  }
  EXPECT_GT(fell, static_cast<std::size_t>(trials) / 30)
      << "the plan takes too few of the lowered prices";
}

/// A thousand changes of prices; the plan adds up what is expected, whatever the score.
TEST(LowerPrices, NeverRaiseTheScoreThatWins) {
  SheetSpec spec = planned_spec("score", 0);
  spec.plan.reset();
  Market market(spec, 4);
  MicroUsd before = score_of(market.catalog(), spec);
  std::size_t fell = 0;
  const int all = trials_of(kScoreTrials);
  for (int trial = 0; trial < all; ++trial) {
    if (trial % 30 == 29) {
      market.shuffle();
      before = score_of(market.catalog(), spec);
    }
    market.lower();
    const MicroUsd after = score_of(market.catalog(), spec);
    ASSERT_LE(after, before) << trial;
    fell += after < before ? 1 : 0;
    before = after;
  }
  EXPECT_GT(fell, static_cast<std::size_t>(all) / 30);
}

TEST(LowerPrices, NeverRaiseThePlanNorTheWinnersScore) {
  expect_never_raised("usd_high", 0, 1, kTrials / 2);
}

TEST(LowerPrices, NeverRaiseWhatIsMinimisedWhereAFasterTieWins) {
  expect_never_raised("usd_high", 0.05, 2, kTrials / 4);
}

TEST(LowerPrices, NeverRaiseItByTheMiddleEither) {
  expect_never_raised("usd_mid", 0, 3, kTrials / 4);
}

/// The offer that is cheaper a GPU is of another size: a plan that needs eight joined GPUs keeps
/// the one that has them.
TEST(LowerPrices, OfASmallReservationLeaveTheLargeOneInThePlan) {
  const SheetSpec spec = planned_spec("usd_high", 0);
  Catalog catalog = project_catalog();
  std::erase_if(catalog.prices, [](const Price& price) {
    const bool is_term = price.gpu == "h100-sxm" && price.tier.starts_with("reserved");
    return !is_term || price.provider != "civo";
  });
  ASSERT_FALSE(catalog.prices.empty());
  Price small = catalog.prices.front();
  small.gpus = 1;
  small.instance = "1x";
  small.minimum_gpus.reset();
  small.usd_per_instance_hour = MicroUsd{10'000};
  Price large = small;
  large.gpus = 8;
  large.instance = "8x";
  large.interconnect = "infiniband";
  large.usd_per_instance_hour = MicroUsd{16'000'000};
  catalog.prices = {small, large};
  std::vector<std::string> ids;
  for (const PlanPoolLine& pool : plan_task(catalog, spec, 1).pools) {
    if (pool.kind == "reserved") ids.push_back(pool.id);
  }
  EXPECT_EQ(ids, (std::vector<std::string>{small.tier + "/h100-sxm/1",
                                           small.tier + "/h100-sxm/8/joined"}));
}

TEST(LowerPrices, APlanAddsUpTheUpperEndsOnlyWhereTheyAreTheRank) {
  const UsdRange usd{MicroUsd{1}, MicroUsd{2}, MicroUsd{4}};
  const Hours hours{1, 2, 4};
  PickRules rules;
  EXPECT_EQ(ranked_hours(hours, rules), 2.5);
  EXPECT_EQ(planned_usd(usd, rules), usd.mid);
  EXPECT_EQ(planned_hours(hours, rules), 2);
  EXPECT_EQ(ranked_words(rules), "score");
  rules.rank = "usd_high";
  EXPECT_EQ(ranked_usd(usd, rules), usd.high);
  EXPECT_EQ(planned_usd(usd, rules), usd.high);
  EXPECT_EQ(planned_hours(hours, rules), 4);
  EXPECT_EQ(ranked_words(rules), "upper end of dollars");
  rules.rank = "usd_mid";
  EXPECT_EQ(ranked_usd(usd, rules), usd.mid);
  EXPECT_EQ(ranked_hours(hours, rules), 2);
  EXPECT_EQ(planned_usd(usd, rules), usd.mid);
  for (const char* rank : {"usd_high", "usd_mid"}) {
    const SheetSpec spec = planned_spec(rank, 0.05);
    const SheetPlan plan = *plan_of(project_catalog(), spec, 1);
    EXPECT_EQ(plan.totals.ranked_by, rank);
    EXPECT_EQ(plan.totals.usd,
              rank == std::string("usd_high") ? plan.totals.usd_high : plan.totals.usd_mid);
    EXPECT_LE(*plan.totals.usd_mid, *plan.totals.usd_high);
  }
}

}  // namespace
}  // namespace sizesheet
