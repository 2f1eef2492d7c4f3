// SPDX-License-Identifier: Apache-2.0
#include "cost/plan/plan.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "cost/plan/programme.h"
#include "cost/plan/solver.h"
#include "support/error.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr double kLeastShare = 1e-9;  // of a job's runs: less is the solver's rounding
/// The solver for whole units does not look at the clock in its first step, which is too long
/// beyond.
constexpr std::size_t kMostColumns = 60'000;
constexpr double kSearchShare = 0.6;  // of the time: the rest is for plans around what was found
constexpr std::int64_t kMostCount = 1'000'000;
constexpr double kMostFigure = 1e9;

void require(bool good, const std::string& of, const std::string& expected) {
  if (!good) throw InputError("plan: " + of + ": expected " + expected);
}

bool is_figure(double value) { return value >= 0 && value <= kMostFigure; }
bool is_count(std::int64_t value, std::int64_t least) {
  return value >= least && value <= kMostCount;
}

void check_pool(const PlanPool& pool) {
  const std::string name = "pool " + in_quotes(pool.id);
  require(is_count(pool.gpus_per_unit, 1), name, "a number of GPUs in a unit");
  require(is_count(pool.connected_units, 0), name, "a number of connected units");
  require(pool.highest_use > 0 && pool.highest_use <= 1, name, "a highest use above 0, up to 1");
  require(pool.from_month >= 0 && pool.from_month <= pool.until_month, name, "a window of months");
  require(is_count(pool.least_units, 0), name, "a least number of units");
  require(!pool.most_units || is_count(*pool.most_units, pool.least_units), name,
          "a most number of units, not below the least");
  require(pool.usd_per_unit_month >= MicroUsd{} && pool.capex_usd_per_unit >= MicroUsd{}, name,
          "US dollars, not negative");
  require(is_figure(pool.kw_per_unit), name, "kilowatts, not negative");
}

void check(const PlanProblem& problem) {
  require(is_count(problem.months, 1), "months", "a number from 1");
  require(problem.hours_per_month > 0 && is_figure(problem.hours_per_month), "hours per month",
          "a number above 0");
  require(!problem.limits.budget || *problem.limits.budget >= MicroUsd{}, "budget",
          "US dollars, not negative");
  require(!problem.limits.kw || is_figure(*problem.limits.kw), "power", "kilowatts, not negative");
  for (const PlanPool& pool : problem.pools) check_pool(pool);
  for (const PlanJob& job : problem.jobs) {
    require(job.runs.size() == static_cast<std::size_t>(problem.months) &&
                std::all_of(job.runs.begin(), job.runs.end(), is_figure),
            "job " + in_quotes(job.id), "runs for each month, not negative");
  }
  for (std::size_t i = 0; i < problem.ways.size(); ++i) {
    const PlanWay& way = problem.ways[i];
    require(way.job < problem.jobs.size() && way.pool < problem.pools.size() &&
                is_count(way.gpus, 1) && is_figure(way.hours) && way.usd_per_run >= MicroUsd{},
            "way " + std::to_string(i), "a job, a pool, GPUs, hours and dollars of a run");
  }
}

/// The shares of a demand's runs, each more than 0; together they are 1.
std::vector<std::pair<std::size_t, double>> shares_of(const PeriodDemand& demand,
                                                      const std::vector<double>& values) {
  std::vector<std::pair<std::size_t, double>> shares;
  double rest = 1;
  for (const PlanShare& share : demand.shares) {
    const double part = std::clamp(values[static_cast<std::size_t>(share.column)], 0.0, rest);
    if (part < kLeastShare) continue;
    shares.emplace_back(share.way, part);
    rest -= part;
  }
  if (demand.by_hour && (rest >= kLeastShare || shares.empty())) {
    shares.emplace_back(*demand.by_hour, rest);
  } else if (!shares.empty()) {
    shares.back().second += rest;
  }
  return shares;
}

/// Figures of a plan from a solution with its units held.
class PlanFigures {
 public:
  PlanFigures(const PlanProblem& problem, const PlanProgramme& programme,
              const SolverResult& solved)
      : problem_(problem), programme_(programme), solved_(solved) {
    plan_.units = programme.units(solved.values);
  }

  CapacityPlan plan() {
    add_assignments();
    add_pool_months();
    add_marginal_costs();
    return std::move(plan_);
  }

 private:
  std::size_t months() const { return static_cast<std::size_t>(problem_.months); }

  void add_assignments() {
    for (const PeriodDemand& demand : programme_.demands) {
      for (const auto& [way, share] : shares_of(demand, solved_.values)) {
        const double runs = share * demand.runs;
        const MicroUsd usd = rounded_usd(to_usd(problem_.ways[way].usd_per_run) * runs);
        for (const std::int64_t month : programme_.periods[demand.period]) {
          plan_.assignments.push_back({way, month, runs, usd});
        }
      }
    }
    std::stable_sort(plan_.assignments.begin(), plan_.assignments.end(),
                     [](const auto& a, const auto& b) { return a.month < b.month; });
  }

  void add_pool_months() {
    row_of_.resize(problem_.pools.size(), std::vector<std::size_t>(months()));
    for (std::size_t pool = 0; pool < problem_.pools.size(); ++pool) {
      const PlanPool& facts = problem_.pools[pool];
      for (std::int64_t month = 0; month < problem_.months; ++month) {
        row_of_[pool][static_cast<std::size_t>(month)] = plan_.pool_months.size();
        if (month < facts.from_month || month >= facts.until_month) continue;
        hour_prices_.push_back(hour_price(pool, month));
        plan_.pool_months.push_back(pool_month(pool, month));
        plan_.fixed_usd += plan_.pool_months.back().fixed_usd;
      }
    }
    for (const PlanAssignment& one : plan_.assignments) {
      const PlanWay& way = problem_.ways[one.way];
      PlanPoolMonth& row =
          plan_.pool_months[row_of_[way.pool][static_cast<std::size_t>(one.month)]];
      row.runs_usd += one.usd;
      row.used_gpu_hours += one.runs * static_cast<double>(way.gpus) * way.hours;
      plan_.runs_usd += one.usd;
    }
  }

  PlanPoolMonth pool_month(std::size_t pool, std::int64_t month) const {
    const PlanPool& facts = problem_.pools[pool];
    PlanPoolMonth row;
    row.pool = pool;
    row.month = month;
    if (is_by_the_hour(facts.kind)) return row;
    row.fixed_usd = facts.usd_per_unit_month * plan_.units[pool];
    row.gpu_hours = unit_gpu_hours(problem_, facts) * static_cast<double>(plan_.units[pool]);
    row.usd_per_gpu_hour = rounded_usd(hour_prices_.back());
    return row;
  }

  /// Dollars that one more GPU-hour would save.
  double hour_price(std::size_t pool, std::int64_t month) const {
    const std::size_t period = programme_.period_of[static_cast<std::size_t>(month)];
    const auto at = programme_.capacity_rows.find({pool, period});
    if (at == programme_.capacity_rows.end()) return 0;
    const double of_unit = std::max(0.0, -solved_.row_prices[static_cast<std::size_t>(at->second)]);
    const auto months = static_cast<double>(programme_.periods[period].size());
    return of_unit / months / unit_gpu_hours(problem_, problem_.pools[pool]);
  }

  /// The dual of a job's demand: its cheapest way, with the price of the hours that it takes.
  void add_marginal_costs() {
    plan_.marginal_usd_per_run.assign(problem_.jobs.size(),
                                      std::vector<std::optional<MicroUsd>>(months()));
    for (const PlanWay& way : problem_.ways) {
      const PlanPool& pool = problem_.pools[way.pool];
      if (units_needed(pool, way) > plan_.units[way.pool]) continue;
      for (std::int64_t month = 0; month < problem_.months; ++month) {
        if (!is_open(pool, way, month)) continue;
        const auto at = static_cast<std::size_t>(month);
        const double price = hour_prices_[row_of_[way.pool][at]];
        const double hours = static_cast<double>(way.gpus) * way.hours;
        const MicroUsd usd = way.usd_per_run + rounded_usd(price * hours);
        auto& least = plan_.marginal_usd_per_run[way.job][at];
        least = std::min(least.value_or(usd), usd);
      }
    }
  }

  const PlanProblem& problem_;
  const PlanProgramme& programme_;
  const SolverResult& solved_;
  std::vector<std::vector<std::size_t>> row_of_;  ///< by pool and month, among the pool's months
  std::vector<double> hour_prices_;               ///< by row: dollars, not rounded
  CapacityPlan plan_;
};

PlanProblem with_units(PlanProblem problem, const std::vector<std::int64_t>& units) {
  for (std::size_t pool = 0; pool < problem.pools.size(); ++pool) {
    problem.pools[pool].least_units = units[pool];
    problem.pools[pool].most_units = units[pool];
  }
  return problem;
}

/// With these units and nothing to decide but the runs; not found when they do not all go.
CapacityPlan solve_held(const PlanProblem& problem, const std::vector<std::int64_t>& units) {
  const PlanProblem held = with_units(problem, units);
  const PlanProgramme programme = programme_of(held);
  CapacityPlan plan;
  if (programme.obstacle) return plan;
  const SolverResult solved = solve_linear(programme.linear);
  if (solved.status != SolverStatus::kOptimal) return plan;
  plan = PlanFigures(held, programme, solved).plan();
  plan.status = PlanStatus::kOptimal;
  return plan;
}

/// Any plan at all, whatever it costs.
bool can_be_solved(PlanProblem problem, const PlanOptions& options) {
  for (PlanPool& pool : problem.pools) pool.usd_per_unit_month = {};
  for (PlanWay& way : problem.ways) way.usd_per_run = {};
  const PlanProgramme programme = programme_of(problem);
  if (programme.obstacle) return false;
  const LinearProgramme& linear = programme.linear;
  const SolverResult solved = linear.has_choice() ? solve_whole(linear, options.seconds)
                                                  : solve_linear(linear, options.seconds);
  return solved.status == SolverStatus::kOptimal || solved.status == SolverStatus::kStopped;
}

/// With nothing but a fee for each run that has no place, the first job that pays it.
PlanObstacle homeless_run(PlanProblem problem, const PlanOptions& options) {
  problem.limits = {};
  for (PlanPool& pool : problem.pools) pool.usd_per_unit_month = {};
  for (PlanWay& way : problem.ways) way.usd_per_run = {};
  const std::size_t known = problem.ways.size();
  problem.pools.emplace_back();
  for (std::size_t job = 0; job < problem.jobs.size(); ++job) {
    problem.ways.push_back({job, problem.pools.size() - 1, 1, 0, MicroUsd{1'000'000}});
  }
  for (const PlanAssignment& one : solve(problem, options).assignments) {
    if (one.way >= known) {
      return {PlanBarrier::kUnits, one.month, problem.ways[one.way].job};
    }
  }
  return {PlanBarrier::kUnits, 0, 0};
}

PlanObstacle obstacle_of(const PlanProblem& problem, const PlanOptions& options) {
  const PlanProgramme programme = programme_of(problem);
  if (programme.obstacle) return *programme.obstacle;
  PlanProblem eased = problem;
  if (problem.limits.budget) {
    eased.limits.budget.reset();
    if (can_be_solved(eased, options)) return {PlanBarrier::kBudget};
    eased.limits = problem.limits;
  }
  if (problem.limits.kw) {
    eased.limits.kw.reset();
    if (can_be_solved(eased, options)) return {PlanBarrier::kPower};
  }
  if (problem.limits.budget && problem.limits.kw) {
    eased.limits = {};
    if (can_be_solved(eased, options)) return {PlanBarrier::kLimits};
  }
  return homeless_run(problem, options);
}

bool is_whole(const LinearProgramme& linear, const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (linear.columns[i].whole && std::abs(values[i] - std::round(values[i])) > 1e-7) return false;
  }
  return true;
}

/// Takes the place of `best` where its runs go and cost less.
void try_units(const PlanProblem& problem, const std::vector<std::int64_t>& units,
               CapacityPlan& best) {
  CapacityPlan plan = solve_held(problem, units);
  if (plan.found() && (!best.found() || plan.total() < best.total())) best = std::move(plan);
}

/// The least units, and those of the relaxed programme as they are rounded most often.
CapacityPlan first_plan(const PlanProblem& problem, const PlanProgramme& programme,
                        const std::vector<double>& relaxed) {
  CapacityPlan best;
  try_units(problem, least_units(problem), best);
  if (!relaxed.empty()) try_units(problem, programme.units(relaxed), best);
  return best;
}

CapacityPlan infeasible(const PlanObstacle& obstacle) {
  CapacityPlan plan;
  plan.status = PlanStatus::kInfeasible;
  plan.obstacle = obstacle;
  return plan;
}

}  // namespace

std::vector<std::int64_t> least_units(const PlanProblem& problem) {
  std::vector<std::int64_t> units;
  for (const PlanPool& pool : problem.pools) units.push_back(pool.least_units);
  return units;
}

CapacityPlan solve(const PlanProblem& problem, const PlanOptions& options) {
  check(problem);
  const auto start = std::chrono::steady_clock::now();
  const auto seconds_left = [&] {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    return options.seconds - taken.count();
  };
  const PlanProgramme programme = programme_of(problem);
  if (programme.obstacle) return infeasible(*programme.obstacle);
  const LinearProgramme& linear = programme.linear;
  const SolverResult relaxed = solve_linear(linear, options.seconds);
  if (relaxed.status == SolverStatus::kInfeasible) return infeasible(obstacle_of(problem, options));
  if (relaxed.status == SolverStatus::kOptimal && is_whole(linear, relaxed.values)) {
    return solve_held(problem, programme.units(relaxed.values));
  }
  CapacityPlan plan =
      first_plan(problem, programme, relaxed.values);  // the search may take all the time
  SolverResult found;
  if (linear.columns.size() <= kMostColumns) {
    found = solve_whole(linear, std::max(0.1, kSearchShare * seconds_left()));
  }
  if (found.status == SolverStatus::kInfeasible) return infeasible(obstacle_of(problem, options));
  if (found.status == SolverStatus::kOptimal) {
    return solve_held(problem, programme.units(found.values));
  }
  if (!found.values.empty()) try_units(problem, programme.units(found.values), plan);
  for (const double up : {0.75, 0.25, 0.999, 0.0}) {
    if (relaxed.values.empty() || (plan.found() && seconds_left() <= 0)) break;
    try_units(problem, programme.units(relaxed.values, up), plan);
  }
  if (!plan.found()) return plan;
  plan.status = PlanStatus::kTimeLimit;
  const double bound = std::max(0.0, std::max(relaxed.bound, found.bound) + programme.rest_usd);
  plan.gap_usd = std::max(MicroUsd{}, plan.total() - rounded_usd(bound));
  return plan;
}

CapacityPlan solve_with_units(const PlanProblem& problem, const std::vector<std::int64_t>& units) {
  check(problem);
  require(units.size() == problem.pools.size() &&
              std::all_of(units.begin(), units.end(), [](auto n) { return is_count(n, 0); }),
          "units", "a number for each pool");
  CapacityPlan plan = solve_held(problem, units);
  return plan.found() ? plan : infeasible(obstacle_of(with_units(problem, units), {}));
}

}  // namespace sizesheet
