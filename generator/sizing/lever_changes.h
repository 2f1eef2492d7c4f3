// SPDX-License-Identifier: Apache-2.0
// The one list of changes that may shrink a bill: what each sets, what it costs beside time, and
// whether the job makes it already.
#pragma once

#include <string>
#include <vector>

#include "sizing/variation.h"

namespace sizesheet {

/// Where a change may be offered.
enum class LeverReach {
  kPlain,   ///< leaves what is trained, and on which tokens, as it is: a sentence may name it
  kCostly,  ///< costs much time or changes the run: a sentence names it where nothing else helps
  kTable,   ///< stands only where all levers are listed
};

struct LeverChange {
  Variation change;  ///< the lever pulled; where it is in use: `words` names it, `keys` undo it
  LeverReach reach = LeverReach::kPlain;
  std::string gives_up;  ///< beside time, in words
  bool in_use = false;
  bool timed = true;     ///< the speed model knows the keys
  bool same_run = true;  ///< as many weights are trained, on the same tokens
};

/// Every change that this job could make or undo, in a fixed order. Whether model, stack and layout
/// admit it, and whether it saves anything, is for `varied` to say.
std::vector<LeverChange> lever_changes(const Question& question, const Job& job);

}  // namespace sizesheet
