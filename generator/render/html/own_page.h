// SPDX-License-Identifier: Apache-2.0
// The page of renting against buying, and that of the plan.
#pragma once

#include "support/json.h"

namespace sizesheet {

struct Sheet;

Json own_values(const Sheet& sheet);   ///< of a sheet that has an ownership part
Json plan_values(const Sheet& sheet);  ///< of a sheet that has one

}  // namespace sizesheet
