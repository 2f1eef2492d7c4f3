// SPDX-License-Identifier: Apache-2.0
// What lies behind changes: effects and causes in dollars, and the inputs that moved.
#pragma once

#include "support/json.h"

namespace sizesheet {

struct SheetChanges;

/// What lies behind changes: effects and causes in dollars; the inputs that moved, under
/// "moved_prices" and "moved_others", null where none did.
void put_behind(Json& values, const SheetChanges& changes);

}  // namespace sizesheet
