// SPDX-License-Identifier: Apache-2.0
// The three panels under the table, each drawn into a frame under a title that says what it shows.
#pragma once

#include <string>
#include <vector>

#include "render/pdf/drawing/sketch.h"

namespace sizesheet::pdf {

inline constexpr double kPanelPitch = 10.2;  ///< from one line of a panel to the next

struct PanelFrame {
  Span x;
  double top = 0;     ///< the rule over the title
  double bottom = 0;  ///< the last baseline

  double title() const { return top + 11; }
  double unit() const { return top + 21.4; }  ///< baseline of the line that says the unit
  /// Baseline of a line under the unit.
  double line(std::size_t number) const {
    return unit() + 10.8 + kPanelPitch * static_cast<double>(number);
  }
  /// Lines that have room under the unit.
  std::size_t lines() const {
    std::size_t count = 0;
    while (line(count) <= bottom + 1e-9) ++count;
    return count;
  }
};

/// Rule and title, in the longest form that fits.
void draw_panel_title(Sketch& sketch, const PanelFrame& frame,
                      const std::vector<std::string>& titles);

/// One entry of the third panel: a bold figure or change, a subject, a line of detail, a word.
struct Finding {
  std::string before;  ///< "16", or the whole figure when `after` is empty
  std::string after;   ///< "24": an arrow stands between
  std::string subject;
  std::string detail;
  std::string word;
  std::string brief = {};  ///< the detail in short; may be empty
};

/// Most telling first: the panel draws as many as it has room for.
struct FindingsPage {
  std::vector<std::string> titles;  ///< longest first
  std::vector<Finding> findings;
};

}  // namespace sizesheet::pdf
