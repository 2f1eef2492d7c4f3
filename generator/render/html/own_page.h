// SPDX-License-Identifier: Apache-2.0
// The page of renting against buying: every pick owned, what moves the figure, one card bought
// against another rented, and the assumptions with their basis.
#pragma once

#include "sheet/sheet.h"

namespace sizesheet {

/// Values of own.mustache, for a sheet that has an ownership part.
Json own_values(const Sheet& sheet, const SheetOwnership& ownership);

}  // namespace sizesheet
