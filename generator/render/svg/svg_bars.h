// SPDX-License-Identifier: Apache-2.0
// Bars as SVG: stacked, plain, ranges, to both sides of a zero, and inside table cells.
#pragma once

#include <optional>
#include <string>

namespace sizesheet {

enum class CellBar { kPlain, kOver };

/// A bar 10 px high and at most `width` px wide; `share` and the capacity mark are parts of the
/// width. Decoration beside the figure it repeats, so it is hidden from screen readers.
std::string svg_cell_bar(double share, CellBar kind = CellBar::kPlain,
                         std::optional<double> mark = std::nullopt, double width = 120);

/// The same inside a table cell: a bar from the middle, `share` of half the width, from -1 to 1.
/// Decoration beside the figure it repeats, so it is hidden from screen readers.
std::string svg_cell_signed(double share, double width = 64);

}  // namespace sizesheet
