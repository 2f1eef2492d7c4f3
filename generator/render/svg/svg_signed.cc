// SPDX-License-Identifier: Apache-2.0
#include "render/svg/svg_signed.h"

#include <algorithm>
#include <cmath>

#include "render/svg/svg_text.h"

namespace sizesheet {

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
