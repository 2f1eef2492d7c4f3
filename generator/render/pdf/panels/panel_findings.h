// SPDX-License-Identifier: Apache-2.0
// The third panel: what may move the picks, or what changed since an earlier edition.
#pragma once

#include <string>
#include <vector>

#include "render/pdf/drawing/sketch.h"
#include "render/pdf/panels/panels.h"

namespace sizesheet {

struct Sheet;
struct SheetChanges;
struct SheetModel;

}  // namespace sizesheet

namespace sizesheet::pdf {

/// Rule and title; `bar`: the mark of the highlighted size. `aside` stands on the right.
void draw_panel_title(Sketch& sketch, const PanelFrame& frame,
                      const std::vector<std::string>& titles, bool bar,
                      const std::string& aside = "");

void draw_findings_panel(Sketch& sketch, const PanelFrame& frame,
                         const std::vector<Finding>& findings);

/// Without an earlier edition: the risks of its picks, and what the size's adapters take under the
/// fastest stack.
FindingsPage findings_of(const Sheet& sheet, const SheetModel& model);

/// The picks that moved most, the rows that broke, the inputs that moved, each with its cause. Only
/// what the comparison holds is said.
FindingsPage changed_since(const SheetChanges& changes, const Sheet& sheet);

}  // namespace sizesheet::pdf
