// SPDX-License-Identifier: Apache-2.0
// A plan made by hand for tests of writers, on the project's own sheet: a machine bought for
// joining, one that was there, a reservation, and offers by the hour. No figure is the solver's.
#pragma once

#include "sheet/sheet.h"

namespace sizesheet {

/// The quarterly sheet with that plan instead of its own.
const Sheet& planned_sheet();

}  // namespace sizesheet
