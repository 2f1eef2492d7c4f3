// SPDX-License-Identifier: Apache-2.0
// The plan of a quarter: which machines to own, which to reserve and what to rent by the hour, so
// that every run of a mix of jobs has a place in its month and all months together cost least.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "support/money.h"
#include "support/named.h"

namespace sizesheet {

enum class PoolKind {
  kOwned,       ///< there already
  kBought,      ///< against the budget
  kReserved,    ///< paid for each month of a term, used or not
  kRented,      ///< paid by the hour
  kRentedSpot,  ///< paid by the hour, interrupted
  kBlock,       ///< paid by the run, in whole days
};

inline constexpr NameTable<PoolKind, 6> kPoolKinds{{{PoolKind::kOwned, "owned"},
                                                    {PoolKind::kBought, "bought"},
                                                    {PoolKind::kReserved, "reserved"},
                                                    {PoolKind::kRented, "on-demand"},
                                                    {PoolKind::kRentedSpot, "spot"},
                                                    {PoolKind::kBlock, "block"}}};

constexpr const auto& table_of(PoolKind /*of*/) { return kPoolKinds; }

/// Such a pool has no units and no end: what is needed is there, and nothing else is paid.
constexpr bool is_by_the_hour(PoolKind kind) { return kind >= PoolKind::kRented; }

/// Where runs can be: machines, reserved instances, or an offer by the hour. Of the last, only the
/// window counts.
struct PlanPool {
  std::string id;
  std::string title;
  PoolKind kind = PoolKind::kRented;
  std::string gpu;
  std::int64_t gpus_per_unit = 1;    ///< of a machine or a reserved instance
  std::int64_t connected_units = 1;  ///< most of them that one run may span; 0: no run may be there
  double highest_use = 1;            ///< share of a month's hours, above 0
  std::int64_t from_month = 0;       ///< delivered, or the term begins; months count from 0
  std::int64_t until_month = std::numeric_limits<std::int64_t>::max();  ///< one past the last
  std::int64_t least_units = 0;  ///< owned already, or in a contract that runs: then also the most
  std::optional<std::int64_t> most_units;
  MicroUsd usd_per_unit_month;  ///< used or not, in each month of the window
  MicroUsd capex_usd_per_unit;  ///< of bought ones against the budget
  double kw_per_unit = 0;       ///< against the power limit, in each month of the window
};

/// How a job can be run in a pool. A run of n GPUs takes n GPU-hours per hour, and where n is more
/// than a unit has, ceil(n / GPUs of a unit) connected units.
struct PlanWay {
  std::size_t job = 0;
  std::size_t pool = 0;
  std::int64_t gpus = 1;
  double hours = 0;
  MicroUsd usd_per_run;  ///< by the hour its rent, elsewhere what use adds: energy
};

struct PlanJob {
  std::string id;
  std::vector<double> runs;  ///< one for each month; parts of a run are allowed
};

struct PlanLimits {
  std::optional<MicroUsd> budget;  ///< of all purchases together
  std::optional<double> kw;        ///< of all units that are there in a month
};

struct PlanProblem {
  std::vector<PlanJob> jobs;
  std::vector<PlanPool> pools;
  std::vector<PlanWay> ways;
  PlanLimits limits;
  std::int64_t months = 1;
  double hours_per_month = 730;
};

struct PlanOptions {
  /// Of the search for units. What is found then depends on the machine, else on nothing but the
  /// problem.
  double seconds = 5;
};

enum class PlanStatus {
  kOptimal,     ///< nothing is more than a cent cheaper
  kTimeLimit,   ///< the best found until then; `gap_usd` says how far from the best it may be
  kInfeasible,  ///< `obstacle` says why; no figures
  kNoneFound,   ///< the time limit came before any plan; no figures
};

inline constexpr NameTable<PlanStatus, 4> kPlanStatuses{{{PlanStatus::kOptimal, "optimal"},
                                                         {PlanStatus::kTimeLimit, "time limit"},
                                                         {PlanStatus::kInfeasible, "infeasible"},
                                                         {PlanStatus::kNoneFound, "none found"}}};

constexpr const auto& table_of(PlanStatus /*of*/) { return kPlanStatuses; }

enum class PlanBarrier {
  kNoWay,   ///< no way is open to a job in a month
  kBudget,  ///< without it, and with all else as it is, there is a plan
  kPower,   ///< the same (told second where either would do)
  kLimits,  ///< budget and power: without both there is a plan
  kUnits,   ///< the most units of the pools hold too little of a job in a month
};

struct PlanObstacle {
  PlanBarrier barrier = PlanBarrier::kNoWay;
  std::int64_t month = 0;  ///< of kNoWay and kUnits: the first month in which a job
  std::size_t job = 0;     ///< is left out, and the first of those
};

struct PlanAssignment {
  std::size_t way = 0;
  std::int64_t month = 0;
  double runs = 0;  ///< more than 0
  MicroUsd usd;     ///< usd_per_run times the runs, rounded once
};

/// A pool in a month of its window.
struct PlanPoolMonth {
  std::size_t pool = 0;
  std::int64_t month = 0;
  MicroUsd fixed_usd;  ///< of the units, used or not
  MicroUsd runs_usd;   ///< sum of its assignments
  double used_gpu_hours = 0;
  std::optional<double> gpu_hours;  ///< that it has, at its highest use; absent by the hour
  /// What one more of those would save with the units as they are; 0 where some are left over.
  MicroUsd usd_per_gpu_hour;
};

struct CapacityPlan {
  PlanStatus status = PlanStatus::kNoneFound;
  std::optional<PlanObstacle> obstacle;
  std::vector<std::int64_t> units;          ///< by pool; 0 by the hour
  std::vector<PlanAssignment> assignments;  ///< by month, then by job
  std::vector<PlanPoolMonth> pool_months;   ///< by pool, then by month
  /// By job and month: what one more run adds with the units as they are, by the duals of the
  /// linear programme. Where a pool is exactly full it is the dearer or the cheaper side. Absent
  /// where no way is open.
  std::vector<std::vector<std::optional<MicroUsd>>> marginal_usd_per_run;
  MicroUsd fixed_usd;
  MicroUsd runs_usd;
  MicroUsd gap_usd;  ///< no plan is cheaper by more; 0 when proven

  bool found() const { return status == PlanStatus::kOptimal || status == PlanStatus::kTimeLimit; }
  MicroUsd total() const { return fixed_usd + runs_usd; }
};

/// Of each pool the units that are there or in a contract.
std::vector<std::int64_t> least_units(const PlanProblem& problem);

/// The cheapest plan: the units' months within the horizon and the runs. Throws InputError when a
/// figure is out of range or an index is none, std::overflow_error when an amount is.
CapacityPlan solve(const PlanProblem& problem, const PlanOptions& options);

/// The same with the units given, by pool (0 by the hour), whatever the pools say of theirs; the
/// limits hold.
CapacityPlan solve_with_units(const PlanProblem& problem, const std::vector<std::int64_t>& units);

// ---- The questions around a plan: what it would cost otherwise, when it changes, what its limits
// cost and how wrong it can be. Each is answered by solving again, none by a slope: units are
// whole.

enum class PlanLimit { kBudget, kPower, kDeadline };
inline constexpr NameTable<PlanLimit, 3> kPlanLimits{{{PlanLimit::kBudget, "budget_usd"},
                                                      {PlanLimit::kPower, "kw"},
                                                      {PlanLimit::kDeadline, "deadline_hours"}}};

}  // namespace sizesheet
