// SPDX-License-Identifier: Apache-2.0
// A plan's problem as a linear programme. Its columns are the units of each pool and, for each job
// and month, the share of its runs that goes one way; what is left of a job goes the cheapest way
// by the hour, which needs no column. Months that do not differ stand in it once, and pools that
// cannot pay not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "cost/plan/plan.h"
#include "cost/plan/solver.h"

namespace sizesheet {

/// Units that one run of the way needs connected; 0 by the hour.
std::int64_t units_needed(const PlanPool& pool, const PlanWay& way);
/// Whether runs may go this way in the month, with enough units.
bool is_open(const PlanPool& pool, const PlanWay& way, std::int64_t month);
/// GPU-hours of a month that a unit offers.
double unit_gpu_hours(const PlanProblem& problem, const PlanPool& pool);
/// Months of its window within the horizon.
std::int64_t months_of(const PlanProblem& problem, const PlanPool& pool);

/// Share of a job's runs, a column.
struct PlanShare {
  std::size_t way = 0;
  int column = 0;
};

/// The runs of a job in the months of a period.
struct PeriodDemand {
  std::size_t job = 0;
  std::size_t period = 0;
  double runs = 0;                     ///< in each of the months; more than 0
  std::optional<std::size_t> by_hour;  ///< cheapest such way: of the rest
  std::vector<PlanShare> shares;
};

class PlanProgramme {
 public:
  /// The problem must outlive it.
  explicit PlanProgramme(const PlanProblem& problem);

  const LinearProgramme& linear() const { return linear_; }
  /// Months with the same runs and the same pools, in order of the first.
  const std::vector<std::vector<std::int64_t>>& periods() const { return periods_; }
  const std::vector<PeriodDemand>& demands() const { return demands_; }
  /// What the programme's cost leaves out, in dollars: all of it by the hour.
  double rest_usd() const { return rest_usd_; }
  /// Of a solution; a part of a unit from 1 - `up` on counts as one.
  std::vector<std::int64_t> units(const std::vector<double>& values, double up = 0.5) const;
  /// The row that holds a pool's runs within its hours; absent where none can be there.
  std::optional<int> capacity_row(std::size_t pool, std::size_t period) const;
  /// The first job and month that no way is open to.
  const std::optional<PlanObstacle>& obstacle() const { return obstacle_; }

 private:
  void find_useless();
  void find_periods();
  void add_units();
  void add_demands();
  void add_demand(PeriodDemand demand, const std::vector<std::size_t>& ways);
  void add_share(PeriodDemand& demand, std::size_t way, int row);
  void add_needs();
  void add_limits();
  void bound_units();
  bool has_pool(std::size_t period, std::size_t pool) const;

  const PlanProblem& problem_;
  std::vector<bool> useless_;  ///< by pool
  LinearProgramme linear_;
  std::vector<std::vector<std::int64_t>> periods_;
  std::vector<PeriodDemand> demands_;
  std::vector<int> unit_columns_;  ///< by pool; -1 by the hour
  std::map<std::pair<std::size_t, std::size_t>, int> capacity_rows_;
  /// By pool: connected units needed, more than are there anyway, and the shares that need them.
  std::vector<std::map<std::int64_t, std::vector<int>>> needs_;
  /// By pool and period: units that hold all that could be there.
  std::map<std::pair<std::size_t, std::size_t>, double> most_load_;
  std::optional<PlanObstacle> obstacle_;
  double rest_usd_ = 0;
};

}  // namespace sizesheet
