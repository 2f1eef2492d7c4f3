// SPDX-License-Identifier: Apache-2.0
// The table on the page: its heads, its rows, the key under it.
#pragma once

#include "render/pdf/columns.h"
#include "render/pdf/page_metrics.h"
#include "render/pdf/sketch.h"
#include "render/pdf/table_text.h"

namespace sizesheet::pdf {

Columns columns_for(const Sketch& sketch, const PageMetrics& metrics, const TableText& table);

void draw_table_heads(Sketch& sketch, const PageMetrics& metrics, const Columns& columns,
                      const TableText& table);

void draw_table_rows(Sketch& sketch, const PageMetrics& metrics, const PageFlow& flow,
                     const Columns& columns, const TableText& table);

/// The key, one line; gives up explanations from the least needed on until it fits.
void draw_key(Sketch& sketch, const PageMetrics& metrics, const PageFlow& flow,
              const Columns& columns, const TableText& table);

}  // namespace sizesheet::pdf
