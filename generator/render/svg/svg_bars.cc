// SPDX-License-Identifier: Apache-2.0
// Bars as SVG: stacked, plain, ranges, and to both sides of a zero.

#include <algorithm>
#include <cmath>

#include "render/svg/svg.h"
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

namespace {

constexpr double kAmountBlock = 23;  // pixels from one bar to the next
constexpr double kAmountBarTop = 3;
constexpr double kAmountBarHeight = 16;
constexpr double kBaseline = 15;
constexpr double kLeft = 31;    // per cent of the width kept for the labels
constexpr double kRight = 77;   // … and from here on for the figure of the longest bar
constexpr double kLeast = 0.4;  // per cent; an amount that is not zero still shows

std::string block_of(const AmountBar& bar, double per_unit, double y) {
  const std::string baseline = svg_number(y + kBaseline);
  const std::string weight = bar.marked ? "strong" : "amount-label";
  const double width = bar.value > 0 ? std::max(kLeast, bar.value * per_unit) : 0;
  std::string out =
      svg_element("text", {{"class", weight}, {"x", "0%"}, {"y", baseline}}, bar.label);
  if (width > 0) {
    out += svg_element("rect", {{"class", bar.marked ? "amount-marked" : "amount"},
                                {"x", svg_percent(kLeft)},
                                {"y", svg_number(y + kAmountBarTop)},
                                {"width", svg_percent(width)},
                                {"height", svg_number(kAmountBarHeight)}});
  }
  return out +
         svg_element(
             "text",
             {{"class", weight}, {"x", svg_percent(kLeft + width)}, {"dx", "6"}, {"y", baseline}},
             bar.words);
}

}  // namespace

SvgBody svg_amounts(const AmountBars& bars) {
  double high = 0;
  for (const AmountBar& bar : bars.bars) high = std::max(high, bar.value);
  const double per_unit = high > 0 ? (kRight - kLeft) / high : 0;
  SvgBody body;
  for (const AmountBar& bar : bars.bars) {
    body.markup += block_of(bar, per_unit, body.height);
    body.height += kAmountBlock;
  }
  const std::string zero = svg_percent(kLeft);
  body.markup += svg_element("line", {{"class", "axis"},
                                      {"x1", zero},
                                      {"x2", zero},
                                      {"y1", "0"},
                                      {"y2", svg_number(body.height)}});
  return body;
}

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

namespace {

constexpr double kSignedBlock = 31;  // pixels from one bar to the next
constexpr double kSignedBarTop = 6;
constexpr double kSignedBarHeight = 18;
constexpr double kSignedBaseline = 19;
constexpr double kSignedLeft = 20;   // per cent of the width kept for the labels
constexpr double kSignedRight = 76;  // … and from here on for the figures of the bars on the right
constexpr double kSignedLeast = 0.4;  // per cent; an amount that is not zero still shows

struct SignedScale {
  double zero = kSignedLeft;
  double per_unit = 0;

  double x(double value) const { return zero + value * per_unit; }
};

SignedScale scale_of(const SignedBars& bars) {
  double low = 0;
  double high = 0;
  for (const SignedBar& bar : bars.bars) {
    low = std::min(low, bar.value);
    high = std::max(high, bar.value);
  }
  if (high == low) return {(kSignedLeft + kSignedRight) / 2, 0};
  const double per_unit = (kSignedRight - kSignedLeft) / (high - low);
  return {kSignedLeft - low * per_unit, per_unit};
}

std::string bar_of(const SignedBar& bar, const SignedScale& scale, double y) {
  if (bar.value == 0) return "";
  const double width = std::max(kSignedLeast, std::abs(bar.value) * scale.per_unit);
  return svg_element("rect", {{"class", bar.value < 0 ? "bar-less" : "bar-more"},
                              {"x", svg_percent(bar.value < 0 ? scale.zero - width : scale.zero)},
                              {"y", svg_number(y + kSignedBarTop)},
                              {"width", svg_percent(width)},
                              {"height", svg_number(kSignedBarHeight)}});
}

std::string block_of(const SignedBar& bar, const SignedScale& scale, double y) {
  std::string out;
  if (bar.total) {
    out += svg_element("line", {{"class", "axis"},
                                {"x1", "0%"},
                                {"x2", "100%"},
                                {"y1", svg_number(y)},
                                {"y2", svg_number(y)}});
  }
  const std::string baseline = svg_number(y + kSignedBaseline);
  out += svg_element("text", {{"class", "strong"}, {"x", "0%"}, {"y", baseline}}, bar.label);
  out += bar_of(bar, scale, y);
  return out + svg_element("text",
                           {{"class", "strong"},
                            {"x", svg_percent(scale.x(std::max(0.0, bar.value)))},
                            {"dx", "6"},
                            {"y", baseline}},
                           bar.words);
}

}  // namespace

SvgBody svg_signed(const SignedBars& bars) {
  const SignedScale scale = scale_of(bars);
  SvgBody body;
  for (const SignedBar& bar : bars.bars) {
    body.markup += block_of(bar, scale, body.height);
    body.height += kSignedBlock;
  }
  const std::string zero = svg_percent(scale.zero);
  body.markup += svg_element("line", {{"class", "axis"},
                                      {"x1", zero},
                                      {"x2", zero},
                                      {"y1", "0"},
                                      {"y2", svg_number(body.height)}});
  return body;
}

std::string svg_cell_signed(double share, double width) {
  const double middle = width / 2;
  const double length = std::min(std::abs(share), 1.0) * middle;
  std::string inside;
  if (share != 0) {
    const double shown = std::max(1.0, length);
    inside += svg_element("rect", {{"class", share < 0 ? "bar-less" : "bar-more"},
                                   {"x", svg_number(share < 0 ? middle - shown : middle)},
                                   {"y", "2"},
                                   {"width", svg_number(shown)},
                                   {"height", "10"}});
  }
  inside += svg_element(
      "rect",
      {{"class", "bar-zero"}, {"x", svg_number(middle - 0.5)}, {"width", "1"}, {"height", "14"}});
  return svg_parent("svg",
                    {{"class", "cell-bar"},
                     {"aria-hidden", "true"},
                     {"width", svg_number(width)},
                     {"height", "14"}},
                    inside);
}

}  // namespace sizesheet
