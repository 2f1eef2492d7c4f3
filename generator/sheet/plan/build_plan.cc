// SPDX-License-Identifier: Apache-2.0
#include "sheet/plan/build_plan.h"

#include <algorithm>
#include <array>

#include "catalog/catalog.h"
#include "cost/plan/plan.h"
#include "cost/plan/study.h"
#include "sheet/plan.h"
#include "sheet/plan/plan_task.h"
#include "sheet/spec.h"
#include "support/money.h"
#include "support/named.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// What runs on a pool are paid as, in the order of PoolKind.
constexpr std::array<MicroUsd PlanMonthLine::*, kPoolKinds.size()> kRunsPaidAs{
    &PlanMonthLine::energy_usd,    &PlanMonthLine::energy_usd, &PlanMonthLine::reserved_usd,
    &PlanMonthLine::on_demand_usd, &PlanMonthLine::spot_usd,   &PlanMonthLine::block_usd};

/// Tells what the solver found in the names of the sheet.
class PlanTeller {
 public:
  PlanTeller(const SheetSpec& spec, PlanTask task, const PlanStudy& study)
      : demand_(*spec.plan),
        ranked_by_(spec.pick_rules.planned_by()),
        task_(std::move(task)),
        study_(study) {}

  /// What the plan itself is, and all else that is asked of it where it is the `whole` study.
  SheetPlan tell(bool whole) {
    told_.demand = demand_;
    told_.left_out = task_.left_out;
    add_totals();
    if (!study_.plan.found()) return std::move(told_);
    add_pools();
    add_kinds();
    if (!whole) return std::move(told_);
    add_assignments();
    add_months();
    told_.all_rented = otherwise("all rented", {}, study_.all_rented);
    told_.all_owned = otherwise("no rent by the hour", {}, study_.all_owned);
    told_.nothing_new = otherwise("nothing bought or reserved", {}, study_.nothing_new);
    add_sensitivity();
    add_limits();
    add_regrets();
    return std::move(told_);
  }

 private:
  const PlanProblem& problem() const { return task_.question.problem; }

  /// "" of a plan that was found.
  std::string why_not(const CapacityPlan& plan) const {
    if (plan.found()) return "";
    if (!plan.obstacle) return "no plan was found in the time that there was";
    const PlannedRuns& runs = demand_.runs[plan.obstacle->job];
    const std::string job = runs.model + " by " + runs.method;
    const std::string month = " in month " + std::to_string(plan.obstacle->month + 1);
    switch (plan.obstacle->barrier) {
      case PlanBarrier::kNoWay:
        return "no set-up runs " + job + month +
               (runs.deadline_hours
                    ? " within its deadline of " + shortest(*runs.deadline_hours) + " hours"
                    : std::string());
      case PlanBarrier::kUnits:
        return "machines and reservations hold too little of " + job + month;
      case PlanBarrier::kBudget:
        return "the budget is too small";
      case PlanBarrier::kPower:
        return "the power limit is too low";
      case PlanBarrier::kLimits:
        break;
    }
    return "the budget is too small and the power limit too low";
  }

  void add_totals() {
    const CapacityPlan& plan = study_.plan;
    PlanTotals& totals = told_.totals;
    totals.status = id_of(plan.status);
    totals.why = why_not(plan);
    totals.ranked_by = ranked_by_;
    totals.fixed_usd = plan.fixed_usd;
    totals.runs_usd = plan.runs_usd;
    totals.usd = plan.total();
    totals.gap_usd = plan.gap_usd;
    for (std::size_t pool = 0; pool < plan.units.size(); ++pool) {
      totals.capex_usd += problem().pools[pool].capex_usd_per_unit * plan.units[pool];
    }
    if (study_.middle && study_.middle->found()) totals.usd_mid = study_.middle->total();
    if (study_.upper && study_.upper->found()) totals.usd_high = study_.upper->total();
  }

  /// Only those that hold something.
  void add_pools() {
    std::vector<PlanPoolLine> lines = task_.pools;
    std::vector<double> hours(lines.size());
    for (const PlanAssignment& one : study_.plan.assignments) {
      const std::string& key = task_.price_keys[one.way];
      if (key.empty()) continue;
      lines[problem().ways[one.way].pool].providers.push_back(key.substr(0, key.find('/')));
    }
    for (const PlanPoolMonth& month : study_.plan.pool_months) {
      PlanPoolLine& line = lines[month.pool];
      line.fixed_usd += month.fixed_usd;
      line.runs_usd += month.runs_usd;
      line.usd += month.fixed_usd + month.runs_usd;
      line.used_gpu_hours += month.used_gpu_hours;
      hours[month.pool] += month.gpu_hours.value_or(0);
    }
    for (std::size_t pool = 0; pool < lines.size(); ++pool) {
      PlanPoolLine& line = lines[pool];
      line.units = study_.plan.units[pool];
      line.capex_usd = problem().pools[pool].capex_usd_per_unit * line.units;
      std::ranges::sort(line.providers);
      line.providers.erase(std::unique(line.providers.begin(), line.providers.end()),
                           line.providers.end());
      if (hours[pool] > 0) line.used_share = line.used_gpu_hours / hours[pool];
      if (line.units > 0 || line.used_gpu_hours > 0) told_.pools.push_back(std::move(line));
    }
  }

  void add_assignments() {
    for (const PlanAssignment& one : study_.plan.assignments) {
      const PlanWay& way = problem().ways[one.way];
      const PlannedRuns& runs = demand_.runs[way.job];
      told_.assignments.push_back({static_cast<std::int64_t>(way.job), runs.model, runs.method,
                                   task_.pools[way.pool].id, way.gpus, way.hours,
                                   task_.price_keys[one.way], one.month, one.runs, one.usd});
    }
  }

  void add_months() {
    told_.months.resize(static_cast<std::size_t>(demand_.months));
    for (std::size_t i = 0; i < told_.months.size(); ++i) {
      told_.months[i].month = static_cast<std::int64_t>(i);
    }
    for (const PlanPoolMonth& one : study_.plan.pool_months) {
      PlanMonthLine& line = told_.months.at(static_cast<std::size_t>(one.month));
      const PoolKind kind = problem().pools[one.pool].kind;
      (kind == PoolKind::kReserved ? line.reserved_usd : line.machines_usd) += one.fixed_usd;
      line.*kRunsPaidAs.at(static_cast<std::size_t>(kind)) += one.runs_usd;
      line.usd += one.fixed_usd + one.runs_usd;
    }
  }

  /// Against the plan itself.
  std::vector<PlanUnitsMoved> moves(const CapacityPlan& other) const {
    std::vector<PlanUnitsMoved> moved;
    for (std::size_t i = 0; i < other.units.size(); ++i) {
      const std::int64_t from = study_.plan.units[i];
      const PlanPoolLine& pool = task_.pools[i];
      if (other.units[i] != from) moved.push_back({pool.id, pool.title, from, other.units[i]});
    }
    return moved;
  }

  PlanOtherwise otherwise(const std::string& what, std::optional<double> factor,
                          const CapacityPlan& plan) const {
    if (!plan.found()) return {what, factor, {}, {}, why_not(plan), {}};
    const double usd = to_usd(study_.plan.total());
    const auto share = usd > 0 ? std::optional(to_usd(plan.total()) / usd - 1) : std::nullopt;
    return {what, factor, plan.total(), share, "", moves(plan)};
  }

  void add_sensitivity() {
    const auto changed = [](const PlanVariation& one) {
      return one.rents != 1 ? std::pair("rents", one.rents) : std::pair("demand", one.demand);
    };
    for (const PlanVariation& one : study_.variations) {
      const auto [what, factor] = changed(one);
      told_.sensitivity.push_back(otherwise(what, factor, one.plan));
    }
    if (study_.narrowed) {
      told_.not_searched =
          "With so many kinds of runs and months, nothing searches for the rents or the demand "
          "that would change the plan, nor for what each deadline costs.";
    }
    for (const PlanVariation& one : study_.flips) {
      const auto [what, factor] = changed(one);
      told_.flips.push_back({what, factor, {}, {}, "", moves(one.plan)});
    }
  }

  void add_limits() {
    for (const PlanLimitValue& value : study_.limits) {
      const bool dated = value.limit == PlanLimit::kDeadline;
      const PlannedRuns runs = dated ? demand_.runs[value.job] : PlannedRuns{};
      told_.limits.push_back({id_of(kPlanLimits, value.limit), runs.model, runs.method,
                              value.wider_usd, value.without_usd});
    }
  }

  void add_kinds() {
    for (std::size_t job = 0; job < demand_.runs.size(); ++job) {
      const auto& one_more = study_.plan.marginal_usd_per_run[job];
      PlanKindLine kind{demand_.runs[job].model, demand_.runs[job].method, 0, 0,
                        one_more.front(),        one_more.back(),          {}};
      for (const PlanAssignment& one : study_.plan.assignments) {
        const PlanWay& way = problem().ways[one.way];
        if (way.job == job) add_place(way, one.runs, kind);
      }
      kind.runs_per_month = kind.runs / static_cast<double>(demand_.months);
      for (PlanPlaceLine& place : kind.places) place.share = place.runs / kind.runs;
      told_.kinds.push_back(std::move(kind));
    }
  }

  void add_place(const PlanWay& way, double runs, PlanKindLine& kind) const {
    kind.runs += runs;
    const PlanPoolLine& pool = task_.pools[way.pool];
    for (PlanPlaceLine& place : kind.places) {
      if (place.pool != pool.id || place.gpus != way.gpus) continue;
      place.runs += runs;
      return;
    }
    kind.places.push_back(
        {pool.id, pool.title, way.gpus, runs, 0, task_.set_ups.at({way.job, pool.gpu, way.gpus})});
  }

  void add_regrets() {
    for (std::size_t made = 0; made < study_.regrets.size(); ++made) {
      const PlanRegret& regret = study_.regrets[made];
      const auto moved = regret.plan.found() ? moves(regret.plan) : std::vector<PlanUnitsMoved>{};
      told_.regrets.push_back({task_.question.demands[made].id, moved, regret.usd.at(0),
                               regret.usd.at(1), regret.usd.at(2)});
    }
  }

  const PlanDemand& demand_;
  std::string ranked_by_;
  PlanTask task_;
  const PlanStudy& study_;
  SheetPlan told_;
};

}  // namespace

std::optional<SheetPlan> plan_of(const Catalog& catalog, const SheetSpec& spec, int jobs) {
  if (!spec.plan) return std::nullopt;
  PlanTask task = plan_task(catalog, spec, jobs);
  const PlanStudy found = study(task.question);
  return PlanTeller(spec, std::move(task), found).tell(true);
}

std::optional<SheetPlan> bare_plan_of(const Catalog& catalog, const SheetSpec& spec, int jobs) {
  if (!spec.plan) return std::nullopt;
  PlanTask task = plan_task(catalog, spec, jobs);
  PlanStudy alone;
  alone.plan = solve(task.question.problem, task.question.options);
  return PlanTeller(spec, std::move(task), alone).tell(false);
}

}  // namespace sizesheet
