// SPDX-License-Identifier: Apache-2.0
// The speed part of the accuracy page.
#pragma once

#include "sheet/sheet.h"
#include "support/json.h"

namespace sizesheet {

/// Adds has_speed and, where a speed was compared, the values of its section.
void add_speed_values(Json& values, const Accuracy& accuracy);

}  // namespace sizesheet
