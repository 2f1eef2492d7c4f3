// SPDX-License-Identifier: Apache-2.0
// The measures of the page, in points: one set for each paper, and what depends on the number of
// rows.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "render/pdf/paper.h"

namespace sizesheet::pdf {

struct Span {
  double x0 = 0;
  double x1 = 0;
  double width() const { return x1 - x0; }
};

/// How tightly the rows of the table stand.
struct Density {
  double row = 0;   ///< height
  double font = 0;  ///< size of its text
  double gap = 0;   ///< after a group
};

struct PageMetrics {
  double width = 0;
  double height = 0;
  Span text;  ///< between the margins
  double first_ink = 24;
  double last_ink = 0;
  double sub_size = 0;    ///< of the line under the title
  double notes_rule = 0;  ///< rule above the notes
  std::size_t note_lines = 0;
  double qr_size = 0;
  std::vector<Density> densities;  ///< loosest first
  std::array<Span, 3> panels;
  std::size_t widths = 0;  ///< of the table's columns: 0 those of A4, 1 of US letter
  double count_width = 0;  ///< before the "×" of the pick
};

const PageMetrics& metrics_of(Paper paper);

inline constexpr double kFirstRowTop = 100.6;

/// Where the parts below the table stand, and how tight everything is.
struct PageFlow {
  Density density;
  bool compact_panels = false;  ///< no outline bars, legend and limit label on one line
  double table_bottom = 0;
  double key = 0;  ///< baseline
  double panels_top = 0;
  double panels_bottom = 0;  ///< baseline of the tick labels
};

/// Height of the table's body.
double table_height(const Density& density, std::size_t rows, std::size_t groups);

/// The loosest arrangement that fits. Throws InputError "table: 41 rows need …" when none does.
PageFlow flow_of(const PageMetrics& metrics, std::size_t rows, std::size_t groups);

/// The same page with a line more for the notes, taken from the panels; absent where the rows or
/// the panels would have to shrink for it.
std::optional<PageMetrics> with_longer_notes(const PageMetrics& metrics, std::size_t rows,
                                             std::size_t groups);

}  // namespace sizesheet::pdf
