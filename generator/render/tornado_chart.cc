// SPDX-License-Identifier: Apache-2.0
#include "render/tornado_chart.h"

#include <algorithm>
#include <cmath>

#include "render/charts.h"
#include "render/phrases.h"
#include "support/text.h"

namespace sizesheet {

namespace {

constexpr std::size_t kMostBars = 8;
constexpr std::int64_t kCent = 10'000;  // micro-dollars

MicroUsd lower(const Sensitivity& bar) {
  return std::min(bar.own_usd_per_gpu_hour_low, bar.own_usd_per_gpu_hour_high);
}
MicroUsd upper(const Sensitivity& bar) {
  return std::max(bar.own_usd_per_gpu_hour_low, bar.own_usd_per_gpu_hour_high);
}

Range range_of(const Sensitivity& bar, MicroUsd base) {
  Range range;
  range.label = bar.title;
  // The unit stands once, behind the high end, but for the sign of money.
  const std::string low_unit = starts_with(bar.unit, "USD")     ? "USD"
                               : starts_with(bar.unit, "share") ? bar.unit
                                                                : "";
  range.sublabel = input_value(bar.low, low_unit) + " to " + input_value(bar.high, bar.unit) +
                   ": $" + hourly_usd(bar.own_usd_per_gpu_hour_low) + " to $" +
                   hourly_usd(bar.own_usd_per_gpu_hour_high);
  range.low = to_usd(lower(bar));
  range.mark = to_usd(base);
  range.high = to_usd(upper(bar));
  return range;
}

/// From a tick below the lowest to a tick above the highest.
Axis price_axis(const std::vector<Range>& ranges) {
  Axis axis{"$ a used GPU-hour, owned", 0, 0, {}};
  if (ranges.empty()) return axis;
  axis.low = ranges.front().low;
  for (const Range& range : ranges) {
    axis.low = std::min(axis.low, range.low);
    axis.high = std::max(axis.high, range.high);
  }
  const std::vector<double> steps = nice_ticks(std::max(axis.high - axis.low, 0.01));
  const double step = steps.size() > 1 ? steps[1] : 1;
  axis.low = step * std::floor(axis.low / step);
  axis.high = step * std::ceil(axis.high / step);
  const auto count = static_cast<int>(std::lround((axis.high - axis.low) / step));
  for (int i = 0; i <= count; ++i) axis.ticks.push_back(axis.low + i * step);
  return axis;
}

}  // namespace

std::string input_value(double value, const std::string& unit) {
  const auto plain = [](double number) {
    return std::abs(number) >= 1000 ? format_number(number, 0) : shortest(number);
  };
  if (starts_with(unit, "share")) return shortest(std::round(value * 1e6) / 1e4) + "\u00a0%";
  if (starts_with(unit, "USD")) return "$" + plain(value) + unit.substr(3);
  if (unit.empty() || unit == "ratio") return plain(value);
  return plain(value) + "\u00a0" + unit;
}

std::string tornado_conclusion(const Sheet& sheet, const Tornado& tornado) {
  const Row* row = sheet.find(tornado.row_key);
  if (row == nullptr || tornado.bars.empty()) return "";
  const Sensitivity& first = tornado.bars.front();
  return "A used GPU-hour of " + set_up(sheet, *row) + " costs $" +
         hourly_usd(tornado.own_usd_per_gpu_hour) + ". Widest with “" + first.title + "”: $" +
         hourly_usd(lower(first)) + " to $" + hourly_usd(upper(first)) + ".";
}

Chart tornado_chart(const Sheet& sheet, const Tornado& tornado) {
  Ranges body;
  body.decimals = 2;
  std::vector<std::string> parts;
  for (const Sensitivity& bar : tornado.bars) {
    if (body.ranges.size() == kMostBars || (upper(bar) - lower(bar)).value < kCent) continue;
    body.ranges.push_back(range_of(bar, tornado.own_usd_per_gpu_hour));
    parts.push_back(bar.title + " " + body.ranges.back().sublabel);
  }
  body.axis = price_axis(body.ranges);
  Chart chart;
  chart.id = "tornado";
  chart.title = "What moves the price of an owned GPU-hour";
  chart.conclusion = tornado_conclusion(sheet, tornado);
  chart.description = parts.empty() ? "No input moves it by a cent." : join(parts, ". ") + ".";
  chart.body = std::move(body);
  return chart;
}

}  // namespace sizesheet
