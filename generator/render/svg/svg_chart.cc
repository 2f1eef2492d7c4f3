// SPDX-License-Identifier: Apache-2.0
#include "render/svg/svg_chart.h"

#include "render/svg/svg_amounts.h"
#include "render/svg/svg_bars.h"
#include "render/svg/svg_lines.h"
#include "render/svg/svg_ranges.h"
#include "render/svg/svg_signed.h"
#include "render/svg/svg_text.h"

namespace sizesheet {

namespace {

SvgBody body_of(const StackedBars& bars) { return svg_bars(bars); }
SvgBody body_of(const Lines& lines) { return svg_lines(lines); }
SvgBody body_of(const Ranges& ranges) { return svg_ranges(ranges); }
SvgBody body_of(const SignedBars& bars) { return svg_signed(bars); }
SvgBody body_of(const AmountBars& bars) { return svg_amounts(bars); }

}  // namespace

std::string svg(const Chart& chart) {
  const SvgBody body = std::visit([](const auto& kind) { return body_of(kind); }, chart.body);
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
