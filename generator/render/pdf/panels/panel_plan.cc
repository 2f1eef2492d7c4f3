// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/panels/panel_plan.h"

#include <algorithm>
#include <cmath>

#include "render/change_words.h"
#include "render/changes_words.h"
#include "render/pdf/panels/panels.h"
#include "render/phrases.h"
#include "sheet/decision.h"
#include "sheet/plan.h"
#include "sheet/sheet.h"
#include "support/text.h"

namespace sizesheet::pdf {
namespace {

std::string months_words(const SheetPlan& plan) {
  return counted(plan.demand.months, "month", "months");
}

/// "2 × 8x H100 node" of two.
std::string counted_units(std::int64_t units, const std::string& title) {
  return (units > 1 ? format_integer(units) + " × " : "") + title;
}

/// "buy 2x RTX PRO 6000 workstation", of an example demand without the verb; "4 machines and
/// reservations".
std::string units_in(const SheetPlan& plan) {
  std::vector<const PlanPoolLine*> held;
  std::int64_t units = 0;
  for (const PlanPoolLine& pool : plan.pools) {
    if (pool.units == 0) continue;
    held.push_back(&pool);
    units += pool.units;
  }
  if (held.empty()) return "all by the hour";
  if (held.size() > 1) return format_integer(units) + " machines and reservations";
  const PlanPoolLine& only = *held.front();
  const std::string buys = plan.demand.example ? "" : "buy ";  // nobody's own demand
  const std::string verb = only.kind == "bought"  ? buys
                           : only.kind == "owned" ? "own "
                                                  : "reserve ";
  return verb + counted_units(only.units, only.title);
}

/// "the rest by the hour; all rented $62,333, +3.7 %".
std::string rented_words(const SheetPlan& plan) {
  const bool by_hour = std::ranges::any_of(
      plan.pools, [](const PlanPoolLine& pool) { return pool.gpus_per_unit == 0; });
  const std::string rest =
      by_hour && plan.totals.fixed_usd.value > 0 ? "the rest by the hour; " : "";
  const PlanOtherwise& rented = plan.all_rented;
  if (!rented.usd) return rest + "not all of it can be rented by the hour";
  return rest + "all rented $" + whole_usd(*rented.usd) +
         (rented.usd_share ? ", " + delta_percent(*rented.usd_share) : "");
}

/// What comes: "3 × 8x H100 node"; where nothing does, what goes: "no 8x H100 node".
std::string moved_words(const std::vector<PlanUnitsMoved>& moves) {
  std::vector<std::string> come;
  std::vector<std::string> go;
  for (const PlanUnitsMoved& move : moves) {
    if (move.to > move.from) come.push_back(counted_units(move.to, move.title));
    if (move.to < move.from) {
      go.push_back(move.to == 0 ? "no " + move.title : counted_units(move.to, move.title));
    }
  }
  return join(come.empty() ? go : come, ", ");
}

/// The nearest first: what has to move least.
std::vector<const PlanOtherwise*> nearest_flips(const SheetPlan& plan) {
  std::vector<const PlanOtherwise*> flips;
  for (const PlanOtherwise& flip : plan.flips) {
    if (flip.factor) flips.push_back(&flip);
  }
  std::ranges::stable_sort(
      flips, {}, [](const PlanOtherwise* flip) { return std::abs(std::log(*flip->factor)); });
  return flips;
}

/// The nearest, and below it the others, in short the nearest of what it is not about.
Finding flips_finding(const std::vector<const PlanOtherwise*>& flips) {
  const PlanOtherwise& first = *flips.front();
  Finding finding{away_words(*first.factor - 1), "",
                  first.what + ": then " + moved_words(first.moves), "", ""};
  std::vector<std::string> others;
  for (const PlanOtherwise* flip : flips) {
    if (flip == &first) continue;
    others.push_back(flip->what + " " + away_words(*flip->factor - 1) + ": " +
                     moved_words(flip->moves));
    if (flip->what != first.what && finding.brief.empty()) finding.brief = others.back();
  }
  finding.detail = join(others, "; ");
  return finding;
}

std::vector<Finding> findings_of_plan(const SheetPlan& plan) {
  const std::string of = plan.demand.example ? "example" : "";
  if (!plan.totals.why.empty()) {
    return {{"none", "", "No plan of " + months_words(plan), plan.totals.why, of}};
  }
  const bool upper = plan.totals.ranked_by == kRankedByUpperEnd;
  std::vector<Finding> findings{
      {"$" + whole_usd(plan.totals.usd), "",
       months_words(plan) + (upper ? " at most: " : ": ") + units_in(plan), rented_words(plan),
       of}};
  const auto flips = nearest_flips(plan);
  if (!flips.empty()) findings.push_back(flips_finding(flips));
  return findings;
}

}  // namespace

FindingsPage with_plan_first(FindingsPage page, const Sheet& sheet) {
  if (!sheet.plan) return page;
  const std::vector<Finding> findings = findings_of_plan(*sheet.plan);
  page.findings.insert(page.findings.begin(), findings.begin(), findings.end());
  for (std::string& title : page.titles) title = "The plan, and w" + title.substr(1);
  return page;
}

}  // namespace sizesheet::pdf
