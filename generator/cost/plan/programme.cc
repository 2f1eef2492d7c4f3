// SPDX-License-Identifier: Apache-2.0
#include "cost/plan/programme.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "cost/plan/plan.h"
#include "cost/plan/solver.h"
#include "support/money.h"

namespace sizesheet {
namespace {

bool is_there(const PlanPool& pool, std::int64_t month) {
  return pool.from_month <= month && month < pool.until_month;
}

double usd_of(const PlanProblem& problem, std::size_t way) {
  return to_usd(problem.ways[way].usd_per_run);
}

/// Months of its window within the horizon.
std::int64_t months_of(const PlanProblem& problem, const PlanPool& pool) {
  return std::max<std::int64_t>(0, std::min(pool.until_month, problem.months) - pool.from_month);
}

}  // namespace

std::int64_t units_needed(const PlanPool& pool, const PlanWay& way) {
  if (is_by_the_hour(pool.kind)) return 0;
  return (way.gpus + pool.gpus_per_unit - 1) / pool.gpus_per_unit;
}

bool is_open(const PlanPool& pool, const PlanWay& way, std::int64_t month) {
  if (!is_there(pool, month)) return false;
  if (is_by_the_hour(pool.kind)) return true;
  const std::int64_t needed = units_needed(pool, way);
  return needed <= pool.connected_units && needed <= pool.most_units.value_or(needed);
}

double unit_gpu_hours(const PlanProblem& problem, const PlanPool& pool) {
  return static_cast<double>(pool.gpus_per_unit) * problem.hours_per_month * pool.highest_use;
}

namespace {

class ProgrammeBuilder {
 public:
  explicit ProgrammeBuilder(const PlanProblem& problem)
      : problem_(problem), needs_(problem.pools.size()) {}

  PlanProgramme built() {
    find_useless();
    find_periods();
    add_units();
    add_demands();
    add_needs();
    add_limits();
    bound_units();
    return std::move(made_);
  }

 private:
  /// A pool without units yet, of which one costs more than it could save: filled in every hour
  /// with the runs that save most, each against its cheapest way by the hour. No plan needs one.
  void find_useless() {
    const auto months = static_cast<std::size_t>(problem_.months);
    constexpr double kNowhere = std::numeric_limits<double>::infinity();
    std::vector<std::vector<double>> rent(problem_.jobs.size(),
                                          std::vector<double>(months, kNowhere));
    std::vector<std::vector<double>> saved(problem_.pools.size(), std::vector<double>(months, 0));
    const auto for_open_ways = [&](bool by_hour, const auto& visit) {
      for (std::size_t way = 0; way < problem_.ways.size(); ++way) {
        const PlanPool& pool = problem_.pools[problem_.ways[way].pool];
        if (is_by_the_hour(pool.kind) != by_hour) continue;
        for (std::size_t month = 0; month < months; ++month) {
          if (is_open(pool, problem_.ways[way], static_cast<std::int64_t>(month)))
            visit(way, month);
        }
      }
    };
    for_open_ways(true, [&](std::size_t way, std::size_t month) {
      double& least = rent[problem_.ways[way].job][month];
      least = std::min(least, usd_of(problem_, way));
    });
    for_open_ways(false, [&](std::size_t way, std::size_t month) {
      const PlanWay& facts = problem_.ways[way];
      if (problem_.jobs[facts.job].runs[month] <= 0) return;
      const double usd = rent[facts.job][month] - usd_of(problem_, way);
      double& most = saved[facts.pool][month];
      if (usd > 0) most = std::max(most, usd / (static_cast<double>(facts.gpus) * facts.hours));
    });
    for (std::size_t pool = 0; pool < problem_.pools.size(); ++pool) {
      const PlanPool& facts = problem_.pools[pool];
      const double unit = std::accumulate(saved[pool].begin(), saved[pool].end(), 0.0) *
                          unit_gpu_hours(problem_, facts);
      const double cost =
          to_usd(facts.usd_per_unit_month) * static_cast<double>(months_of(problem_, facts));
      useless_.push_back(!is_by_the_hour(facts.kind) && facts.least_units == 0 && unit < cost);
    }
  }

  void find_periods() {
    std::map<std::pair<std::vector<double>, std::vector<bool>>, std::size_t> known;
    for (std::int64_t month = 0; month < problem_.months; ++month) {
      std::vector<double> runs;
      for (const PlanJob& job : problem_.jobs) {
        runs.push_back(job.runs[static_cast<std::size_t>(month)]);
      }
      std::vector<bool> there;
      for (std::size_t pool = 0; pool < problem_.pools.size(); ++pool) {
        there.push_back(!useless_[pool] && is_there(problem_.pools[pool], month));
      }
      const auto [at, is_new] = known.emplace(std::pair(runs, there), made_.periods.size());
      if (is_new) made_.periods.emplace_back();
      made_.periods[at->second].push_back(month);
      made_.period_of.push_back(at->second);
    }
  }

  void add_units() {
    for (const PlanPool& pool : problem_.pools) {
      if (is_by_the_hour(pool.kind)) {
        made_.unit_columns.push_back(-1);
        continue;
      }
      const double cost =
          to_usd(pool.usd_per_unit_month) * static_cast<double>(months_of(problem_, pool));
      const auto least = static_cast<double>(pool.least_units);
      made_.unit_columns.push_back(made_.linear.add(LinearColumn{least, least, cost, true, {}}));
    }
  }

  void add_demands() {
    std::vector<std::vector<std::size_t>> ways(problem_.jobs.size());
    for (std::size_t way = 0; way < problem_.ways.size(); ++way) {
      ways[problem_.ways[way].job].push_back(way);
    }
    for (std::size_t period = 0; period < made_.periods.size(); ++period) {
      for (std::size_t job = 0; job < problem_.jobs.size(); ++job) {
        const auto month = static_cast<std::size_t>(made_.periods[period].front());
        const double runs = problem_.jobs[job].runs[month];
        if (runs > 0) add_demand({job, period, runs, std::nullopt, {}}, ways[job]);
      }
    }
  }

  void add_demand(PeriodDemand demand, const std::vector<std::size_t>& ways) {
    const std::int64_t month = made_.periods[demand.period].front();
    std::vector<std::size_t> held;
    for (const std::size_t way : ways) {
      const std::size_t place = problem_.ways[way].pool;
      const PlanPool& pool = problem_.pools[place];
      if (useless_[place] || !is_open(pool, problem_.ways[way], month)) continue;
      if (!is_by_the_hour(pool.kind)) {
        held.push_back(way);
      } else if (!demand.by_hour || usd_of(problem_, way) < usd_of(problem_, *demand.by_hour)) {
        demand.by_hour = way;
      }
    }
    if (demand.by_hour) {
      const auto months = static_cast<double>(made_.periods[demand.period].size());
      made_.rest_usd += months * demand.runs * usd_of(problem_, *demand.by_hour);
      std::erase_if(held, [&](std::size_t way) {
        return usd_of(problem_, way) >= usd_of(problem_, *demand.by_hour);
      });
    } else if (held.empty()) {
      if (!made_.obstacle) made_.obstacle = PlanObstacle{PlanBarrier::kNoWay, month, demand.job};
      return;
    }
    // A single share that may be anything up to all needs no row.
    const bool needs_row = !demand.by_hour || held.size() > 1;
    const int row = needs_row ? made_.linear.add(LinearRow{demand.by_hour ? 0.0 : 1.0, 1}) : -1;
    for (const std::size_t way : held) add_share(demand, way, row);
    made_.demands.push_back(std::move(demand));
  }

  void add_share(PeriodDemand& demand, std::size_t way, int row) {
    const std::size_t pool_index = problem_.ways[way].pool;
    const PlanPool& pool = problem_.pools[pool_index];
    const auto months = static_cast<double>(made_.periods[demand.period].size());
    const double saved = demand.by_hour ? usd_of(problem_, *demand.by_hour) : 0;
    const double cost = months * demand.runs * (usd_of(problem_, way) - saved);
    const int column = made_.linear.add(LinearColumn{0, 1, cost, false, {}});
    demand.shares.push_back({way, column});
    if (row >= 0) made_.linear.put(row, column, 1);

    const std::pair at(pool_index, demand.period);
    const auto [capacity, is_new] = made_.capacity_rows.emplace(at, -1);
    if (is_new) {
      capacity->second = made_.linear.add(LinearRow{-std::numeric_limits<double>::max(), 0});
      made_.linear.put(capacity->second, made_.unit_columns[pool_index], -1);
    }
    const double load = static_cast<double>(problem_.ways[way].gpus) * problem_.ways[way].hours *
                        demand.runs / unit_gpu_hours(problem_, pool);
    made_.linear.put(capacity->second, column, load);
    most_load_[at] += load;
    const std::int64_t needed = units_needed(pool, problem_.ways[way]);
    if (needed > pool.least_units) needs_[pool_index][needed].push_back(column);
  }

  /// For each number of connected units that runs need, a column says whether they are there.
  void add_needs() {
    for (std::size_t pool = 0; pool < needs_.size(); ++pool) {
      std::int64_t before = problem_.pools[pool].least_units;
      if (needs_[pool].empty()) continue;
      const int enough = made_.linear.add(LinearRow{static_cast<double>(before)});
      made_.linear.put(enough, made_.unit_columns[pool], 1);
      int fewer = -1;
      for (const auto& [needed, shares] : needs_[pool]) {
        const int there = made_.linear.add(LinearColumn{0, 1, 0, true, {}});
        made_.linear.put(enough, there, -static_cast<double>(needed - before));
        for (const int share : shares) {
          const int row = made_.linear.add(LinearRow{-std::numeric_limits<double>::max(), 0});
          made_.linear.put(row, share, 1);
          made_.linear.put(row, there, -1);
        }
        if (fewer >= 0) {
          const int row = made_.linear.add(LinearRow{0});
          made_.linear.put(row, fewer, 1);
          made_.linear.put(row, there, -1);
        }
        fewer = there;
        before = needed;
      }
    }
  }

  void add_limits() {
    const auto add = [&](double limit, auto&& each, auto&& counts) {
      const int row = made_.linear.add(LinearRow{-std::numeric_limits<double>::max(), limit});
      for (std::size_t pool = 0; pool < problem_.pools.size(); ++pool) {
        if (made_.unit_columns[pool] < 0 || !counts(pool)) continue;
        const double coefficient = each(problem_.pools[pool]);
        if (coefficient > 0) made_.linear.put(row, made_.unit_columns[pool], coefficient);
      }
    };
    if (problem_.limits.budget) {
      add(
          to_usd(*problem_.limits.budget),
          [](const PlanPool& pool) { return to_usd(pool.capex_usd_per_unit); },
          [&](std::size_t pool) { return problem_.pools[pool].kind == PoolKind::kBought; });
    }
    if (!problem_.limits.kw) return;
    std::set<std::vector<bool>> known;
    for (std::size_t period = 0; period < made_.periods.size(); ++period) {
      std::vector<bool> there;
      for (std::size_t pool = 0; pool < problem_.pools.size(); ++pool) {
        there.push_back(is_there(problem_.pools[pool], made_.periods[period].front()));
      }
      if (!known.insert(there).second) continue;
      add(
          *problem_.limits.kw, [](const PlanPool& pool) { return pool.kw_per_unit; },
          [&](std::size_t pool) { return there[pool]; });
    }
  }

  /// No more units than hold every run that could be there; the solver gains by small bounds.
  void bound_units() {
    for (std::size_t pool = 0; pool < problem_.pools.size(); ++pool) {
      if (made_.unit_columns[pool] < 0) continue;
      double most = 0;
      for (std::size_t period = 0; period < made_.periods.size(); ++period) {
        const auto load = most_load_.find({pool, period});
        if (load != most_load_.end()) most = std::max(most, std::ceil(load->second));
      }
      if (!needs_[pool].empty()) {
        most = std::max(most, static_cast<double>(needs_[pool].rbegin()->first));
      }
      const PlanPool& facts = problem_.pools[pool];
      if (facts.most_units) most = std::min(most, static_cast<double>(*facts.most_units));
      LinearColumn& column =
          made_.linear.columns[static_cast<std::size_t>(made_.unit_columns[pool])];
      column.upper = std::max(column.lower, most);
    }
  }

  const PlanProblem& problem_;
  PlanProgramme made_;
  std::vector<bool> useless_;  ///< by pool
  /// By pool: connected units needed, more than are there anyway, and the shares that need them.
  std::vector<std::map<std::int64_t, std::vector<int>>> needs_;
  /// By pool and period: units that hold all that could be there.
  std::map<std::pair<std::size_t, std::size_t>, double> most_load_;
};

}  // namespace

PlanProgramme programme_of(const PlanProblem& problem) { return ProgrammeBuilder(problem).built(); }

std::vector<std::int64_t> PlanProgramme::units(const std::vector<double>& values, double up) const {
  std::vector<std::int64_t> units;
  for (const int column : unit_columns) {
    const double value = column < 0 ? 0 : values[static_cast<std::size_t>(column)];
    units.push_back(static_cast<std::int64_t>(std::floor(value + up + 1e-6)));
  }
  return units;
}

}  // namespace sizesheet
