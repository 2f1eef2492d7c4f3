// SPDX-License-Identifier: Apache-2.0
// Values of prices.mustache: every rental price, the purchase prices and the rates behind owning.
#pragma once

#include "sheet/sheet.h"

namespace sizesheet {

Json prices_values(const Sheet& sheet);

}  // namespace sizesheet
