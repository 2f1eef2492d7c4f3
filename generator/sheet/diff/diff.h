// SPDX-License-Identifier: Apache-2.0
// The whole diff: what changed between two editions, and why.
#pragma once

#include "sheet/diff/compare.h"

namespace sizesheet {

struct DiffOptions {
  ChangeThresholds thresholds;
  int jobs = 1;
};

/// Compares and finds causes. Where OLD does not hold what it was made from, causes stay empty and
/// `causes_unknown` says why.
SheetChanges diff_editions(const Edition& old_edition, const Edition& new_edition,
                           const DiffOptions& options);

}  // namespace sizesheet
