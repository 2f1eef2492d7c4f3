// SPDX-License-Identifier: Apache-2.0
// Ranges on a common axis, one block of a label and a bar each.
#pragma once

#include "render/chart.h"
#include "render/svg/svg_bars.h"

namespace sizesheet {

SvgBody svg_ranges(const Ranges& ranges);

}  // namespace sizesheet
