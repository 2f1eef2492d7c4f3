// SPDX-License-Identifier: Apache-2.0
// The table in words and figures, and the key under it.
#pragma once

#include <vector>

#include "render/pdf/drawing/sketch.h"
#include "render/pdf/table/columns.h"
#include "render/pdf/table/table.h"

namespace sizesheet {

struct Sheet;
struct SheetGpu;

}  // namespace sizesheet

namespace sizesheet::pdf {

/// Of the GPU types that the page shows; without them, of all.
TableText table_text(const Sheet& sheet, const std::vector<const SheetGpu*>& gpus);
TableText table_text(const Sheet& sheet);

/// Draws one of the page's two signs, its left end at `at` on the baseline: a question mark where
/// memory is not certain, a ring where there is one seller.
void draw_unsure_mark(Sketch& sketch, Point at);
void draw_seller_mark(Sketch& sketch, Point at);

/// The key, one line. Gives up explanations until it fits, the least needed first; then whole
/// entries from the end, each with a warning.
void draw_key(Sketch& sketch, const PageMetrics& metrics, const PageFlow& flow,
              const Columns& columns, const TableText& table);

}  // namespace sizesheet::pdf
