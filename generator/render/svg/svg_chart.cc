// SPDX-License-Identifier: Apache-2.0
#include "render/svg/svg_chart.h"

#include "render/svg/svg_bars.h"
#include "render/svg/svg_lines.h"
#include "render/svg/svg_text.h"

namespace sizesheet {

std::string svg(const Chart& chart) {
  const SvgBody body = std::holds_alternative<StackedBars>(chart.body)
                           ? svg_bars(std::get<StackedBars>(chart.body))
                           : svg_lines(std::get<Lines>(chart.body));
  const std::string title_id = chart.id + "-t";
  const std::string description_id = chart.id + "-d";
  return svg_parent("svg",
                    {{"class", "chart"},
                     {"id", chart.id},
                     {"role", "img"},
                     {"aria-labelledby", title_id + " " + description_id},
                     {"width", "100%"},
                     {"height", svg_number(body.height)}},
                    svg_element("title", {{"id", title_id}}, chart.title) +
                        svg_element("desc", {{"id", description_id}}, chart.description) +
                        body.markup);
}

}  // namespace sizesheet
