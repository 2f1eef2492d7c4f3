// SPDX-License-Identifier: Apache-2.0
#include "render/svg/svg_cell.h"

#include <algorithm>

#include "render/svg/svg_text.h"

namespace sizesheet {

std::string svg_cell_bar(double share, CellBar kind, std::optional<double> mark, double width) {
  const double length = std::clamp(share, 0.0, 1.0) * width;
  std::string inside;
  if (mark) {
    inside += svg_element("rect", {{"class", "free"},
                                   {"y", "2"},
                                   {"width", svg_number(std::clamp(*mark, 0.0, 1.0) * width)},
                                   {"height", "10"}});
  }
  inside += svg_element("rect", {{"class", kind == CellBar::kOver ? "bar-over" : "bar"},
                                 {"y", "2"},
                                 {"width", svg_number(std::max(length, share > 0 ? 1.0 : 0.0))},
                                 {"height", "10"}});
  if (mark) {
    inside += svg_element("rect", {{"class", "bar-mark"},
                                   {"x", svg_number(std::clamp(*mark, 0.0, 1.0) * width - 1)},
                                   {"width", "2"},
                                   {"height", "14"}});
  }
  return svg_parent("svg",
                    {{"class", "cell-bar"},
                     {"aria-hidden", "true"},
                     {"width", svg_number(width)},
                     {"height", "14"}},
                    inside);
}

}  // namespace sizesheet
