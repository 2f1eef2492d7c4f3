// SPDX-License-Identifier: Apache-2.0
// The second panel: hours against dollars as lines with discs.
#pragma once

#include <string>
#include <vector>

#include "render/pdf/drawing/sketch.h"
#include "render/pdf/panels/panels.h"

namespace sizesheet {

struct Lines;

}  // namespace sizesheet

namespace sizesheet::pdf {

/// Lines with discs, named beside the last of them. `conclusions`: longest form first.
void draw_lines_panel(Sketch& sketch, const PanelFrame& frame, const Lines& lines,
                      const std::vector<std::string>& conclusions);

}  // namespace sizesheet::pdf
