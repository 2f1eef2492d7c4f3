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
#include <utility>
#include <vector>

#include "cost/plan/plan.h"
#include "cost/plan/solver.h"

namespace sizesheet {

// ---- The programme of a plan.

/// Units that one run of the way needs connected; 0 by the hour.
std::int64_t units_needed(const PlanPool& pool, const PlanWay& way);
/// Whether runs may go this way in the month, with enough units.
bool is_open(const PlanPool& pool, const PlanWay& way, std::int64_t month);
/// GPU-hours of a month that a unit offers.
double unit_gpu_hours(const PlanProblem& problem, const PlanPool& pool);

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

struct PlanProgramme {
  LinearProgramme linear;
  /// Months with the same runs and the same pools, in order of the first.
  std::vector<std::vector<std::int64_t>> periods;
  std::vector<std::size_t> period_of;  ///< by month
  std::vector<PeriodDemand> demands;
  double rest_usd = 0;            ///< all of it by the hour, which the programme's cost leaves out
  std::vector<int> unit_columns;  ///< by pool; -1 by the hour
  /// By pool and period the row that holds the runs within the hours; none where none can be there.
  std::map<std::pair<std::size_t, std::size_t>, int> capacity_rows;
  std::optional<PlanObstacle> obstacle;  ///< the first job and month that no way is open to

  /// Of a solution; a part of a unit from 1 - `up` on counts as one.
  std::vector<std::int64_t> units(const std::vector<double>& values, double up = 0.5) const;
};

PlanProgramme programme_of(const PlanProblem& problem);

}  // namespace sizesheet
