// SPDX-License-Identifier: Apache-2.0
// Tables by framework of one invented model for the sample sheet.
#pragma once

#include <vector>

#include "sheet/sheet.h"

namespace sizesheet::sample {

std::vector<SheetFrameworkSet> frameworks();

}  // namespace sizesheet::sample
