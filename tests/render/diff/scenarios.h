// SPDX-License-Identifier: Apache-2.0
// One pair of hand-made editions for each kind of change, and for what else a reader may meet.
#pragma once

#include <string>
#include <vector>

#include "sheet/changes.h"
#include "sheet/diff/edition.h"

namespace sizesheet {

/// A scenario named after a kind of change holds at least one change of that kind.
struct DiffScenario {
  std::string name;
  Edition old_edition;
  Edition new_edition;
};

/// Every kind of `change_kinds()`, then "nothing", "below_threshold", "many" and "hostile".
const std::vector<DiffScenario>& diff_scenarios();

/// Throws std::out_of_range.
const DiffScenario& diff_scenario(const std::string& name);

/// Both editions compared. The scenario "causes" has causes, catalog entries and effects filled in
/// by hand, as the sizing of one group of inputs after the other would.
SheetChanges compared(const DiffScenario& scenario);

}  // namespace sizesheet
