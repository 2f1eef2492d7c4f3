// SPDX-License-Identifier: Apache-2.0
#include "render/accuracy_chart.h"

#include <algorithm>
#include <cmath>

#include "render/phrases.h"
#include "support/text.h"

namespace sizesheet {

namespace {

constexpr double kTickStep = 10;  // per cent
constexpr double kNoise = 1e-9;   // 10.000000000000009 % ends at the tick of 10 %

const AccuracySource* source_of(const Accuracy& accuracy, const std::string& id) {
  for (const AccuracySource& source : accuracy.sources) {
    if (source.id == id) return &source;
  }
  return nullptr;
}

Range range_of(const Accuracy& accuracy, const AccuracyGroup& group, bool AccuracySource::*out) {
  const AccuracySource* source = source_of(accuracy, group.name);
  const ErrorStats& errors = group.errors;
  Range range;
  range.label = source != nullptr ? source->title : group.name;
  range.sublabel = (source != nullptr && source->*out ? "held out, " : "") +
                   format_integer(errors.n) + (errors.n == 1 ? " figure" : " figures") +
                   ", median " + share_words(errors.median);
  range.low = 100 * errors.low;
  range.mark = 100 * errors.bias;
  range.high = 100 * errors.high;
  return range;
}

Axis error_axis(const std::vector<Range>& ranges) {
  Axis axis{"predicted over measured, less one, %", -kTickStep, kTickStep, {}};
  for (const Range& range : ranges) {
    axis.low = std::min(axis.low, kTickStep * std::floor(range.low / kTickStep + kNoise));
    axis.high = std::max(axis.high, kTickStep * std::ceil(range.high / kTickStep - kNoise));
  }
  const double step = axis.high - axis.low > 100 ? 5 * kTickStep : kTickStep;
  for (double tick = step * std::ceil(axis.low / step); tick <= axis.high; tick += step) {
    axis.ticks.push_back(tick);
  }
  return axis;
}

std::string description_of(const std::vector<Range>& ranges) {
  std::vector<std::string> parts;
  for (const Range& range : ranges) {
    parts.push_back(range.label + ": " + format_number(range.low, 1) + " to " +
                    format_number(range.high, 1) + " %, " + range.sublabel);
  }
  return parts.empty() ? "No figure to compare." : join(parts, "; ") + ".";
}

}  // namespace

Chart error_ranges_chart(const Accuracy& accuracy) {
  Ranges body;
  for (const AccuracyGroup& group : accuracy.all.by_source) {
    body.ranges.push_back(range_of(accuracy, group, &AccuracySource::held_out));
  }
  body.axis = error_axis(body.ranges);
  return {"error-ranges", "Errors of the estimates by source, %", "", description_of(body.ranges),
          body};
}

Chart speed_ranges_chart(const Accuracy& accuracy) {
  Ranges body;
  for (const AccuracyGroup& group : accuracy.speed.all.by_source) {
    body.ranges.push_back(range_of(accuracy, group, &AccuracySource::speed_held_out));
  }
  body.axis = error_axis(body.ranges);
  return {"speed-ranges", "Errors of the speeds by source, %", "", description_of(body.ranges),
          body};
}

}  // namespace sizesheet
