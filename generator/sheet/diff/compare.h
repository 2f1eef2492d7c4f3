// SPDX-License-Identifier: Apache-2.0
// Two editions, key by key: what changed, how much it matters, and which dollars moved.
#pragma once

#include "sheet/diff/edition.h"

namespace sizesheet {

/// Everything but causes: `cause`, `because`, `moved` and `causes` stay empty. The order of rows in
/// either edition does not matter. Throws InputError naming a key that stands twice.
SheetChanges compare_editions(const Edition& old_edition, const Edition& new_edition,
                              const ChangeThresholds& thresholds);

}  // namespace sizesheet
