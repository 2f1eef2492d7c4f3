// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "cost/plan/plan.h"
#include "cost/plan_problems.h"
#include "support/error.h"

namespace sizesheet {
namespace {

PlanStudyQuestion question_of(const std::vector<double>& runs) {
  PlanStudyQuestion question;
  question.problem = one_job_problem(runs);
  return question;
}

TEST(PlanStudy, TheSameMonthOtherwise) {
  PlanStudyQuestion question = question_of({25});
  question.problem.pools[0].least_units = 1;
  const PlanStudy found = study(question);
  EXPECT_EQ(found.plan.total(), whole_usd(10'000 + 1'000 + 6'250));
  EXPECT_EQ(found.all_rented.total(), whole_usd(10'000 + 31'250)) << "the machine stands idle";
  EXPECT_EQ(found.all_owned.total(), whole_usd(20'000 + 1'250));
  EXPECT_EQ(found.nothing_new.total(), found.plan.total());
}

TEST(PlanStudy, AllOwnedCanBeImpossible) {
  PlanStudyQuestion question = question_of({25});
  question.problem.limits.budget = whole_usd(300'000);
  const PlanStudy found = study(question);
  EXPECT_EQ(found.all_owned.status, PlanStatus::kInfeasible);
  EXPECT_EQ(found.all_owned.obstacle->barrier, PlanBarrier::kBudget);
  EXPECT_EQ(found.all_rented.total(), whole_usd(31'250));
}

TEST(PlanStudy, HalfAndTwiceTheDemandAndOtherRents) {
  const PlanStudy found = study(question_of({10}));
  ASSERT_EQ(found.variations.size(), 4U);
  const auto expect = [&](std::size_t i, double demand, double rents, std::int64_t units,
                          std::int64_t usd) {
    EXPECT_EQ(found.variations[i].demand, demand);
    EXPECT_EQ(found.variations[i].rents, rents);
    EXPECT_EQ(found.variations[i].plan.units[0], units) << i;
    EXPECT_EQ(found.variations[i].plan.total(), whole_usd(usd)) << i;
  };
  expect(0, 0.5, 1, 0, 6'250);
  expect(1, 2, 1, 1, 11'000);
  expect(2, 1, 0.8, 0, 10'000);
  expect(3, 1, 1.2, 1, 10'500);
}

// One machine pays from rents of $1,050 a run and from 8 1/3 runs; the second one from 28 1/3.
TEST(PlanStudy, TheFirstDecisionToFlip) {
  const PlanStudy found = study(question_of({10}));
  ASSERT_EQ(found.flips.size(), 3U);
  const auto expect = [&](std::size_t i, double rents, double demand, std::int64_t to) {
    const PlanVariation& flip = found.flips[i];
    EXPECT_NEAR(flip.rents, rents, rents == 1 ? 0 : 0.005 * rents);
    EXPECT_NEAR(flip.demand, demand, demand == 1 ? 0 : 0.005 * demand);
    ASSERT_EQ(flip.plan.units.size(), found.plan.units.size());
    EXPECT_EQ(found.plan.units[0], 1);
    EXPECT_EQ(flip.plan.units[0], to);
    for (std::size_t pool = 1; pool < flip.plan.units.size(); ++pool) {
      EXPECT_EQ(flip.plan.units[pool], found.plan.units[pool]);
    }
  };
  expect(0, 0.84, 1, 0);
  expect(1, 1, 2.8333, 2);
  expect(2, 1, 0.8333, 0);
}

TEST(PlanStudy, ReservationsFollowTheRentsButContractsDoNot) {
  PlanStudyQuestion question = question_of({10});
  question.problem.pools[0].kind = PoolKind::kReserved;
  EXPECT_EQ(study(question).variations[2].plan.total(), whole_usd(8'500));
  question.problem.pools[0].least_units = 1;
  question.problem.pools[0].most_units = 1;
  EXPECT_EQ(study(question).variations[2].plan.total(), whole_usd(10'500));
}

TEST(PlanStudy, WhatALimitCosts) {
  PlanStudyQuestion question = question_of({10});
  question.problem.limits.budget = whole_usd(280'000);
  question.problem.limits.kw = 50;
  const PlanStudy found = study(question);
  ASSERT_EQ(found.limits.size(), 2U);
  EXPECT_TRUE(found.limits[0].limit == PlanLimit::kBudget);
  EXPECT_EQ(found.limits[0].wider_usd, whole_usd(2'000)) << "308,000 buy a machine";
  EXPECT_EQ(found.limits[0].without_usd, whole_usd(2'000));
  EXPECT_FALSE(found.limits[1].limit == PlanLimit::kBudget);
  EXPECT_EQ(found.limits[1].wider_usd, MicroUsd{});
  EXPECT_EQ(found.limits[1].without_usd, MicroUsd{});
}

TEST(PlanStudy, RegretOfAPlanUnderOtherDemand) {
  PlanStudyQuestion question = question_of({10});
  question.demands = {{"low", {{5}}}, {"expected", {{10}}}, {"high", {{30}}}};
  const PlanStudy found = study(question);
  ASSERT_EQ(found.regrets.size(), 3U);
  const auto expect = [&](std::size_t i, std::vector<std::int64_t> usd) {
    for (std::size_t other = 0; other < usd.size(); ++other) {
      EXPECT_EQ(found.regrets[i].usd[other], whole_usd(usd[other])) << i << other;
    }
  };
  // Rented: 6,250, 12,500 and 37,500; one machine: 10,250, 10,500 and 23,500; two: 20,250, 20,500
  // and 21,500.
  expect(0, {0, 2'000, 16'000});
  expect(1, {4'000, 0, 2'000});
  expect(2, {14'000, 10'000, 0});

  question.problem.ways.pop_back();
  EXPECT_FALSE(study(question).regrets[0].usd[2]) << "one machine holds no thirty runs";
}

TEST(PlanStudy, TheUpperEndsOfTheRanges) {
  PlanStudyQuestion question = question_of({10});
  question.upper_ways = question.problem.ways;
  question.upper_ways[0].hours *= 4;
  question.upper_ways[1].usd_per_run = whole_usd(2'000);
  const PlanStudy found = study(question);
  ASSERT_TRUE(found.upper);
  EXPECT_EQ(found.upper->total(), whole_usd(10'000 + 5 * 50 + 5 * 2'000));
  EXPECT_FALSE(study(question_of({10})).upper);
}

TEST(PlanStudy, WithoutAPlanThereIsNothingElse) {
  PlanStudyQuestion question = question_of({10});
  question.problem.ways.clear();
  const PlanStudy found = study(question);
  EXPECT_EQ(found.plan.obstacle->barrier, PlanBarrier::kNoWay);
  EXPECT_TRUE(found.variations.empty());
  EXPECT_TRUE(found.flips.empty());

  question = question_of({10});
  question.demands = {{"low", {}}};
  EXPECT_THROW(study(question), InputError);
}

// 10 runs by the hour cost $12,500; late ones of $900 save $3,500, and those that are only a tenth
// late, of $1,000, save $2,500.
TEST(PlanStudy, WhatADeadlineCosts) {
  PlanStudyQuestion question = question_of({10});
  question.problem.limits.budget = whole_usd(0);
  PlanWay late = question.problem.ways[1];
  late.usd_per_run = whole_usd(1'000);
  question.late_ways.push_back({late, 1.05});
  late.usd_per_run = whole_usd(900);
  question.late_ways.push_back({late, 2});
  const PlanStudy found = study(question);
  ASSERT_EQ(found.limits.size(), 2U);
  EXPECT_EQ(found.limits[1].limit, PlanLimit::kDeadline);
  EXPECT_EQ(found.limits[1].job, 0U);
  EXPECT_EQ(found.limits[1].wider_usd, whole_usd(2'500));
  EXPECT_EQ(found.limits[1].without_usd, whole_usd(3'500));
}

TEST(PlanStudy, ADeadlineThatBarsNothingCheaperIsNoLimit) {
  PlanStudyQuestion question = question_of({10});
  PlanWay late = question.problem.ways[1];
  late.usd_per_run = whole_usd(5'000);
  question.late_ways.push_back({late, 2});
  EXPECT_TRUE(study(question).limits.empty());
}

}  // namespace
}  // namespace sizesheet
