// SPDX-License-Identifier: Apache-2.0
// Counts and dollar totals of a comparison, told as it goes on.
#pragma once

#include "sheet/changes.h"

namespace sizesheet {

/// Counts a compared key whose change is listed.
void count_change(const Change& change, ChangeCounts& counts,
                  std::map<std::string, std::int64_t>& kinds);

/// Counts a compared key that is not listed.
void count_quiet(bool differs, ChangeCounts& counts);

/// Adds one run on either side to the totals; nothing where effects are absent.
void add_run(const ChangeSide& old_side, const ChangeSide& new_side,
             const std::optional<ChangeEffects>& effects, ChangeTotals& totals);

}  // namespace sizesheet
