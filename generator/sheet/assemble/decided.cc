// SPDX-License-Identifier: Apache-2.0
#include "sheet/assemble/decided.h"

#include <set>

#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/plan.h"
#include "sheet/sheet.h"

namespace sizesheet {
namespace {

/// Pools that are paid for whether runs use them or not.
std::set<std::string> committed_pools(const SheetPlan& plan) {
  std::set<std::string> ids;
  for (const PlanPoolLine& pool : plan.pools) {
    if (pool.units > 0) ids.insert(pool.id);
  }
  return ids;
}

bool is_close_to(const SheetPlan& plan, const PlanOtherwise& other) {
  return other.usd && rent_or_own(plan.totals.usd, *other.usd) == RentOrOwn::kClose;
}

/// Applies `decide` to the machine to own of each pick and of its rows.
template <typename Decide>
void decide_machines(Sheet& sheet, const Decide& decide) {
  for (Pick& pick : sheet.picks) {
    if (pick.own) pick.own->decision = decide(pick.model, pick.method, *pick.own);
  }
  for (Row& row : sheet.rows) {
    if (row.owned && sheet.is_main(row)) {
      row.owned->decision = decide(row.model, row.method, *row.owned);
    }
  }
}

}  // namespace

std::optional<RentOrOwn> decided_by(const SheetPlan& plan, const std::string& model,
                                    const std::string& method) {
  const std::set<std::string> committed = committed_pools(plan);
  double all = 0;
  double there = 0;
  for (const PlanKindLine& kind : plan.kinds) {
    if (kind.model != model || kind.method != method) continue;
    for (const PlanPlaceLine& place : kind.places) {
      all += place.runs;
      if (committed.contains(place.pool)) there += place.runs;
    }
  }
  if (!(all > 0)) return std::nullopt;
  const bool owned = 2 * there >= all;
  if (is_close_to(plan, owned ? plan.all_rented : plan.all_owned)) return RentOrOwn::kClose;
  return owned ? RentOrOwn::kBuy : RentOrOwn::kRent;
}

void decide_by_plan(Sheet& sheet) {
  if (!sheet.plan || sheet.plan->demand.example) return;
  const SheetPlan& plan = *sheet.plan;
  decide_machines(sheet, [&](const std::string& model, const std::string& method, const OwnPick&) {
    return decided_by(plan, model, method);
  });
}

void decide_by_use(Sheet& sheet) {
  decide_machines(sheet, [](const std::string&, const std::string&, const OwnPick& own) {
    return own.rent_usd_per_run ? std::optional(rent_or_own(*own.rent_usd_per_run, own.usd_per_run))
                                : std::nullopt;
  });
}

}  // namespace sizesheet
