// SPDX-License-Identifier: Apache-2.0
#include "render/svg/svg_ranges.h"

#include <algorithm>

#include "render/svg/svg_text.h"
#include "support/text.h"

namespace sizesheet {

namespace {

constexpr double kRangeBlock = 54;  // pixels from one range's label to the next one's
constexpr double kRangeLabelBaseline = 13;
constexpr double kSublabelBaseline = 28;
constexpr double kRangeBarTop = 34;
constexpr double kRangeBarHeight = 10;
constexpr double kAxisHeight = 44;
constexpr double kRangeLeast = 0.6;  // per cent of the width; a single figure still shows
constexpr double kInset = 1;         // per cent kept free at either end, for the outermost tick
constexpr double kEdgeTick = 4;      // per cent from an edge within which a label turns inward

struct RangeScale {
  const Axis& axis;
  int decimals;
  double x(double value) const {
    const double share = (value - axis.low) / std::max(1e-12, axis.high - axis.low);
    return kInset + (100 - 2 * kInset) * share;
  }
};

std::string upright(const char* shade, double x, double from, double to) {
  return svg_element("line", {{"class", shade},
                              {"x1", svg_percent(x)},
                              {"x2", svg_percent(x)},
                              {"y1", svg_number(from)},
                              {"y2", svg_number(to)}});
}

std::string axis_of(const RangeScale& scale, double bottom) {
  std::string out;
  for (const double tick : scale.axis.ticks) {
    const double x = scale.x(tick);
    const char* anchor = x < kEdgeTick ? "start" : x > 100 - kEdgeTick ? "end" : "middle";
    out += upright(tick == 0 ? "axis" : "grid", x, 0, bottom + 4);
    out += svg_element("text",
                       {{"class", "tick"},
                        {"x", svg_percent(x)},
                        {"y", svg_number(bottom + 18)},
                        {"text-anchor", anchor}},
                       format_number(tick, scale.decimals));
  }
  return out + svg_element("text",
                           {{"class", "unit"},
                            {"x", "100%"},
                            {"y", svg_number(bottom + 36)},
                            {"text-anchor", "end"}},
                           scale.axis.unit);
}

std::string block_of(const Range& range, const RangeScale& scale, double y) {
  const std::string baseline = svg_number(y + kRangeLabelBaseline);
  const double left = scale.x(range.low);
  const double width = std::max(kRangeLeast, scale.x(range.high) - left);
  std::string out =
      svg_element("text", {{"class", "strong halo"}, {"x", "0"}, {"y", baseline}}, range.label);
  out +=
      svg_element("text", {{"class", "halo"}, {"x", "0"}, {"y", svg_number(y + kSublabelBaseline)}},
                  range.sublabel);
  out += svg_element("rect", {{"class", "seg-gradients"},
                              {"x", svg_percent(std::min(left, 100 - width))},
                              {"y", svg_number(y + kRangeBarTop)},
                              {"width", svg_percent(width)},
                              {"height", svg_number(kRangeBarHeight)}});
  return out + upright("range-mark", scale.x(range.mark), y + kRangeBarTop - 2,
                       y + kRangeBarTop + kRangeBarHeight + 2);
}

}  // namespace

SvgBody svg_ranges(const Ranges& ranges) {
  const RangeScale scale{ranges.axis, ranges.decimals};
  const double bottom = kRangeBlock * static_cast<double>(ranges.ranges.size());
  SvgBody body;
  body.markup = axis_of(scale, bottom);
  double y = 0;
  for (const Range& range : ranges.ranges) {
    body.markup += block_of(range, scale, y);
    y += kRangeBlock;
  }
  body.height = bottom + kAxisHeight;
  return body;
}

}  // namespace sizesheet
