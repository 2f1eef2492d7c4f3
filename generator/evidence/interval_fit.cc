// SPDX-License-Identifier: Apache-2.0
// Interval factors from residuals.

#include <algorithm>
#include <cmath>
#include <set>

#include "evidence/validation.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr double kStep = 0.001;  // factors are rounded outward to it

/// What falls into a class.
struct Sample {
  std::vector<double> ratios;  ///< ascending
  std::set<std::string> sources;
};

Sample sample_of(const IntervalWhen& when, const std::vector<Residual>& residuals) {
  Sample sample;
  for (const Residual& residual : residuals) {
    if (!when.holds(residual.facts)) continue;
    sample.ratios.push_back(residual.ratio);
    sample.sources.insert(residual.source);
  }
  std::ranges::sort(sample.ratios);
  return sample;
}

/// Every run of `narrow` is one of `wide` too.
bool wider(const IntervalWhen& wide, const IntervalWhen& narrow) {
  const auto within = [&](const std::string& kind) { return contains(wide.kind, kind); };
  bool all =
      wide.kind.empty() || (!narrow.kind.empty() && std::ranges::all_of(narrow.kind, within));
  for_each_named(wide, narrow, [&](const auto& asked, const auto& also) {
    if constexpr (requires { *asked; }) all = all && (!asked || asked == also);
  });
  return all;
}

std::string counted(const IntervalClass& one) {
  return format_integer(one.n) + (one.n == 1 ? " figure" : " figures") + " from " +
         format_integer(one.sources) + (one.sources == 1 ? " source" : " sources");
}

/// Where the narrowest run of `kept` neighbours starts. Errors lean to one side, so cutting both
/// ends alike would keep the far ones and widen every interval.
std::size_t shortest_window(const std::vector<double>& ascending, std::size_t kept) {
  std::size_t best = 0;
  for (std::size_t first = 0; first + kept <= ascending.size(); ++first) {
    const double width = ascending[first + kept - 1] - ascending[first];
    if (width < ascending[best + kept - 1] - ascending[best]) best = first;
  }
  return best;
}

void put_factors(IntervalClass& one, const Sample& sample, const IntervalRules& rules) {
  const std::size_t n = sample.ratios.size();
  constexpr double kNoise = 1e-9;  // 20 x 5 % is one, whatever the last digit of 0.9 makes of it
  const auto out = static_cast<std::size_t>(static_cast<double>(n) * (1 - rules.coverage) + kNoise);
  const std::size_t first = shortest_window(sample.ratios, n - out);
  const double low = sample.ratios[first] * (1 - rules.new_source);
  const double high = sample.ratios[first + n - out - 1] * (1 + rules.new_source);
  one.low = std::min(1.0, std::floor(low / kStep) * kStep);
  one.high = std::max(1.0, std::ceil(high / kStep) * kStep);
  // Products of a whole number and 0.001 carry noise in the last digit; the text shall not.
  one.low = std::round(one.low * 1000) / 1000;
  one.high = std::round(one.high * 1000) / 1000;
  const double half_width = (one.high - one.low) / 2;
  one.grade = half_width <= rules.grade_a ? "A" : half_width <= rules.grade_b ? "B" : "C";
  one.basis = counted(one) + ", " + format_integer(static_cast<std::int64_t>(out)) + " left out.";
}

/// What nothing or too little was measured of is taken as the wider class, and widened by what a
/// source left out of the fit was off by.
void widen(IntervalClass& one, const IntervalClass& wide, double share) {
  one.low = std::round(1000 * wide.low * (1 - share)) / 1000;
  one.high = std::round(1000 * wide.high * (1 + share)) / 1000;
  one.basis = (one.n == 0 ? "Nothing measured" : "Too few: " + counted(one)) + ". Taken as \"" +
              wide.title + "\", widened by " + format_number(100 * share, 0) + " % either way.";
}

void borrow(IntervalClass& one, const std::vector<IntervalClass>& later,
            const IntervalRules& rules) {
  one.grade = "C";
  for (const IntervalClass& wide : later) {
    if (!wider(wide.when, one.when)) continue;
    if (one.when.measured == false) return widen(one, wide, rules.new_card);
    one.low = wide.low;
    one.high = wide.high;
    one.basis = "Too few: " + counted(one) + ". Taken as \"" + wide.title + "\".";
    return;
  }
  one.basis = "Too few: " + counted(one) + ". The factors are kept as they were.";
}

}  // namespace

Intervals fit_intervals(const Intervals& classes, const std::vector<Residual>& residuals) {
  Intervals fitted = classes;
  std::vector<IntervalClass> later;  // those after the one in hand, nearest first
  for (auto place = fitted.classes.rbegin(); place != fitted.classes.rend(); ++place) {
    IntervalClass& one = *place;
    const Sample sample = sample_of(one.when, residuals);
    one.n = std::ssize(sample.ratios);
    one.sources = std::ssize(sample.sources);
    const IntervalRules& rules = fitted.rules;
    if (one.n >= rules.minimum_rows && one.sources >= rules.minimum_sources) {
      put_factors(one, sample, rules);
    } else {
      borrow(one, later, rules);
    }
    later.insert(later.begin(), one);
  }
  return fitted;
}

HeldOutCoverage held_out_coverage(const Intervals& classes,
                                  const std::vector<Residual>& residuals) {
  std::vector<Residual> tuned;
  for (const Residual& residual : residuals) {
    if (!residual.held_out) tuned.push_back(residual);
  }
  const Intervals fitted = fit_intervals(classes, tuned);
  HeldOutCoverage coverage;
  std::int64_t within = 0;
  std::vector<double> half_widths;
  for (const Residual& residual : residuals) {
    if (!residual.held_out) continue;
    const IntervalClass& one = fitted.of(residual.facts);
    coverage.n += 1;
    within += one.low <= residual.ratio && residual.ratio <= one.high ? 1 : 0;
    half_widths.push_back((one.high - one.low) / 2);
  }
  if (coverage.n == 0) return coverage;
  coverage.share = static_cast<double>(within) / static_cast<double>(coverage.n);
  coverage.median_half_width = median_of(half_widths);
  return coverage;
}

}  // namespace sizesheet
