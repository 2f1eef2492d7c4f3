// SPDX-License-Identifier: Apache-2.0
// Plain bars: a label, a bar from zero on, and the figure at its end.
#pragma once

#include "render/chart.h"
#include "render/svg/svg_bars.h"

namespace sizesheet {

SvgBody svg_amounts(const AmountBars& bars);

}  // namespace sizesheet
