// SPDX-License-Identifier: Apache-2.0
// Stacked bars against their capacity lines, one block of three lines a bar.
#pragma once

#include <string>

#include "render/chart.h"

namespace sizesheet {

/// What stands inside an <svg>, and how many pixels high it is.
struct SvgBody {
  std::string markup;
  double height = 0;
};

SvgBody svg_bars(const StackedBars& bars);

/// "weights", "gradients" …: the class that colours a segment.
const char* segment_class(SegmentKind kind);

}  // namespace sizesheet
