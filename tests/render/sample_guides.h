// SPDX-License-Identifier: Apache-2.0
// Two guides and two differences for the sample sheet; invented.
#pragma once

#include <vector>

#include "sheet/sheet.h"

namespace sizesheet::sample {

std::vector<SheetGuide> guides();
std::vector<GuideDifference> guide_differences();

}  // namespace sizesheet::sample
