// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/diff.h"

#include "sheet/diff/causes.h"

namespace sizesheet {

SheetChanges diff_editions(const Edition& old_edition, const Edition& new_edition,
                           const DiffOptions& options) {
  SheetChanges changes = compare_editions(old_edition, new_edition, options.thresholds);
  find_causes(old_edition, new_edition, options.jobs, changes);
  return changes;
}

}  // namespace sizesheet
