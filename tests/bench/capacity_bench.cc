// SPDX-License-Identifier: Apache-2.0
// How long a plan takes: of the quarterly sheet's demand, and of a thousand jobs of which each can
// be on machines or rented, over two years of the same months and of months that grow each quarter.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>

#include "catalog/catalog.h"
#include "cost/plan/plan.h"
#include "cost/plan_problems.h"
#include "sheet/assemble/load_spec.h"
#include "sheet/plan/plan_task.h"
#include "sheet/spec.h"
#include "support/money.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

constexpr double kSeconds = 60;  ///< as a sheet has
constexpr std::int64_t kJobs = 1000;
constexpr std::int64_t kPools = 40;
constexpr std::int64_t kMonths = 24;
constexpr std::int64_t kMonthsOfQuarter = 3;

/// Machines and reservations by turns, of different sizes and prices.
std::vector<PlanPool> pools_with_units(RandomPlans& random) {
  std::vector<PlanPool> pools;
  for (std::int64_t i = 0; i < kPools; ++i) {
    PlanPool& pool = pools.emplace_back();
    pool.id = "pool-" + std::to_string(i);
    pool.gpus_per_unit = std::int64_t{2} << random.below(4);
    if (i % 2 == 0) {
      pool.kind = PoolKind::kBought;
      pool.highest_use = 0.85;
      pool.from_month = 3;
      pool.capex_usd_per_unit = whole_usd(30'000 * pool.gpus_per_unit);
    } else {
      pool.kind = PoolKind::kReserved;
    }
    const std::int64_t of_gpu = (i % 2 == 0 ? 600 : 1'000) + random.below(600);
    pool.usd_per_unit_month = whole_usd(of_gpu * pool.gpus_per_unit);
  }
  return pools;
}

/// Each job in one of the pools with units, and by the hour.
PlanProblem thousand_jobs(double growth) {
  RandomPlans random(1);
  PlanProblem problem;
  problem.months = kMonths;
  problem.pools = pools_with_units(random);
  const std::size_t hourly = problem.pools.size();
  problem.pools.push_back(hourly_pool("rent", PoolKind::kRented));
  for (std::size_t job = 0; job < kJobs; ++job) {
    const auto pool = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(hourly)));
    const std::int64_t gpus =
        std::min(std::int64_t{1} << random.below(5), problem.pools[pool].gpus_per_unit);
    const double hours = 1 + 0.5 * static_cast<double>(random.below(60));
    const double rate = 1.5 + 0.1 * static_cast<double>(random.below(20));
    const auto usd = [&](double of_hour) {
      return rounded_usd(of_hour * hours * static_cast<double>(gpus));
    };
    problem.ways.push_back({job, pool, gpus, hours, usd(0.1)});
    problem.ways.push_back({job, hourly, gpus, hours, usd(rate)});
    PlanJob& made = problem.jobs.emplace_back();
    made.id = "job-" + std::to_string(job);
    const auto runs = static_cast<double>(1 + random.below(30));
    for (std::int64_t month = 0; month < kMonths; ++month) {
      made.runs.push_back(runs *
                          std::pow(1 + growth, static_cast<double>(month / kMonthsOfQuarter)));
    }
  }
  return problem;
}

PlanProblem of_quarterly() {
  const Catalog& catalog = project_catalog();
  const SheetSpec spec = load_sheet_spec("quarterly", SIZESHEET_SOURCE_DIR "/catalog", catalog);
  return plan_task(catalog, spec, 1).question.problem;
}

void capacity(benchmark::State& state, PlanProblem (*make)()) {
  const PlanProblem problem = make();
  CapacityPlan plan;
  for (auto step : state) plan = solve(problem, {kSeconds});
  if (plan.status != PlanStatus::kOptimal) state.SkipWithError("not proven the cheapest");
  state.counters["pools"] = static_cast<double>(problem.pools.size());
  state.counters["ways"] = static_cast<double>(problem.ways.size());
}

BENCHMARK_CAPTURE(capacity, quarterly, of_quarterly)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(capacity, flat, [] { return thousand_jobs(0); })->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(capacity, growing, [] {
  return thousand_jobs(0.1);
})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sizesheet
