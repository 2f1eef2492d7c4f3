// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/plan_changes.h"

#include <algorithm>
#include <cmath>

#include "sheet/changes.h"
#include "sheet/diff/edition.h"
#include "sheet/diff/inputs.h"
#include "sheet/plan.h"
#include "sheet/plan/build_plan.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

bool stands(const std::optional<SheetPlan>& plan) { return plan && plan->totals.why.empty(); }

/// Machines and reservations: pools by the hour have no units on either side.
std::vector<PlanUnitsMoved> moved_units(const SheetPlan& from, const SheetPlan& to) {
  std::vector<PlanUnitsMoved> moves;
  for (const PlanPoolLine& pool : from.pools) {
    const PlanPoolLine* now = entry_with(to.pools, &PlanPoolLine::id, pool.id);
    const std::int64_t units = now == nullptr ? 0 : now->units;
    if (units != pool.units) moves.push_back({pool.id, pool.title, pool.units, units});
  }
  for (const PlanPoolLine& pool : to.pools) {
    if (pool.units == 0 || entry_with(from.pools, &PlanPoolLine::id, pool.id)) continue;
    moves.push_back({pool.id, pool.title, 0, pool.units});
  }
  return moves;
}

/// Title of the pool that most runs are in.
std::string main_place(const PlanKindLine& kind) {
  const auto most = std::ranges::max_element(kind.places, {}, &PlanPlaceLine::share);
  return most == kind.places.end() ? "" : most->title;
}

/// Kinds of one model and method differ by tokens and stand in the order of the demand.
std::vector<PlanRunsMoved> moved_runs(const SheetPlan& from, const SheetPlan& to) {
  std::vector<PlanRunsMoved> moves;
  std::vector<PlanKindLine> before = from.kinds;
  for (const PlanKindLine& kind : to.kinds) {
    const auto alike = std::ranges::find_if(before, [&](const PlanKindLine& other) {
      return other.model == kind.model && other.method == kind.method;
    });
    const std::string was = alike == before.end() ? "" : main_place(*alike);
    if (alike != before.end()) before.erase(alike);
    const std::string is = main_place(kind);
    if (was != is) moves.push_back({kind.model, kind.method, was, is});
  }
  for (const PlanKindLine& gone : before) {
    moves.push_back({gone.model, gone.method, main_place(gone), ""});
  }
  return moves;
}

/// A plan that ceased to be breaks; one that came, or buys otherwise, is to be looked at.
std::string level_of(const std::optional<SheetPlan>& from, const std::optional<SheetPlan>& to,
                     const PlanChange& change) {
  if (from && to && stands(from) && !stands(to)) return "breaking";
  const bool same_kind = from.has_value() == to.has_value() && stands(from) == stands(to);
  return !same_kind || !change.moves.empty() ? "notable" : "detail";
}

bool is_below(const PlanChange& change, const ChangeThresholds& thresholds) {
  if (!change.runs.empty() || change.old_months != change.new_months) return false;
  const MicroUsd before = change.old_totals->usd;
  const double moved = std::abs(to_usd(change.new_totals->usd - before));
  return moved == 0 || moved < thresholds.usd_share * to_usd(before);
}

/// What the groups did one after the other.
class PlanSteps {
 public:
  explicit PlanSteps(const SheetPlan& from) : at_(from), why_(from.totals.why) {}

  /// Goes on to `plan`; where there is none the plan before it stays, so that dollars add up.
  void go(const std::string& group, const std::optional<SheetPlan>& plan) {
    if (!plan) return;
    const std::string& why = plan->totals.why;
    if (!why.empty()) {
      if (why != why_) of(group).why = why;
      why_ = why;
      return;
    }
    why_.clear();
    PlanCause& cause = of(group);
    cause.usd += plan->totals.usd - at_.totals.usd;
    for (PlanUnitsMoved& move : moved_units(at_, *plan)) cause.moves.push_back(std::move(move));
    at_ = *plan;
  }

  std::vector<PlanCause> causes() && {
    std::erase_if(causes_, [](const PlanCause& cause) {
      return cause.usd == MicroUsd{} && cause.moves.empty() && cause.why.empty();
    });
    return std::move(causes_);
  }

 private:
  PlanCause& of(const std::string& group) {
    const auto known = std::ranges::find(causes_, group, &PlanCause::group);
    if (known != causes_.end()) return *known;
    return causes_.emplace_back(PlanCause{group, {}, {}, ""});
  }

  SheetPlan at_;
  std::string why_;  ///< of the last step
  std::vector<PlanCause> causes_;
};

}  // namespace

std::optional<PlanChange> plan_change(const Edition& old_edition, const Edition& new_edition,
                                      const ChangeThresholds& thresholds) {
  const std::optional<SheetPlan>& from = old_edition.plan;
  const std::optional<SheetPlan>& to = new_edition.plan;
  if (!from && !to) return std::nullopt;
  PlanChange change;
  if (from) {
    change.old_months = from->demand.months;
    change.old_totals = from->totals;
  }
  if (to) {
    change.new_months = to->demand.months;
    change.new_totals = to->totals;
  }
  if (stands(from) && stands(to)) {
    change.moves = moved_units(*from, *to);
    change.runs = moved_runs(*from, *to);
  }
  change.level = level_of(from, to, change);
  if (change.level == "detail" && is_below(change, thresholds)) return std::nullopt;
  return change;
}

std::vector<PlanCause> plan_causes(const Edition& old_edition, const Edition& new_edition,
                                   const Json& old_inputs, const Json& new_inputs, int jobs) {
  const auto planned = [&](const Groups& from_new) {
    const EditionInputs inputs =
        read_inputs(mixed_inputs(old_inputs, new_inputs, from_new), new_edition.file);
    return bare_plan_of(inputs.catalog, inputs.spec, jobs);
  };
  const std::string engine = "engine";
  PlanSteps steps(*old_edition.plan);
  steps.go(engine, planned({}));
  const Groups differing = differing_groups(old_inputs, new_inputs);
  Groups switched;
  for (const std::string& group : kSwitchOrder) {
    if (!differing.contains(group) || group == kServiceGroup) continue;  // no plan has a service
    switched.insert(group);
    steps.go(group, planned(switched));
  }
  steps.go(engine, new_edition.plan);
  return std::move(steps).causes();
}

}  // namespace sizesheet
