// SPDX-License-Identifier: Apache-2.0
// What holds of every plan: on random problems in which every job can be rented.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "cost/plan/plan.h"
#include "cost/plan_problems.h"
#include "support/money.h"

namespace sizesheet {
namespace {

constexpr int kCases = 150;
constexpr MicroUsd kOneCent{10'000};

/// Every such problem and its plan. Limits could forbid what is owned already.
template <typename Check>
void for_random_plans(std::uint64_t seed, const Check& check) {
  RandomPlans random(seed);
  for (int i = 0; i < kCases; ++i) {
    PlanProblem problem = random.next(true);
    problem.limits.kw.reset();
    const CapacityPlan plan = solve(problem, {});
    ASSERT_EQ(plan.status, PlanStatus::kOptimal) << i;
    check(problem, plan);
  }
}

TEST(PlanInvariants, NeverDearerThanTheLeastUnits) {
  for_random_plans(1, [](const PlanProblem& problem, const CapacityPlan& plan) {
    std::vector<std::int64_t> least;
    for (const PlanPool& pool : problem.pools) least.push_back(pool.least_units);
    EXPECT_LE(plan.total(), solve_with_units(problem, least).total() + kOneCent);
  });
}

TEST(PlanInvariants, MoreDemandIsNeverCheaper) {
  for_random_plans(2, [](PlanProblem problem, const CapacityPlan& plan) {
    problem.jobs.back().runs.back() += 1.5;
    EXPECT_GE(solve(problem, {}).total() + kOneCent, plan.total());
  });
}

TEST(PlanInvariants, AFallenRentNeverRaisesTheTotal) {
  for_random_plans(3, [](PlanProblem problem, const CapacityPlan& plan) {
    for (PlanWay& way : problem.ways) {
      if (is_by_the_hour(problem.pools[way.pool].kind)) {
        way.usd_per_run = rounded_usd(0.9 * to_usd(way.usd_per_run));
      }
    }
    EXPECT_LE(solve(problem, {}).total(), plan.total() + kOneCent);
  });
}

TEST(PlanInvariants, RunsFitAndAddUpToTheDemand) {
  for_random_plans(4, [](const PlanProblem& problem, const CapacityPlan& plan) {
    std::map<std::pair<std::size_t, std::int64_t>, double> runs;
    for (const PlanAssignment& one : plan.assignments) {
      const PlanWay& way = problem.ways[one.way];
      const PlanPool& pool = problem.pools[way.pool];
      EXPECT_GT(one.runs, 0);
      EXPECT_GE(one.month, pool.from_month);
      EXPECT_LT(one.month, pool.until_month);
      if (!is_by_the_hour(pool.kind)) {
        EXPECT_LE(way.gpus,
                  std::min(pool.connected_units, plan.units[way.pool]) * pool.gpus_per_unit);
      }
      runs[{way.job, one.month}] += one.runs;
    }
    for (std::size_t job = 0; job < problem.jobs.size(); ++job) {
      for (std::int64_t month = 0; month < problem.months; ++month) {
        const double demand = problem.jobs[job].runs[static_cast<std::size_t>(month)];
        EXPECT_NEAR((runs[{job, month}]), demand, 1e-9);
      }
    }
    for (const PlanPoolMonth& one : plan.pool_months) {
      if (!one.gpu_hours) continue;
      EXPECT_LE(one.used_gpu_hours, *one.gpu_hours * (1 + 1e-6) + 1e-6);
    }
  });
}

TEST(PlanInvariants, MoneyAddsUpExactly) {
  for_random_plans(5, [](const PlanProblem& problem, const CapacityPlan& plan) {
    MicroUsd fixed;
    MicroUsd runs;
    MicroUsd assigned;
    for (const PlanPoolMonth& one : plan.pool_months) {
      EXPECT_EQ(one.fixed_usd, problem.pools[one.pool].usd_per_unit_month * plan.units[one.pool]);
      fixed += one.fixed_usd;
      runs += one.runs_usd;
    }
    for (const PlanAssignment& one : plan.assignments) assigned += one.usd;
    EXPECT_EQ(fixed, plan.fixed_usd);
    EXPECT_EQ(runs, plan.runs_usd);
    EXPECT_EQ(assigned, plan.runs_usd);
  });
}

TEST(PlanInvariants, OneMoreRunCostsItsMarginalCost) {
  constexpr double kLittle = 1e-4;
  for_random_plans(6, [](PlanProblem problem, const CapacityPlan& plan) {
    problem.jobs[0].runs[0] += kLittle;
    const double more = to_usd(solve_with_units(problem, plan.units).total() - plan.total());
    ASSERT_TRUE(plan.marginal_usd_per_run[0][0]);
    const double marginal = to_usd(*plan.marginal_usd_per_run[0][0]);
    EXPECT_NEAR(more / kLittle, marginal, 0.1 + 1e-5 * marginal);
  });
}

TEST(PlanInvariants, TheSamePlanTwiceAndNothingIsPrinted) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  for_random_plans(7, [](const PlanProblem& problem, const CapacityPlan& plan) {
    const CapacityPlan again = solve(problem, {});
    EXPECT_EQ(again.units, plan.units);
    EXPECT_EQ(again.total(), plan.total());
    ASSERT_EQ(again.assignments.size(), plan.assignments.size());
    for (std::size_t i = 0; i < plan.assignments.size(); ++i) {
      EXPECT_EQ(again.assignments[i].way, plan.assignments[i].way);
      EXPECT_EQ(again.assignments[i].runs, plan.assignments[i].runs);
    }
  });
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

/// Months of different demand for many jobs, so that a search has something to do.
TEST(PlanInvariants, WithoutTimeThereIsAPlanWithAnHonestGap) {
  RandomPlans random(8);
  PlanProblem problem = random.next(true);
  problem.limits = {};
  problem.months = 6;
  for (PlanPool& pool : problem.pools) pool.most_units.reset();
  const std::vector<PlanWay> ways = problem.ways;
  const std::vector<PlanJob> jobs = problem.jobs;
  problem.ways.clear();
  problem.jobs.clear();
  for (std::size_t copy = 0; copy < 100; ++copy) {
    for (PlanWay way : ways) {
      way.job += copy * jobs.size();
      way.hours *= 0.8 + 0.01 * static_cast<double>(random.below(40));
      problem.ways.push_back(way);
    }
    for (PlanJob job : jobs) {
      job.runs.clear();
      for (int month = 0; month < 6; ++month) {
        job.runs.push_back(static_cast<double>(1 + random.below(9)));
      }
      problem.jobs.push_back(job);
    }
  }
  const CapacityPlan hasty = solve(problem, {0.01});
  const CapacityPlan plan = solve(problem, {30});
  ASSERT_TRUE(hasty.found());
  ASSERT_EQ(plan.status, PlanStatus::kOptimal);
  EXPECT_LE(plan.total(), hasty.total());
  EXPECT_GE(plan.total() + kOneCent, hasty.total() - hasty.gap_usd);
}

}  // namespace
}  // namespace sizesheet
