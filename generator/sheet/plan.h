// SPDX-License-Identifier: Apache-2.0
// The plan of a sheet: what is asked for (runs of each kind a month, what is there already,
// limits), and what follows: which machines to own, which to reserve, what to rent by the hour, and
// why.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalog/prices/purchase.h"
#include "sizing/job/layout_shape.h"
#include "support/described.h"
#include "support/money.h"

namespace sizesheet {

// ---- What is asked for: `plan` of a sheet's specification.

/// An uncertain figure of the demand.
struct DemandRange {
  double low = 0;
  double expected = 0;
  double high = 0;
};
BOOST_DESCRIBE_STRUCT(DemandRange, (), (low, expected, high))

/// Runs of one kind in each month.
struct PlannedRuns {
  std::string model;
  std::string method;
  DemandRange runs_per_month;
  std::int64_t tokens = 0;               ///< of a run
  std::optional<double> deadline_hours;  ///< by the upper end of a run's hours
};
BOOST_DESCRIBE_STRUCT(PlannedRuns, (), (model, method, runs_per_month, tokens, deadline_hours))

/// Machines that are there: running them costs what the sheet's rates say, and what is still in the
/// books is written off and paid interest on over the years that are left.
struct MachinesThere {
  std::string machine;  ///< id of a purchase node
  std::int64_t count = 0;
  MicroUsd book_usd;  ///< of each
  double years_left = 0;
  std::optional<std::int64_t> until_month;  ///< one past the last
};
BOOST_DESCRIBE_STRUCT(MachinesThere, (), (machine, count, book_usd, years_left, until_month))

/// Reserved instances whose contract runs.
struct RunningContract {
  std::string gpu;
  std::int64_t gpus = 0;  ///< of an instance
  std::int64_t instances = 0;
  MicroUsd usd_per_month;        ///< of each
  std::int64_t until_month = 0;  ///< one past the last
  bool connected = false;        ///< a run may span them
};
BOOST_DESCRIBE_STRUCT(RunningContract, (),
                      (gpu, gpus, instances, usd_per_month, until_month, connected))

struct PlanDemand {
  bool example = false;  ///< nobody's own
  std::int64_t months = 12;
  DemandRange growth_per_quarter;  ///< of every kind of run, a share
  std::vector<PlannedRuns> runs;
  std::vector<MachinesThere> machines;
  std::vector<RunningContract> contracts;
  std::optional<MicroUsd> budget_usd;  ///< of all purchases
  std::optional<double> kw;            ///< that all machines may draw at full load
  double owned_use = 0.85;             ///< share of a month's hours that machines can be used
  double reserved_use = 1;
  bool spot = false;       ///< runs may go on spot instances
  bool blocks = false;     ///< and in capacity blocks, one for each run
  double lead_months = 3;  ///< from order to delivery, of machines of which nothing is known
  std::map<std::string, double> lead_months_of;  ///< of some, in the place of the catalog's weeks
};
BOOST_DESCRIBE_STRUCT(PlanDemand, (),
                      (example, months, growth_per_quarter, runs, machines, contracts, budget_usd,
                       kw, owned_use, reserved_use, spot, blocks, lead_months, lead_months_of))

// ---- What follows from it: `plan` of sheet.json. Money is of all months together where its name
// says nothing else, and at what the plan is ranked by (`PlanTotals`).

/// Where runs are: machines, reserved instances, or an offer by the hour.
struct PlanPoolLine {
  std::string id;
  std::string title;
  std::string kind;  ///< owned | bought | reserved | on-demand | spot | block
  std::string gpu;
  std::int64_t units = 0;  ///< machines or instances; 0 by the hour
  std::int64_t gpus_per_unit = 0;
  std::int64_t from_month = 0;
  std::int64_t until_month = 0;             ///< one past the last
  std::string machine;                      ///< id of a purchase node
  std::optional<double> lead_months;        ///< of bought ones, from order to delivery
  std::optional<LeadTime> lead_time_weeks;  ///< where those months follow from the catalog's
  bool joined = false;                      ///< machines bought with a network that a run may span
  std::string price_key;                    ///< of a reservation
  std::vector<std::string> providers;       ///< whom its runs are rented from, by name
  MicroUsd usd_per_unit_month;
  MicroUsd capex_usd;
  MicroUsd fixed_usd;  ///< used or not
  MicroUsd runs_usd;   ///< rent by the hour, or energy
  MicroUsd usd;        ///< the two together
  double used_gpu_hours = 0;
  std::optional<double> used_share;  ///< of the hours that it can be used; absent by the hour
};
BOOST_DESCRIBE_STRUCT(PlanPoolLine, (),
                      (id, title, kind, gpu, units, gpus_per_unit, from_month, until_month, machine,
                       lead_months, lead_time_weeks, joined, price_key, providers,
                       usd_per_unit_month, capex_usd, fixed_usd, runs_usd, usd, used_gpu_hours,
                       used_share))

/// A machine on sale that the plan cannot buy.
struct PlanLeftOut {
  std::string machine;  ///< id of a purchase node
  std::string title;
  std::string why;  ///< "no quote", or that it comes too late
};
BOOST_DESCRIBE_STRUCT(PlanLeftOut, (), (machine, title, why))

/// What a month costs, by what is paid for.
struct PlanMonthLine {
  std::int64_t month = 0;
  MicroUsd machines_usd;  ///< owned or bought, used or not
  MicroUsd reserved_usd;
  MicroUsd energy_usd;  ///< of runs on machines
  MicroUsd on_demand_usd;
  MicroUsd spot_usd;
  MicroUsd block_usd;
  MicroUsd usd;  ///< the sum
};
BOOST_DESCRIBE_STRUCT(PlanMonthLine, (),
                      (month, machines_usd, reserved_usd, energy_usd, on_demand_usd, spot_usd,
                       block_usd, usd))

/// Runs of one kind in a pool and month.
struct PlanAssignmentLine {
  std::int64_t kind = 0;  ///< of the demand's runs, from 0
  std::string model;
  std::string method;
  std::string pool;
  std::int64_t gpus = 0;
  double hours = 0;       ///< of a run, at what the plan is ranked by
  std::string price_key;  ///< by the hour
  std::int64_t month = 0;
  double runs = 0;
  MicroUsd usd;  ///< of these runs, beyond what the pool costs anyway
};
BOOST_DESCRIBE_STRUCT(PlanAssignmentLine, (),
                      (kind, model, method, pool, gpus, hours, price_key, month, runs, usd))

struct PlanUnitsMoved {
  std::string pool;
  std::string title;
  std::int64_t from = 0;
  std::int64_t to = 0;
};
BOOST_DESCRIBE_STRUCT(PlanUnitsMoved, (), (pool, title, from, to))

/// The same months otherwise.
struct PlanOtherwise {
  std::string what;  ///< "demand" | "rents" | "all rented" …
  std::optional<double> factor;
  std::optional<MicroUsd> usd;      ///< absent where it cannot be
  std::optional<double> usd_share;  ///< over the plan's, less 1
  std::string why;                  ///< it cannot, or ""
  std::vector<PlanUnitsMoved> moves;
};
BOOST_DESCRIBE_STRUCT(PlanOtherwise, (), (what, factor, usd, usd_share, why, moves))

/// What a run is on so many GPUs of a type.
struct PlanSetUp {
  static constexpr bool kLiesFlat = true;

  JobChoices choices;
  std::optional<bool> certain;  ///< it fits up to the upper end of its range
};
BOOST_DESCRIBE_STRUCT(PlanSetUp, (), (choices, certain))

/// Where runs of a kind are, over all months.
struct PlanPlaceLine {
  std::string pool;
  std::string title;
  std::int64_t gpus = 0;
  double runs = 0;
  double share = 0;  ///< of all of the kind
  PlanSetUp set_up;
};
BOOST_DESCRIBE_STRUCT(PlanPlaceLine, (), (pool, title, gpus, runs, share, set_up))

/// A kind of run, and what one more costs in the first month and in the last, with the units as
/// they are.
struct PlanKindLine {
  std::string model;
  std::string method;
  double runs = 0;  ///< in all months
  double runs_per_month = 0;
  std::optional<MicroUsd> one_more_usd;
  std::optional<MicroUsd> one_more_last_usd;
  std::vector<PlanPlaceLine> places;
};
BOOST_DESCRIBE_STRUCT(PlanKindLine, (),
                      (model, method, runs, runs_per_month, one_more_usd, one_more_last_usd,
                       places))

/// What a limit costs: saved with a tenth more of it, and without it.
struct PlanLimitLine {
  std::string limit;   ///< "budget_usd" | "kw" | "deadline_hours"
  std::string model;   ///< of a deadline's runs
  std::string method;  ///< likewise
  MicroUsd wider_usd;
  MicroUsd without_usd;
};
BOOST_DESCRIBE_STRUCT(PlanLimitLine, (), (limit, model, method, wider_usd, without_usd))

/// What the plan made for one demand costs beyond the best under each.
struct PlanRegretLine {
  std::string made_for;               ///< "low" | "expected" | "high"
  std::vector<PlanUnitsMoved> moves;  ///< against the plan itself
  std::optional<MicroUsd> low_usd;
  std::optional<MicroUsd> expected_usd;
  std::optional<MicroUsd> high_usd;
};
BOOST_DESCRIBE_STRUCT(PlanRegretLine, (), (made_for, moves, low_usd, expected_usd, high_usd))

struct PlanTotals {
  std::string status;     ///< "optimal" | "time limit" | "infeasible" | "none found"
  std::string why;        ///< there is no plan, or ""
  std::string ranked_by;  ///< usd_high | usd_mid: the rank of the picks, which the plan minimises
  MicroUsd usd;           ///< what the plan minimises, with hours and dollars at `ranked_by`
  MicroUsd fixed_usd;
  MicroUsd runs_usd;
  MicroUsd capex_usd;
  std::optional<MicroUsd> usd_mid;   ///< in the middle of all hours, with the same units
  std::optional<MicroUsd> usd_high;  ///< at the upper ends of hours, with the same units
  MicroUsd gap_usd;                  ///< no plan is cheaper by more
};

struct SheetPlan {
  PlanDemand demand;
  PlanTotals totals;
  std::vector<PlanPoolLine> pools;    ///< those with units or runs
  std::vector<PlanLeftOut> left_out;  ///< machines on sale that runs could be on
  std::vector<PlanKindLine> kinds;    ///< as in the demand
  std::vector<PlanMonthLine> months;
  std::vector<PlanAssignmentLine> assignments;
  PlanOtherwise all_rented;
  PlanOtherwise all_owned;
  PlanOtherwise nothing_new;
  std::vector<PlanOtherwise> sensitivity;  ///< half and twice the demand, rents at 0.8 and 1.2
  std::vector<PlanOtherwise> flips;        ///< from which factor on other units are better
  std::string not_searched;                ///< what was left out of so large a plan, or ""
  std::vector<PlanLimitLine> limits;
  std::vector<PlanRegretLine> regrets;
};
BOOST_DESCRIBE_STRUCT(SheetPlan, (),
                      (demand, totals, pools, left_out, kinds, months, assignments, all_rented,
                       all_owned, nothing_new, sensitivity, flips, not_searched, limits, regrets))

}  // namespace sizesheet
