// SPDX-License-Identifier: Apache-2.0
// What lies behind the changes: causes in dollars, and the inputs that moved.
#pragma once

#include "sheet/changes.h"
#include "support/json.h"

namespace sizesheet {

inline constexpr int kCents = 2;  ///< decimals of the dollars that changes are told in

/// cause_rows, cause_total …, and causes_unknown in words where they could not be worked out.
void put_causes(Json& values, const SheetChanges& changes);

/// Prices, and every other input: those that a changed row rests on first, the rest folded away.
void put_moved(Json& values, const SheetChanges& changes);

}  // namespace sizesheet
