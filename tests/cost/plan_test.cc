// SPDX-License-Identifier: Apache-2.0
#include "cost/plan/plan.h"

#include <gtest/gtest.h>

#include "cost/plan_problems.h"
#include "support/error.h"

namespace sizesheet {
namespace {

TEST(Plan, BuysWhereAMonthOfRunsPaysTheMachine) {
  const CapacityPlan plan = solve(one_job_problem({10}), {});
  ASSERT_EQ(plan.status, PlanStatus::kOptimal);
  EXPECT_EQ(plan.units, (std::vector<std::int64_t>{1, 0}));
  EXPECT_EQ(plan.fixed_usd, whole_usd(10'000));
  EXPECT_EQ(plan.runs_usd, whole_usd(500));
  ASSERT_EQ(plan.assignments.size(), 1U);
  EXPECT_EQ(plan.assignments[0].runs, 10);
  ASSERT_EQ(plan.pool_months.size(), 2U);
  EXPECT_DOUBLE_EQ(plan.pool_months[0].used_gpu_hours, 2920);
  EXPECT_DOUBLE_EQ(*plan.pool_months[0].gpu_hours, 5840);
  EXPECT_FALSE(plan.pool_months[1].gpu_hours);
  EXPECT_EQ(plan.pool_months[0].usd_per_gpu_hour, MicroUsd{});
  EXPECT_EQ(plan.marginal_usd_per_run[0][0], whole_usd(50));
}

TEST(Plan, RentsWhatDoesNotFitAndSaysWhatAnHourIsWorth) {
  const CapacityPlan plan = solve(one_job_problem({25, 5}), {});
  EXPECT_EQ(plan.units[0], 1);
  EXPECT_EQ(plan.fixed_usd, whole_usd(20'000));
  EXPECT_EQ(plan.runs_usd, whole_usd(25 * 50 + 5 * 1'250));
  EXPECT_EQ(plan.marginal_usd_per_run[0][0], whole_usd(1'250));
  EXPECT_EQ(plan.marginal_usd_per_run[0][1], whole_usd(50));
  EXPECT_EQ(plan.pool_months[0].usd_per_gpu_hour, rounded_usd(1'200.0 / 292));
}

TEST(Plan, GivenUnitsAreHeldWhateverTheyCost) {
  const PlanProblem problem = one_job_problem({10});
  EXPECT_EQ(solve_with_units(problem, {0, 0}).total(), whole_usd(12'500));
  EXPECT_EQ(solve_with_units(problem, {3, 0}).total(), whole_usd(30'500));
  EXPECT_EQ(solve_with_units(problem, {3, 0}).units[0], 3);
}

TEST(Plan, ARunOverTwoMachinesNeedsBoth) {
  PlanProblem problem = one_job_problem({10});
  problem.ways[0].gpus = 16;
  problem.ways[0].hours = 9;
  EXPECT_EQ(solve(problem, {}).units[0], 0) << "no run may span two";
  problem.pools[0].connected_units = 2;
  EXPECT_EQ(solve(problem, {}).units[0], 0) << "two machines cost more than ten rented runs";
  problem.ways[1].usd_per_run = whole_usd(2'100);
  const CapacityPlan plan = solve(problem, {});
  EXPECT_EQ(plan.units[0], 2);
  EXPECT_EQ(plan.total(), whole_usd(20'500));
}

TEST(Plan, OnlyMonthsOfTheWindowCountAndServe) {
  PlanProblem problem = one_job_problem({10, 10, 10});
  problem.pools[0].from_month = 1;
  problem.pools[0].until_month = 2;
  const CapacityPlan plan = solve(problem, {});
  EXPECT_EQ(plan.units[0], 1);
  EXPECT_EQ(plan.fixed_usd, whole_usd(10'000));
  EXPECT_EQ(plan.runs_usd, whole_usd(12'500 + 500 + 12'500));
}

TEST(Plan, NothingToRunCostsWhatIsThere) {
  PlanProblem problem = one_job_problem({0, 0});
  EXPECT_EQ(solve(problem, {}).total(), MicroUsd{});
  problem.pools[0].least_units = 2;
  const CapacityPlan plan = solve(problem, {});
  EXPECT_EQ(plan.total(), whole_usd(40'000));
  EXPECT_TRUE(plan.assignments.empty());
}

std::optional<PlanObstacle> obstacle_in(const PlanProblem& problem) {
  const CapacityPlan plan = solve(problem, {});
  EXPECT_EQ(plan.status, PlanStatus::kInfeasible);
  EXPECT_TRUE(plan.units.empty());
  return plan.obstacle;
}

TEST(Plan, WithoutAnyUnitsOnSaleEveryRunIsRented) {
  PlanProblem problem = one_job_problem({10});
  problem.pools.erase(problem.pools.begin());
  problem.ways = {{0, 0, 8, 36.5, whole_usd(1'250)}};
  const CapacityPlan plan = solve(problem, {});
  EXPECT_EQ(plan.status, PlanStatus::kOptimal);
  EXPECT_EQ(plan.total(), whole_usd(12'500));
  problem.limits.budget = whole_usd(0);
  EXPECT_EQ(solve(problem, {}).total(), whole_usd(12'500));
}

TEST(Plan, SaysWhatMakesItImpossible) {
  PlanProblem problem = one_job_problem({0, 10, 30});
  problem.ways.pop_back();
  problem.pools[0].from_month = 2;
  const auto no_way = obstacle_in(problem);
  EXPECT_EQ(no_way->barrier, PlanBarrier::kNoWay);
  EXPECT_EQ(no_way->month, 1);

  problem.pools[0].from_month = 0;
  problem.pools[0].most_units = 1;
  const auto full = obstacle_in(problem);
  EXPECT_EQ(full->barrier, PlanBarrier::kUnits);
  EXPECT_EQ(full->job, 0U);
  EXPECT_EQ(full->month, 2);

  // 30 runs take one machine and a half: a budget for just that is one for no whole number of them.
  problem.pools[0].most_units.reset();
  problem.limits.budget = whole_usd(450'000);
  EXPECT_EQ(obstacle_in(problem)->barrier, PlanBarrier::kBudget);
  problem.limits.kw = 15;
  EXPECT_EQ(obstacle_in(problem)->barrier, PlanBarrier::kLimits);
  problem.limits.budget.reset();
  EXPECT_EQ(obstacle_in(problem)->barrier, PlanBarrier::kPower);
  problem.limits.kw = 20;
  EXPECT_EQ(solve(problem, {}).units[0], 2);
}

TEST(Plan, RefusesWhatIsOutOfRange) {
  const auto refusal = [](auto&& spoil) {
    PlanProblem problem = one_job_problem({10});
    spoil(problem);
    try {
      solve(problem, {});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal([](PlanProblem& p) {
              p.jobs[0].runs = {1, 2};
            }),
            R"(plan: job "tune": expected runs for each month, not negative)");
  EXPECT_EQ(refusal([](PlanProblem& p) { p.ways[1].pool = 7; }),
            "plan: way 1: expected a job, a pool, GPUs, hours and dollars of a run");
  EXPECT_EQ(refusal([](PlanProblem& p) { p.pools[0].highest_use = 0; }),
            R"(plan: pool "machine": expected a highest use above 0, up to 1)");
  EXPECT_THROW(solve_with_units(one_job_problem({10}), {1}), InputError);
}

TEST(Plan, NamesOfThePoolsAreThoseOfFiles) {
  EXPECT_EQ(id_of(PoolKind::kRented), "on-demand");
  EXPECT_EQ(value_of(kPoolKinds, "bought"), PoolKind::kBought);
}

}  // namespace
}  // namespace sizesheet
