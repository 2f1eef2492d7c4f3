// SPDX-License-Identifier: Apache-2.0
#include "render/svg/svg_bars.h"

#include <algorithm>
#include <cmath>

#include "render/svg/svg_text.h"
#include "support/text.h"

namespace sizesheet {

namespace {

constexpr double kBlock = 74;  // pixels from one bar's label to the next one's
constexpr double kLabelBaseline = 13;
constexpr double kBarTop = 20;
constexpr double kBarHeight = 26;
constexpr double kNumberFrom = 5.5;  // per cent of the width a number inside needs
constexpr double kWideFrom = 15;     // … on a phone
constexpr double kGapFrom = 1.0;     // narrower segments get no gap, or they would vanish

std::string gib_text(double value) { return format_number(value, 1); }

std::string number_inside(double x, double width, double top, const Segment& segment) {
  if (width < kNumberFrom) return "";
  const std::string shade = segment_class(segment.kind);
  return svg_element("text",
                     {{"class", "in-" + shade + (width < kWideFrom ? " narrow" : "")},
                      {"x", svg_percent(x + width / 2)},
                      {"y", svg_number(top + 17.5)},
                      {"text-anchor", "middle"}},
                     gib_text(segment.value));
}

std::string segments_of(const StackedBar& bar, double scale, double top) {
  std::string out;
  double x = 0;
  for (const Segment& segment : bar.segments) {
    if (segment.value <= 0) continue;
    const double width = segment.value * scale;
    out += svg_element("rect", {{"class", std::string("seg-") + segment_class(segment.kind)},
                                {"x", svg_percent(x)},
                                {"y", svg_number(top)},
                                {"width", svg_percent(width)},
                                {"height", svg_number(kBarHeight)}});
    if (x > 0 && width >= kGapFrom) {
      out += svg_element("rect", {{"class", "gap"},
                                  {"x", svg_percent(x)},
                                  {"y", svg_number(top)},
                                  {"width", "2"},
                                  {"height", svg_number(kBarHeight)}});
    }
    out += number_inside(x, width, top, segment);
    x += width;
  }
  return out;
}

std::string free_words(const StackedBar& bar) {
  if (bar.total > bar.limit) return ", over by " + gib_text(bar.total - bar.limit);
  const double share = std::floor(100 * (bar.limit - bar.total) / bar.limit);
  return ", " + format_number(share, 0) + "\u00a0% free";
}

std::string limit_of(const StackedBar& bar, double scale, double top) {
  const double x = bar.limit * scale;
  const std::string at = svg_percent(x);
  const bool near_left = x < 30;
  return svg_element("line", {{"class", "limit"},
                              {"x1", at},
                              {"x2", at},
                              {"y1", svg_number(top - 4)},
                              {"y2", svg_number(top + kBarHeight + 4)}}) +
         svg_element("text",
                     {{"class", "limit-label"},
                      {"x", at},
                      {"y", svg_number(top + kBarHeight + 17)},
                      {"text-anchor", near_left ? "start" : "end"}},
                     gib_text(bar.limit) + "\u00a0GiB usable");
}

std::string block_of(const StackedBar& bar, double scale, double y) {
  const double top = y + kBarTop;
  const std::string baseline = svg_number(y + kLabelBaseline);
  std::string out = svg_element("text", {{"class", "strong"}, {"x", "0"}, {"y", baseline}},
                                bar.label + " · " + bar.sublabel);
  out += svg_element("text", {{"x", "100%"}, {"y", baseline}, {"text-anchor", "end"}},
                     gib_text(bar.total) + "\u00a0GiB" + free_words(bar));
  out += svg_element("rect", {{"class", "free"},
                              {"x", "0"},
                              {"y", svg_number(top)},
                              {"width", svg_percent(std::max(bar.limit, bar.total) * scale)},
                              {"height", svg_number(kBarHeight)}});
  return out + segments_of(bar, scale, top) + limit_of(bar, scale, top);
}

}  // namespace

const char* segment_class(SegmentKind kind) {
  switch (kind) {
    case SegmentKind::kWeights:
      return "weights";
    case SegmentKind::kGradients:
      return "gradients";
    case SegmentKind::kOptimizer:
      return "optimizer";
    case SegmentKind::kActivations:
      return "activations";
    case SegmentKind::kOther:
      return "other";
  }
  return "other";
}

SvgBody svg_bars(const StackedBars& bars) {
  // The axis of the chart also holds the outline bars of the printed page; here nothing is drawn
  // beyond the cards, so the scale ends at the largest of them.
  double high = 0;
  for (const StackedBar& bar : bars.bars) high = std::max({high, bar.total, bar.limit});
  const double scale = high > 0 ? 99.8 / high : 0;  // the line of the largest card stays inside
  SvgBody body;
  for (const StackedBar& bar : bars.bars) {
    body.markup += block_of(bar, scale, body.height);
    body.height += kBlock;
  }
  return body;
}

}  // namespace sizesheet
