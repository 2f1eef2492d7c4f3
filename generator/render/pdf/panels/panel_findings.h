// SPDX-License-Identifier: Apache-2.0
// The third panel: what to check before an order, or what changed since an earlier edition.
#pragma once

#include <string>
#include <vector>

#include "render/pdf/drawing/sketch.h"
#include "render/pdf/panels/panels.h"

namespace sizesheet {

struct Sheet;
struct SheetChanges;

}  // namespace sizesheet

namespace sizesheet::pdf {

/// As many as there is room for, each wrapped.
void draw_findings_panel(Sketch& sketch, const PanelFrame& frame,
                         const std::vector<Finding>& findings);

/// Without an earlier edition: what to check before an order.
FindingsPage findings_of(const Sheet& sheet);

/// The input that moved most rows, the total, the picks that moved most, the rows that broke, each
/// with its cause. Only what the comparison holds is said.
FindingsPage changed_since(const SheetChanges& changes, const Sheet& sheet);

}  // namespace sizesheet::pdf
