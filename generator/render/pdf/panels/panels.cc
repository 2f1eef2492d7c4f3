// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/panels/panels.h"

#include "render/pdf/page/page_layout.h"

namespace sizesheet::pdf {

void draw_panel_title(Sketch& sketch, const PanelFrame& frame,
                      const std::vector<std::string>& titles) {
  sketch.rule(frame.x, frame.top, 0.6, kInk);
  const Style style = bold(9);
  const Point at{frame.x.x0, frame.title()};
  if (sketch.fitting(titles, style, frame.x.width()) != nullptr) {
    sketch.text_in(frame.x.width(), at, Align::kLeft, style, "panel title", titles);
  } else {
    sketch.text_in(frame.x.width(), at, Align::kLeft, condensed_bold(9), "panel title", titles);
  }
}

}  // namespace sizesheet::pdf
