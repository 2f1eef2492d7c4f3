// SPDX-License-Identifier: Apache-2.0
// The dollars of one run, taken apart: price, quantity, time, and another pick.
#pragma once

#include "sheet/changes.h"

namespace sizesheet {

/// A row against itself in another edition; absent where a side has no dollars a run. First the
/// hours move, then the instances, then the price; the steps are differences of rounded amounts, so
/// they add up to the micro-dollar.
std::optional<ChangeEffects> row_effects(const ChangeSide& old_side, const ChangeSide& new_side);

/// A pick that went to another row: `mix` is that row's old cost less the old pick's, the rest is
/// what the new pick's row did since. `new_pick_in_old` is that row as OLD has it; where OLD has no
/// dollars for it, all is mix.
std::optional<ChangeEffects> pick_effects(const ChangeSide& old_pick,
                                          const ChangeSide* new_pick_in_old,
                                          const ChangeSide& new_pick);

/// Adds part by part.
ChangeEffects& operator+=(ChangeEffects& sum, const ChangeEffects& more);

}  // namespace sizesheet
