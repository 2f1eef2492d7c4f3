// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/causes_totals.h"

#include <algorithm>

namespace sizesheet {
namespace {

using Costs = std::map<std::string, MicroUsd>;

/// Moves `costs` on to the step; returns what that added.
MicroUsd step_on(const Costs& after, Costs& costs) {
  MicroUsd sum;
  for (auto& [pick, usd] : costs) {
    const auto now = after.find(pick);
    if (now == after.end()) continue;
    sum += now->second - usd;
    usd = now->second;
  }
  return sum;
}

CauseTotal total_of(const std::string& group, const std::vector<Change>& changes) {
  CauseTotal total;
  total.group = group;
  for (const Change& change : changes) {
    const auto& cause = change.cause;
    if (std::find(cause.begin(), cause.end(), group) == cause.end()) continue;
    ++(change.of == "row" ? total.rows : total.picks);
  }
  return total;
}

}  // namespace

std::vector<CauseTotal> cause_totals(const Costs& start, const std::vector<CauseStep>& steps,
                                     const Groups& differing, const std::vector<Change>& changes) {
  Costs costs = start;
  if (!steps.empty()) {
    const Costs& end = steps.back().pick_usd;
    std::erase_if(costs, [&](const auto& pick) { return !end.contains(pick.first); });
  }
  std::map<std::string, MicroUsd> usd;
  for (const CauseStep& step : steps) usd[step.group] += step_on(step.pick_usd, costs);
  std::vector<CauseTotal> totals;
  for (const std::string& group : switch_order()) {
    CauseTotal total = total_of(group, changes);
    total.usd = usd[group];
    const bool moved = total.rows > 0 || total.picks > 0 || total.usd != MicroUsd{};
    if (moved || differing.contains(group)) totals.push_back(std::move(total));
  }
  return totals;
}

}  // namespace sizesheet
