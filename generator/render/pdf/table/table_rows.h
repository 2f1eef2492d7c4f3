// SPDX-License-Identifier: Apache-2.0
// Heads and rows of the table drawn, with the signs of their cells.
#pragma once

#include <optional>

#include "render/pdf/drawing/sketch.h"
#include "render/pdf/page/page_layout.h"
#include "render/pdf/table/columns.h"
#include "render/pdf/table/table.h"

namespace sizesheet::pdf {

/// Places the columns of a table. One that is empty, or has a figure that no column holds, is left
/// out; absent where not even the least columns fit beside so many GPU types.
std::optional<Columns> columns_for(const Sketch& sketch, const PageMetrics& metrics,
                                   const Density& density, const TableText& table);

/// Its heads, its rows, the key under it.
void draw_table(Sketch& sketch, const PageMetrics& metrics, const PageFlow& flow,
                const TableText& table, const Columns& columns);

}  // namespace sizesheet::pdf
