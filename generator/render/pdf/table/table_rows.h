// SPDX-License-Identifier: Apache-2.0
// Heads and rows of the table drawn, with the signs of their cells.
#pragma once

#include "render/pdf/drawing/sketch.h"
#include "render/pdf/page/page_layout.h"
#include "render/pdf/table/columns.h"
#include "render/pdf/table/table.h"

namespace sizesheet::pdf {

/// A triangle on the baseline, its left corner at `at`.
void draw_triangle(Sketch& sketch, Point at, CountMark mark);

/// The frame behind the pick's number.
void draw_pick_frame(Sketch& sketch, const Rect& area);

/// Places the columns of a table. One that holds no form of one of its figures is left out: a
/// figure is never cut, and never costs the page.
Columns columns_for(const Sketch& sketch, const PageMetrics& metrics, const Density& density,
                    const TableText& table);

/// Its heads, its rows, the key under it.
void draw_table(Sketch& sketch, const PageMetrics& metrics, const PageFlow& flow,
                const TableText& table);

}  // namespace sizesheet::pdf
