// SPDX-License-Identifier: Apache-2.0
// A Chart as inline SVG for the pages. No viewBox: x is in per cent and y in pixels, so that text
// keeps its size at every width while bars and lines stretch. Colours come from classes in
// style.css.
#pragma once

#include <string>

#include "render/chart.h"

namespace sizesheet {

/// A whole <svg> element with title and description; every id begins with the chart's id.
std::string svg(const Chart& chart);

}  // namespace sizesheet
