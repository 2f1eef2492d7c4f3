// SPDX-License-Identifier: Apache-2.0
// Straight lines over an axis, with a marked crossing, an upright mark and a limit.
#pragma once

#include "render/chart.h"
#include "render/svg/svg_bars.h"

namespace sizesheet {

SvgBody svg_lines(const Lines& lines);

}  // namespace sizesheet
