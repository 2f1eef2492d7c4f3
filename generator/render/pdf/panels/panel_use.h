// SPDX-License-Identifier: Apache-2.0
// The second panel: for how many jobs renting and owning are cheaper, by hours of use.
#pragma once

#include <string>
#include <vector>

#include "render/decision_words.h"
#include "render/pdf/drawing/sketch.h"
#include "render/pdf/panels/panels.h"

namespace sizesheet::pdf {

/// "Up to 300 h per month, all 27 jobs are cheaper to rent", longest form first.
std::vector<std::string> use_titles(const std::vector<UseSplit>& splits);

/// A bar for each use, split into jobs cheaper to rent and to own.
void draw_use_panel(Sketch& sketch, const PanelFrame& frame, const std::vector<UseSplit>& splits);

}  // namespace sizesheet::pdf
