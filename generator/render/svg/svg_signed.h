// SPDX-License-Identifier: Apache-2.0
// Bars left and right of a zero line: less to the left, more to the right, the figure beside each.
#pragma once

#include <string>

#include "render/chart.h"
#include "render/svg/svg_bars.h"

namespace sizesheet {

SvgBody svg_signed(const SignedBars& bars);

/// The same inside a table cell: a bar from the middle, `share` of half the width, from -1 to 1.
/// Decoration beside the figure it repeats, so it is hidden from screen readers.
std::string svg_cell_signed(double share, double width = 64);

}  // namespace sizesheet
