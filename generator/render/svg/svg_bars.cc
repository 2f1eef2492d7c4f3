// SPDX-License-Identifier: Apache-2.0
#include "render/svg/svg_bars.h"

#include <algorithm>
#include <cmath>

#include "render/charts.h"
#include "render/svg/svg.h"
#include "sheet/sheet.h"
#include "support/json.h"
#include "support/named.h"
#include "support/text.h"

namespace sizesheet {
namespace {

std::string bar_at(const std::string& shade, const std::string& x, double y,
                   const std::string& width, double height) {
  return svg_element("rect", {{"class", shade},
                              {"x", x},
                              {"y", svg_number(y)},
                              {"width", width},
                              {"height", svg_number(height)}});
}

std::string line_at(const std::string& shade, double x1, double x2, double y1, double y2) {
  return svg_element("line", {{"class", shade},
                              {"x1", svg_percent(x1)},
                              {"x2", svg_percent(x2)},
                              {"y1", svg_number(y1)},
                              {"y2", svg_number(y2)}});
}

std::string upright(const std::string& shade, double x, double from, double to) {
  return line_at(shade, x, x, from, to);
}

/// Each bar as `block_of(bar, top)` draws it, `block` pixels from one to the next.
template <typename Bar, typename Block>
SvgBody blocks_of(const std::vector<Bar>& bars, double block, Block block_of) {
  SvgBody body;
  for (const Bar& bar : bars) {
    body.markup += block_of(bar, body.height);
    body.height += block;
  }
  return body;
}

constexpr double kBlock = 74;  // pixels from one bar's label to the next one's
constexpr double kLabelBaseline = 13;
constexpr double kBarTop = 20;
constexpr double kBarHeight = 26;
constexpr double kNumberFrom = 5.5;  // per cent of the width a number inside needs
constexpr double kWideFrom = 15;     // … on a phone
constexpr double kGapFrom = 1.0;     // narrower segments get no gap, or they would vanish

std::string gib_text(double value) { return format_number(value, 1); }

std::string segments_of(const StackedBar& bar, double scale, double top) {
  std::string out;
  double x = 0;
  for (const Segment& segment : bar.segments) {
    if (segment.value <= 0) continue;
    const double width = segment.value * scale;
    const std::string shade = id_of(segment.kind);
    out += bar_at("seg-" + shade, svg_percent(x), top, svg_percent(width), kBarHeight);
    if (x > 0 && width >= kGapFrom) out += bar_at("gap", svg_percent(x), top, "2", kBarHeight);
    if (width >= kNumberFrom) {
      out += svg_text("in-" + shade + (width < kWideFrom ? " narrow" : ""),
                      svg_percent(x + width / 2), top + 17.5, gib_text(segment.value), "middle");
    }
    x += width;
  }
  return out;
}

/// A label over its bar, with words at the right.
std::string words_over(const std::string& label, const std::string& words, double y) {
  return svg_text("strong", "0", y + kLabelBaseline, label) +
         svg_text("", "100%", y + kLabelBaseline, words, "end");
}

std::string free_words(const StackedBar& bar) {
  if (bar.total > bar.limit) return ", over by " + gib_text(bar.total - bar.limit);
  const double share = std::floor(100 * (bar.limit - bar.total) / bar.limit);
  return ", " + format_number(share, 0) + "\u00a0% free";
}

std::string block_of(const StackedBar& bar, double scale, double y) {
  const double top = y + kBarTop;
  const double limit = bar.limit * scale;
  const double bottom = top + kBarHeight;
  return words_over(bar.label + " · " + bar.sublabel,
                    gib_text(bar.total) + "\u00a0GiB" + free_words(bar), y) +
         bar_at("free", "0", top, svg_percent(std::max(bar.limit, bar.total) * scale), kBarHeight) +
         segments_of(bar, scale, top) + upright("limit", limit, top - 4, bottom + 4) +
         svg_text("limit-label", svg_percent(limit), bottom + 17,
                  gib_text(bar.limit) + "\u00a0GiB usable", limit < 30 ? "start" : "end");
}

constexpr double kAmountBlock = 23;  // pixels from one bar to the next
constexpr double kAmountBarTop = 3;
constexpr double kAmountBarHeight = 16;
constexpr double kBaseline = 15;
constexpr double kLeft = 31;    // per cent of the width kept for the labels
constexpr double kRight = 77;   // … and from here on for the figure of the longest bar
constexpr double kLeast = 0.4;  // per cent; an amount that is not zero still shows

/// One shade a part, from `left` on; the bar itself where it has none.
std::string amount_of(const AmountBar& bar, double left, double per_unit, double top) {
  const auto piece = [&](const std::string& shade, double x, double width) {
    return bar_at(shade, svg_percent(x), top, svg_percent(width), kAmountBarHeight);
  };
  if (bar.parts.empty()) {
    return piece(bar.marked ? "amount-marked" : "amount", left,
                 std::max(kLeast, bar.value * per_unit));
  }
  std::string out;
  for (std::size_t i = 0; i < bar.parts.size(); ++i) {
    const double width = bar.parts[i] * per_unit;
    if (width > 0) out += piece("part-" + std::to_string(i + 1), left, std::max(kLeast, width));
    left += width;
  }
  return out;
}

std::string block_of(const AmountBar& bar, double per_unit, double y) {
  const char* weight = bar.marked ? "strong" : "amount-label";
  const double width = bar.value > 0 ? std::max(kLeast, bar.value * per_unit) : 0;
  std::string out = svg_text(weight, "0%", y + kBaseline, bar.label);
  if (width > 0) out += amount_of(bar, kLeft, per_unit, y + kAmountBarTop);
  return out + svg_text(weight, svg_percent(kLeft + width), y + kBaseline, bar.words, "", "6");
}

constexpr double kAboveBlock = 50;  // pixels from one bar to the next, labels over them

/// The label over the bar, with its words at the right.
std::string block_above(const AmountBar& bar, double per_unit, double y) {
  const double top = y + kBarTop;
  std::string out = words_over(bar.label, bar.words, y);
  if (bar.limit) {
    out += bar_at("free", "0", top, svg_percent(*bar.limit * per_unit), kAmountBarHeight);
  }
  if (bar.value > 0) out += amount_of(bar, 0, per_unit, top);
  if (!bar.limit) return out;
  return out + upright("limit", *bar.limit * per_unit, top - 4, top + kAmountBarHeight + 4);
}

constexpr double kRangeBlock = 54;  // pixels from one range's label to the next one's
constexpr double kSublabelBaseline = 28;
constexpr double kRangeBarTop = 34;
constexpr double kRangeBarHeight = 10;
constexpr double kDottedInset = 4;  // pixels above and below a bar that only joins points
constexpr double kAxisHeight = 44;
constexpr double kRangeLeast = 0.6;  // per cent of the width; a single figure still shows
constexpr double kInset = 1;         // per cent kept free at either end, for the outermost tick
constexpr double kEdgeTick = 4;      // per cent from an edge within which a label turns inward

double place_of(double value, const Axis& axis) {
  return kInset + (100 - 2 * kInset) * axis.share(value);
}

std::string axis_of(const Ranges& ranges, double bottom) {
  std::string out;
  for (const double tick : ranges.axis.ticks) {
    const double x = place_of(tick, ranges.axis);
    const char* anchor = x < kEdgeTick ? "start" : x > 100 - kEdgeTick ? "end" : "middle";
    out += upright(tick == 0 ? "axis" : "grid", x, 0, bottom + 4);
    out += svg_text(
        "tick", svg_percent(x), bottom + 18,
        ranges.axis.logarithmic ? ranges.axis.words(tick) : format_number(tick, ranges.decimals),
        anchor);
  }
  return out + svg_text("unit", "100%", bottom + 36, ranges.axis.unit, "end");
}

/// Around the middle of a bar, those that count on top.
std::string points_of(const Range& range, const Axis& axis, double middle) {
  std::string out;
  const auto put = [&](const std::vector<double>& values, const char* shade, const char* radius) {
    for (const double value : values) {
      out += svg_circle(shade, place_of(value, axis), middle, radius);
    }
  };
  put(range.points, "offer", "4");
  put(range.ringed, "offer used", "5");
  return out;
}

std::string block_of(const Range& range, const Axis& axis, double y) {
  const double left = place_of(range.low, axis);
  const double width = std::max(kRangeLeast, place_of(range.high, axis) - left);
  const bool dotted = !range.points.empty() || !range.ringed.empty();
  const double top = y + kRangeBarTop + (dotted ? kDottedInset : 0);
  const double height = kRangeBarHeight - (dotted ? 2 * kDottedInset : 0);
  return svg_text("strong halo", "0", y + kLabelBaseline, range.label) +
         svg_parent(
             "text", {{"class", "halo"}, {"x", "0"}, {"y", svg_number(y + kSublabelBaseline)}},
             escape_xml(range.sublabel) +
                 (range.aside.empty() ? ""
                                      : svg_element("tspan", {{"class", "wide"}}, range.aside))) +
         bar_at("seg-gradients", svg_percent(std::min(left, 100 - width)), top, svg_percent(width),
                height) +
         points_of(range, axis, top + height / 2) +
         upright("range-mark", place_of(range.mark, axis), y + kRangeBarTop - 2,
                 y + kRangeBarTop + kRangeBarHeight + 2);
}

constexpr double kSignedBlock = 31;  // pixels from one bar to the next
constexpr double kSignedBarTop = 6;
constexpr double kSignedBarHeight = 18;
constexpr double kSignedBaseline = 19;
constexpr double kSignedLeft = 20;   // per cent of the width kept for the labels
constexpr double kSignedRight = 76;  // … and from here on for the figures of the bars on the right

struct SignedScale {
  double zero = kSignedLeft;
  double per_unit = 0;
};

SignedScale scale_of(const SignedBars& bars) {
  double low = 0;
  double high = 0;
  for (const AmountBar& bar : bars.bars) {
    low = std::min(low, bar.value);
    high = std::max(high, bar.value);
  }
  if (high == low) return {(kSignedLeft + kSignedRight) / 2, 0};
  const double per_unit = (kSignedRight - kSignedLeft) / (high - low);
  return {kSignedLeft - low * per_unit, per_unit};
}

const char* signed_class(double value) { return value < 0 ? "bar-less" : "bar-more"; }

std::string block_of(const AmountBar& bar, const SignedScale& scale, double y) {
  std::string out = bar.marked ? line_at("axis", 0, 100, y, y) : "";
  out += svg_text("strong", "0%", y + kSignedBaseline, bar.label);
  if (bar.value != 0) {
    const double width = std::max(kLeast, std::abs(bar.value) * scale.per_unit);
    out += bar_at(signed_class(bar.value), svg_percent(scale.zero - (bar.value < 0 ? width : 0)),
                  y + kSignedBarTop, svg_percent(width), kSignedBarHeight);
  }
  const double end = scale.zero + std::max(0.0, bar.value) * scale.per_unit;
  return out + svg_text("strong", svg_percent(end), y + kSignedBaseline, bar.words, "", "6");
}

/// Shapes inside a table cell.
std::string cell_chart(double width, const std::string& inside) {
  return svg_parent("svg",
                    {{"class", "cell-bar"},
                     {"aria-hidden", "true"},
                     {"width", svg_number(width)},
                     {"height", "14"}},
                    inside);
}

/// `x` and `y` as attributes say them; "" for 0.
std::string cell_shape(const char* shade, const std::string& x, const std::string& y, double width,
                       const char* height) {
  return svg_element(
      "rect",
      {{"class", shade}, {"x", x}, {"y", y}, {"width", svg_number(width)}, {"height", height}});
}

}  // namespace

SvgBody svg_body(const StackedBars& bars) {
  // The axis of the chart also holds the outline bars of the printed page; here nothing is drawn
  // beyond the cards, so the scale ends at the largest of them.
  double high = 0;
  for (const StackedBar& bar : bars.bars) high = std::max({high, bar.total, bar.limit});
  const double scale = high > 0 ? 99.8 / high : 0;  // the line of the largest card stays inside
  return blocks_of(bars.bars, kBlock,
                   [&](const StackedBar& bar, double y) { return block_of(bar, scale, y); });
}

SvgBody svg_body(const AmountBars& bars) {
  double high = 0;
  for (const AmountBar& bar : bars.bars) high = std::max({high, bar.value, bar.limit.value_or(0)});
  if (bars.above) {
    const double per_unit = high > 0 ? 99.8 / high : 0;  // a limit at the end stays inside
    return blocks_of(bars.bars, kAboveBlock,
                     [&](const AmountBar& bar, double y) { return block_above(bar, per_unit, y); });
  }
  const double per_unit = high > 0 ? (kRight - kLeft) / high : 0;
  SvgBody body = blocks_of(bars.bars, kAmountBlock, [&](const AmountBar& bar, double y) {
    return block_of(bar, per_unit, y);
  });
  body.markup += upright("axis", kLeft, 0, body.height);
  return body;
}

SvgBody svg_body(const Ranges& ranges) {
  SvgBody body = blocks_of(ranges.ranges, kRangeBlock, [&](const Range& range, double y) {
    return block_of(range, ranges.axis, y);
  });
  return {axis_of(ranges, body.height) + body.markup, body.height + kAxisHeight};
}

SvgBody svg_body(const SignedBars& bars) {
  const SignedScale scale = scale_of(bars);
  SvgBody body = blocks_of(bars.bars, kSignedBlock,
                           [&](const AmountBar& bar, double y) { return block_of(bar, scale, y); });
  body.markup += upright("axis", scale.zero, 0, body.height);
  return body;
}

std::string svg_cell_bar(double share, CellBar kind, std::optional<double> mark, double width) {
  const double length = std::clamp(share, 0.0, 1.0) * width;
  const double capacity = std::clamp(mark.value_or(0), 0.0, 1.0) * width;
  std::string inside = mark ? cell_shape("free", "", "2", capacity, "10") : "";
  inside += cell_shape(kind == CellBar::kOver ? "bar-over" : "bar", "", "2",
                       std::max(length, share > 0 ? 1.0 : 0.0), "10");
  if (mark) inside += cell_shape("bar-mark", svg_number(capacity - 1), "", 2, "14");
  return cell_chart(width, inside);
}

std::string svg_cell_signed(double share, double width) {
  const double middle = width / 2;
  const double shown = std::max(1.0, std::min(std::abs(share), 1.0) * middle);
  std::string inside;
  if (share != 0) {
    inside = cell_shape(signed_class(share), svg_number(share < 0 ? middle - shown : middle), "2",
                        shown, "10");
  }
  return cell_chart(width, inside + cell_shape("bar-zero", svg_number(middle - 0.5), "", 1, "14"));
}

}  // namespace sizesheet
