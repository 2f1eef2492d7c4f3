// SPDX-License-Identifier: Apache-2.0
// The first panel: memory as bars.
#pragma once

#include "render/pdf/drawing/sketch.h"
#include "render/pdf/panels/panels.h"

namespace sizesheet {

struct StackedBars;

}  // namespace sizesheet

namespace sizesheet::pdf {

/// Stacked memory bills with the limit, the headroom before it and, below each bar, one count
/// fewer.
void draw_bars_panel(Sketch& sketch, const PanelFrame& frame, const StackedBars& bars);

}  // namespace sizesheet::pdf
