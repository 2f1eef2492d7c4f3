// SPDX-License-Identifier: Apache-2.0
// Plans against an exhaustive search: every number of units of every pool, and for each the runs by
// a simplex of our own that shares nothing with the solver.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <vector>

#include "cost/plan/plan.h"
#include "cost/plan_problems.h"
#include "support/money.h"

namespace sizesheet {
namespace {

using Row = std::vector<long double>;

/// Most of gain * x with each row's coefficients * x <= its last number, which is not negative, and
/// x >= 0. Bland's rule, so it ends.
long double most_gain(std::vector<Row> rows, Row gain) {
  constexpr long double kZero = 1e-13L;
  const std::size_t columns = gain.size();
  std::vector<std::size_t> basis;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const long double right = rows[i].back();
    rows[i].back() = 0;
    rows[i].resize(columns + rows.size() + 1);
    rows[i][columns + i] = 1;
    rows[i].back() = right;
    basis.push_back(columns + i);
  }
  gain.resize(columns + rows.size() + 1);
  while (true) {
    std::size_t in = 0;
    while (in + 1 < gain.size() && gain[in] <= kZero) ++in;
    if (in + 1 == gain.size()) return -gain.back();
    std::optional<std::size_t> out;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i][in] <= kZero) continue;
      const long double step = rows[i].back() / rows[i][in];
      const long double least = out ? rows[*out].back() / rows[*out][in] : 0;
      if (!out || step < least || (step == least && basis[i] < basis[*out])) out = i;
    }
    const Row pivot = rows[*out];
    for (long double& value : rows[*out]) value /= pivot[in];
    const auto clear = [&](Row& row) {
      const long double times = row[in];
      for (std::size_t k = 0; k < row.size(); ++k) row[k] -= times * rows[*out][k];
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i != *out) clear(rows[i]);
    }
    clear(gain);
    basis[*out] = in;
  }
}

bool is_hourly(const PlanPool& pool) {
  return pool.kind == PoolKind::kRented || pool.kind == PoolKind::kRentedSpot;
}

bool goes(const PlanPool& pool, const PlanWay& way, std::int64_t units, std::int64_t month) {
  if (month < pool.from_month || month >= pool.until_month) return false;
  if (is_hourly(pool)) return true;
  return way.gpus <= std::min(pool.connected_units, units) * pool.gpus_per_unit;
}

/// Dollars of a month's runs; absent when they do not all go. A run gains what it would cost to
/// leave it out, less what it costs.
std::optional<long double> month_usd(const PlanProblem& problem,
                                     const std::vector<std::int64_t>& units, std::size_t month) {
  constexpr long double kLeftOut = 1e9L;
  std::vector<const PlanWay*> open;
  for (const PlanWay& way : problem.ways) {
    if (goes(problem.pools[way.pool], way, units[way.pool], static_cast<std::int64_t>(month))) {
      open.push_back(&way);
    }
  }
  std::vector<Row> rows;
  long double all_left_out = 0;
  for (std::size_t job = 0; job < problem.jobs.size(); ++job) {
    Row row;
    for (const PlanWay* way : open) row.push_back(way->job == job ? 1 : 0);
    row.push_back(problem.jobs[job].runs[month]);
    all_left_out += kLeftOut * row.back();
    rows.push_back(row);
  }
  for (std::size_t i = 0; i < problem.pools.size(); ++i) {
    const PlanPool& pool = problem.pools[i];
    if (is_hourly(pool)) continue;
    Row row;
    for (const PlanWay* way : open) {
      row.push_back(way->pool == i ? way->hours * static_cast<long double>(way->gpus) : 0);
    }
    row.push_back(static_cast<long double>(units[i] * pool.gpus_per_unit) *
                  problem.hours_per_month * pool.highest_use);
    rows.push_back(row);
  }
  Row gain;
  for (const PlanWay* way : open) gain.push_back(kLeftOut - to_usd(way->usd_per_run));
  const long double usd = all_left_out - most_gain(rows, gain);
  if (usd > kLeftOut / 100) return std::nullopt;
  return usd;
}

bool within_limits(const PlanProblem& problem, const std::vector<std::int64_t>& units) {
  MicroUsd capex;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (problem.pools[i].kind == PoolKind::kBought) {
      capex += problem.pools[i].capex_usd_per_unit * units[i];
    }
  }
  if (problem.limits.budget && capex > *problem.limits.budget) return false;
  for (std::int64_t month = 0; problem.limits.kw && month < problem.months; ++month) {
    double kw = 0;
    for (std::size_t i = 0; i < units.size(); ++i) {
      const PlanPool& pool = problem.pools[i];
      if (month < pool.from_month || month >= pool.until_month) continue;
      kw += pool.kw_per_unit * static_cast<double>(units[i]);
    }
    if (kw > *problem.limits.kw) return false;
  }
  return true;
}

std::optional<long double> usd_with(const PlanProblem& problem,
                                    const std::vector<std::int64_t>& units) {
  if (!within_limits(problem, units)) return std::nullopt;
  long double usd = 0;
  for (std::int64_t month = 0; month < problem.months; ++month) {
    const auto runs = month_usd(problem, units, static_cast<std::size_t>(month));
    if (!runs) return std::nullopt;
    usd += *runs;
    for (std::size_t i = 0; i < units.size(); ++i) {
      const PlanPool& pool = problem.pools[i];
      if (month < pool.from_month || month >= pool.until_month) continue;
      usd += to_usd(pool.usd_per_unit_month * units[i]);
    }
  }
  return usd;
}

std::optional<long double> least_usd(const PlanProblem& problem) {
  std::optional<long double> least;
  std::vector<std::int64_t> units;
  for (const PlanPool& pool : problem.pools) units.push_back(pool.least_units);
  while (true) {
    if (const auto usd = usd_with(problem, units)) least = std::min(least.value_or(*usd), *usd);
    std::size_t i = 0;
    while (i < units.size() && units[i] == problem.pools[i].most_units.value_or(0)) {
      units[i] = problem.pools[i].least_units;
      ++i;
    }
    if (i == units.size()) return least;
    ++units[i];
  }
}

TEST(PlanOracle, TheSimplexOfTheTestIsRight) {
  // 3x + 5y with x <= 4, 2y <= 12, 3x + 2y <= 18: 36 at (2, 6).
  EXPECT_DOUBLE_EQ(static_cast<double>(most_gain({{1, 0, 4}, {0, 2, 12}, {3, 2, 18}}, {3, 5})), 36);
}

TEST(PlanOracle, RandomPlansAreTheCheapestToTheCent) {
  RandomPlans random(31);
  int found = 0;
  int with_units = 0;
  for (int i = 0; i < 500; ++i) {
    const PlanProblem problem = random.next(i % 2 == 0);
    const auto expected = least_usd(problem);
    const CapacityPlan plan = solve(problem, {});
    ASSERT_EQ(plan.status, expected ? PlanStatus::kOptimal : PlanStatus::kInfeasible) << i;
    if (!expected) continue;
    ++found;
    EXPECT_NEAR(to_usd(plan.total()), static_cast<double>(*expected), 0.01) << i;
    EXPECT_EQ(plan.gap_usd, MicroUsd{}) << i;
    for (std::size_t k = 0; k < plan.units.size(); ++k) {
      with_units += plan.units[k] > problem.pools[k].least_units ? 1 : 0;
    }
  }
  EXPECT_GE(found, 300);
  EXPECT_GE(with_units, 100) << "most plans decide nothing";
}

}  // namespace
}  // namespace sizesheet
