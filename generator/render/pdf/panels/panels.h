// SPDX-License-Identifier: Apache-2.0
// The three panels under the table, each drawn into a frame, and what the third one tells.
#pragma once

#include <string>
#include <vector>

#include "render/pdf/drawing/sketch.h"

namespace sizesheet::pdf {

struct PanelFrame {
  Span x;
  double top = 0;     ///< the rule over the title
  double bottom = 0;  ///< baseline of the tick labels
  bool compact = false;

  double title() const { return top + 11; }
  double first_line() const { return top + 22; }
  double axis() const { return bottom - 8.8; }
};

/// One entry of the third panel: a bold figure or change, a subject, a line of detail, a word.
struct Finding {
  std::string before;  ///< "16", or the whole figure when `after` is empty
  std::string after;   ///< "24": an arrow stands between
  std::string subject;
  std::string detail;
  std::string word;
  std::string brief = {};  ///< of the detail, where that is too long; may be empty
};

/// Most telling first: the panel draws as many as it has room for.
struct FindingsPage {
  std::vector<std::string> titles;  ///< longest first
  std::string aside;
  std::vector<Finding> findings;
};

}  // namespace sizesheet::pdf
