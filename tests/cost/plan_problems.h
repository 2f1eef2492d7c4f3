// SPDX-License-Identifier: Apache-2.0
// Small random problems of a plan, the same ones for the same seed on any machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "cost/plan/plan.h"
#include "support/money.h"

namespace sizesheet {

constexpr MicroUsd whole_usd(std::int64_t usd) { return {usd * 1'000'000}; }

inline PlanPool hourly_pool(const std::string& id, PoolKind kind) {
  PlanPool pool;
  pool.id = id;
  pool.kind = kind;
  return pool;
}

/// A job of these runs per month, each eight GPUs for 36.5 hours: twenty of them fill a machine's
/// month, which costs $10,000 and $50 per run. By the hour a run costs $1,250. From 8 1/3 runs a
/// machine pays.
inline PlanProblem one_job_problem(const std::vector<double>& runs) {
  PlanPool machine;
  machine.id = "machine";
  machine.kind = PoolKind::kBought;
  machine.gpus_per_unit = 8;
  machine.usd_per_unit_month = whole_usd(10'000);
  machine.capex_usd_per_unit = whole_usd(300'000);
  machine.kw_per_unit = 10;
  PlanProblem problem;
  problem.months = static_cast<std::int64_t>(runs.size());
  problem.jobs = {{"tune", runs}};
  problem.pools = {machine, hourly_pool("rent", PoolKind::kRented)};
  problem.ways = {{0, 0, 8, 36.5, whole_usd(50)}, {0, 1, 8, 36.5, whole_usd(1'250)}};
  return problem;
}

class RandomPlans {
 public:
  explicit RandomPlans(std::uint64_t seed) : engine_(seed) {}

  /// Up to three jobs, three pools with units and three months. `rented`: each job can be rented.
  PlanProblem next(bool rented) {
    PlanProblem problem;
    problem.months = 1 + below(3);
    const std::int64_t pools = 1 + below(3);
    for (std::int64_t i = 0; i < pools; ++i) problem.pools.push_back(pool_with_units(i));
    const auto hourly = problem.pools.size();
    problem.pools.push_back(hourly_pool("rent", PoolKind::kRented));
    problem.pools.push_back(hourly_pool("spot", PoolKind::kRentedSpot));
    problem.pools.back().until_month = 1 + below(3);
    const std::int64_t jobs = 1 + below(3);
    for (std::int64_t i = 0; i < jobs; ++i) add_job(problem, hourly, rented || below(2) == 0);
    if (below(3) == 0) problem.limits.budget = whole_usd(100'000 * below(8));
    if (below(3) == 0) problem.limits.kw = static_cast<double>(15 + 5 * below(8));
    return problem;
  }

  std::int64_t below(std::int64_t end) {
    return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(end));
  }

 private:
  PlanPool pool_with_units(std::int64_t i) {
    PlanPool pool;
    pool.id = "pool-" + std::to_string(i);
    pool.kind = static_cast<PoolKind>(below(3));
    pool.gpus_per_unit = 1 << below(4);
    pool.connected_units = 1 + below(3);
    pool.highest_use = below(2) == 0 ? 1 : 0.85;
    pool.from_month = below(4) == 0 ? 1 : 0;
    if (below(4) == 0) pool.until_month = 1 + pool.from_month;
    pool.least_units = pool.kind == PoolKind::kOwned ? below(2) : 0;
    pool.most_units = pool.least_units + below(4 - pool.least_units);
    pool.usd_per_unit_month = {pool.gpus_per_unit * (200'000'000 + 1'000'003 * below(600))};
    if (pool.kind == PoolKind::kBought)
      pool.capex_usd_per_unit = whole_usd(90'000 * (1 + below(3)));
    pool.kw_per_unit = static_cast<double>(below(12));
    return pool;
  }

  void add_job(PlanProblem& problem, std::size_t hourly, bool rented) {
    const std::size_t job = problem.jobs.size();
    problem.jobs.push_back({"job-" + std::to_string(job), {}});
    for (std::int64_t month = 0; month < problem.months; ++month) {
      problem.jobs.back().runs.push_back(0.5 * static_cast<double>(below(25)));
    }
    const std::int64_t gpus = 1 << below(6);
    const double hours = 5 + 7.3 * static_cast<double>(below(40));
    const auto add = [&](std::size_t pool, std::int64_t many, double slower, double rate) {
      const double usd = rate * slower * hours * static_cast<double>(many);
      problem.ways.push_back({job, pool, many, hours * slower, rounded_usd(usd)});
    };
    for (std::size_t pool = 0; pool < hourly; ++pool) {
      if (below(5) == 0) continue;
      add(pool, gpus, 1 + 0.1 * static_cast<double>(below(5)), 0.1);
      if (below(3) == 0) add(pool, 2 * gpus, 0.6, 0.1);
    }
    if (!rented) return;
    add(hourly, gpus, 1, 1 + 0.13 * static_cast<double>(below(20)));
    if (below(3) == 0) add(hourly + 1, gpus, 1.3, 0.9);
  }

  std::mt19937_64 engine_;
};

}  // namespace sizesheet
