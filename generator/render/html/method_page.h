// SPDX-License-Identifier: Apache-2.0
// Values of method.mustache: how the figures come about, and the constants behind them.
#pragma once

#include "sheet/sheet.h"

namespace sizesheet {

Json method_values(const Sheet& sheet);

}  // namespace sizesheet
