// SPDX-License-Identifier: Apache-2.0
// The first panel: what a run of one job costs on each GPU type, with its range.
#pragma once

#include <string>
#include <vector>

#include "render/pdf/drawing/sketch.h"
#include "render/pdf/panels/panels.h"

namespace sizesheet {

struct Row;
struct Sheet;

}  // namespace sizesheet

namespace sizesheet::pdf {

/// The set-ups of a pick's model and method, one a GPU type: the pick, and the cheapest of the
/// others by expected dollars, at most so many in all; in the order of those dollars.
std::vector<const Row*> compared_rows(const Sheet& sheet, const Row& pick, std::size_t most);

/// "70B full: B200 is cheapest; MI300X costs 38 % more", longest form first.
std::vector<std::string> ranges_titles(const Sheet& sheet, const Row& pick);

/// A dot for the expected dollars and a bar for nine runs in ten. `pick` may be null.
void draw_ranges_panel(Sketch& sketch, const PanelFrame& frame, const Sheet& sheet,
                       const Row* pick);

}  // namespace sizesheet::pdf
