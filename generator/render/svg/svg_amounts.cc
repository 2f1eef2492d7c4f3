// SPDX-License-Identifier: Apache-2.0
#include "render/svg/svg_amounts.h"

#include <algorithm>

#include "render/svg/svg_text.h"

namespace sizesheet {

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

}  // namespace sizesheet
