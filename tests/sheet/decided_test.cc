// SPDX-License-Identifier: Apache-2.0
// Which word a stated demand gives a job, and that no other sheet has one.
#include "sheet/assemble/decided.h"

#include <gtest/gtest.h>

#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/plan.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "support/money.h"

namespace sizesheet {
namespace {

constexpr MicroUsd dollars(std::int64_t usd) { return {usd * 1'000'000}; }

PlanKindLine kind_of_runs(const char* model, double there, double by_hour) {
  PlanKindLine kind;
  kind.model = model;
  kind.method = "lora-r16";
  kind.places = {{"box", "A box", 1, there, 0, {}}, {"hour", "By the hour", 1, by_hour, 0, {}}};
  kind.runs = there + by_hour;
  return kind;
}

/// $1,000 in all; the alternatives cost as much more as a test says.
SheetPlan plan_where(std::int64_t all_rented, std::int64_t all_owned) {
  SheetPlan plan;
  PlanPoolLine box;
  box.id = "box";
  box.kind = "bought";
  box.units = 1;
  PlanPoolLine hour;
  hour.id = "hour";
  hour.kind = "on-demand";
  plan.pools = {box, hour};
  plan.totals.usd = dollars(1000);
  plan.all_rented.usd = dollars(all_rented);
  plan.all_owned.usd = dollars(all_owned);
  plan.kinds = {kind_of_runs("there", 10, 0), kind_of_runs("mostly", 6, 4),
                kind_of_runs("seldom", 4, 6), kind_of_runs("hour", 0, 10)};
  return plan;
}

std::optional<RentOrOwn> word_for(const SheetPlan& plan, const char* model) {
  return decided_by(plan, model, "lora-r16");
}

TEST(Decided, PoolsThatArePaidForAreToBuyAndHoursAreToRent) {
  const SheetPlan far = plan_where(2000, 2000);
  EXPECT_EQ(word_for(far, "there"), RentOrOwn::kBuy);
  EXPECT_EQ(word_for(far, "mostly"), RentOrOwn::kBuy);
  EXPECT_EQ(word_for(far, "seldom"), RentOrOwn::kRent);
  EXPECT_EQ(word_for(far, "hour"), RentOrOwn::kRent);
}

TEST(Decided, AReservationIsToBuyAsWell) {
  SheetPlan reserved = plan_where(2000, 2000);
  reserved.pools.front().kind = "reserved";
  EXPECT_EQ(word_for(reserved, "there"), RentOrOwn::kBuy);
}

TEST(Decided, WithinATenthOfTheOtherWayIsClose) {
  const SheetPlan near_rent = plan_where(1111, 2000);
  EXPECT_EQ(word_for(near_rent, "there"), RentOrOwn::kClose);
  EXPECT_EQ(word_for(near_rent, "hour"), RentOrOwn::kRent);
  const SheetPlan near_own = plan_where(2000, 1111);
  EXPECT_EQ(word_for(near_own, "there"), RentOrOwn::kBuy);
  EXPECT_EQ(word_for(near_own, "hour"), RentOrOwn::kClose);
  EXPECT_EQ(word_for(plan_where(1112, 1112), "there"), RentOrOwn::kBuy);
}

TEST(Decided, WhatCannotBeRentedIsNotClose) {
  SheetPlan only = plan_where(2000, 2000);
  only.all_rented.usd.reset();
  EXPECT_EQ(word_for(only, "there"), RentOrOwn::kBuy);
}

TEST(Decided, AJobThatThePlanDoesNotHaveHasNoWord) {
  EXPECT_FALSE(word_for(plan_where(2000, 2000), "another"));
  EXPECT_FALSE(decided_by(plan_where(2000, 2000), "there", "full"));
}

TEST(Decided, TheQuarterlySheetStatesNoDemand) {
  for (const Pick& pick : quarterly_sheet().picks) {
    EXPECT_FALSE(pick.own && pick.own->decision) << pick.key();
  }
  EXPECT_FALSE(has_decision(quarterly_sheet()));
}

/// The sheet with a plan of two of its jobs, one of which a machine is bought for.
Sheet sheet_with_plan(bool example) {
  Sheet sheet = quarterly_sheet();
  sheet.plan = plan_where(2000, 2000);
  sheet.plan->demand.example = example;
  sheet.plan->kinds.resize(2);
  sheet.plan->kinds[1].places[0].runs = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    sheet.plan->kinds[i].model = sheet.picks[i].model;
    sheet.plan->kinds[i].method = sheet.picks[i].method;
  }
  decide_by_plan(sheet);
  return sheet;
}

TEST(Decided, TheWordIsThatOfThePlanAndOfItsJobsAlone) {
  const Sheet sheet = sheet_with_plan(false);
  ASSERT_TRUE(sheet.picks[0].own && sheet.picks[1].own);
  EXPECT_EQ(sheet.picks[0].own->word(), "buy");
  EXPECT_EQ(sheet.picks[1].own->word(), "rent");
  for (std::size_t i = 2; i < sheet.picks.size(); ++i) {
    EXPECT_FALSE(sheet.picks[i].own && sheet.picks[i].own->decision) << i;
  }
  for (const Row& row : sheet.rows) {
    if (!row.owned || !sheet.is_main(row)) continue;
    EXPECT_EQ(row.owned->word(), sheet.pick(row.model, row.method)->own->word()) << row.key();
  }
  EXPECT_TRUE(has_decision(sheet));
}

TEST(Decided, AnExampleDecidesNothing) { EXPECT_FALSE(has_decision(sheet_with_plan(true))); }

TEST(Decided, AUseThatIsAskedForDecidesEveryJob) {
  Sheet sheet = quarterly_sheet();
  decide_by_use(sheet);
  for (const Pick& pick : sheet.picks) {
    if (!pick.own || !pick.own->rent_usd_per_run) continue;
    const OwnPick& own = *pick.own;
    const double ratio = to_usd(own.usd_per_run) / to_usd(*own.rent_usd_per_run);
    const char* expected = ratio > 1 / 0.9 ? "rent" : ratio < 0.9 ? "buy" : "close";
    EXPECT_EQ(own.word(), expected) << pick.key() << ' ' << ratio;
  }
}

}  // namespace
}  // namespace sizesheet
