// SPDX-License-Identifier: Apache-2.0
// Causes in sum: how many changes name a group, and the dollars that moved as it was switched.
#pragma once

#include "sheet/diff/causes_states.h"

namespace sizesheet {

/// A step from OLD to NEW: the group that was switched, and what the picks cost after it.
struct CauseStep {
  std::string group;
  std::map<std::string, MicroUsd> pick_usd;
};

/// One run of every pick that has a price in OLD (`start`) and after the last step; a pick that has
/// none in between keeps its cost until it has one again, so that the groups add up exactly. A
/// group that moved nothing is left out unless its inputs differ.
std::vector<CauseTotal> cause_totals(const std::map<std::string, MicroUsd>& start,
                                     const std::vector<CauseStep>& steps, const Groups& differing,
                                     const std::vector<Change>& changes);

}  // namespace sizesheet
