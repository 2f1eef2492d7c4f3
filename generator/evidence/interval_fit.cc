// SPDX-License-Identifier: Apache-2.0
#include "evidence/interval_fit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>

#include "catalog/facts/engine_constants.h"
#include "catalog/published/measured.h"
#include "evidence/accuracy.h"
#include "evidence/totals.h"
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

std::string counted(const IntervalClass& one) {
  return format_integer(one.n) + (one.n == 1 ? " figure" : " figures") + " from " +
         format_integer(one.sources) + (one.sources == 1 ? " source" : " sources");
}

std::string too_few(const IntervalClass& one) {
  return one.n == 0 ? "No figures" : "Only " + counted(one);
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

/// How many of n the coverage leaves out.
std::size_t left_out(std::size_t n, double coverage) {
  constexpr double kNoise = 1e-9;  // 20 x 5 % is one, whatever the last digit of 0.9 makes of it
  return static_cast<std::size_t>(static_cast<double>(n) * (1 - coverage) + kNoise);
}

/// Of a range, or shares by which the ends of one move outward for a source that was not seen.
struct RangeEnds {
  double low = 0;
  double high = 0;
};
using Outwards = std::map<std::string, RangeEnds>;  ///< by id of the class; an absent one stays

RangeEnds ends_of(const std::vector<double>& ascending, double coverage) {
  const std::size_t kept = ascending.size() - left_out(ascending.size(), coverage);
  const std::size_t first = shortest_window(ascending, kept);
  return {ascending[first], ascending[first + kept - 1]};
}

/// The least that holds for all but half of what the coverage leaves out.
double nearly_all(std::vector<double> values, double coverage) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[values.size() - 1 - left_out(values.size(), 1 - (1 - coverage) / 2)];
}

void put_factors(IntervalClass& one, const Sample& sample, const IntervalRules& rules,
                 const RangeEnds& more) {
  const RangeEnds ends = ends_of(sample.ratios, rules.coverage);
  const double low = ends.low * (1 - more.low);
  const double high = ends.high * (1 + more.high);
  // Products of a whole number and 0.001 carry noise in the last digit; quotients do not.
  one.low = std::min(1.0, std::floor(low / kStep) / 1000);
  one.high = std::max(1.0, std::ceil(high / kStep) / 1000);
  const double half_width = (one.high - one.low) / 2;
  one.grade = half_width <= rules.grade_a ? "A" : half_width <= rules.grade_b ? "B" : "C";
  const auto out = static_cast<std::int64_t>(left_out(sample.ratios.size(), rules.coverage));
  one.basis =
      counted(one) +
      (out == 0 ? "." : "; the range leaves out the " + format_integer(out) + " most extreme.");
}

/// What nothing or too little was measured of is taken as the wider class, and widened by what a
/// source left out of the fit was off by.
void widen(IntervalClass& one, const IntervalClass& wide, double share) {
  one.low = std::round(1000 * wide.low * (1 - share)) / 1000;
  one.high = std::round(1000 * wide.high * (1 + share)) / 1000;
  one.basis = too_few(one) + ", so the range of \"" + wide.title + "\" is used, widened by " +
              format_number(100 * share, 0) + " % at each end.";
}

/// `later`: those after the class, nearest first, fitted.
void borrow(IntervalClass& one, std::span<const IntervalClass> later, const IntervalRules& rules) {
  one.grade = "C";
  for (const IntervalClass& wide : later) {
    if (!wide.when.covers(one.when)) continue;
    if (one.when.evidence) {
      return widen(one, wide, one.when.evidence == "none" ? rules.new_card : rules.related_card);
    }
    one.low = wide.low;
    one.high = wide.high;
    one.basis = too_few(one) + ", so the range of \"" + wide.title + "\" is used.";
    return;
  }
  one.basis = too_few(one) + ", so the earlier range is kept.";
}

/// The classes with their factors, `more` outward of what the residuals ask for.
Intervals fit_classes(const Intervals& classes, const std::vector<Residual>& residuals,
                      const Outwards& more) {
  Intervals fitted = classes;
  for (std::size_t left = fitted.classes.size(); left > 0; --left) {
    IntervalClass& one = fitted.classes[left - 1];
    const Sample sample = sample_of(one.when, residuals);
    one.n = std::ssize(sample.ratios);
    one.sources = std::ssize(sample.sources);
    const IntervalRules& rules = fitted.rules;
    if (one.n >= rules.minimum_rows && one.sources >= rules.minimum_sources) {
      const auto own = more.find(one.id);
      put_factors(one, sample, rules, own == more.end() ? RangeEnds{} : own->second);
    } else {
      borrow(one, std::span(fitted.classes).subspan(left), rules);
    }
  }
  return fitted;
}

std::vector<Residual> without(std::vector<Residual> residuals, const auto& left_out) {
  std::erase_if(residuals, left_out);
  return residuals;
}

/// Each figure beside the class that holds for it where its source is left out of the fit.
void for_each_unseen(const std::vector<Residual>& residuals, const auto& fit, const auto& visit) {
  std::set<std::string> sources;
  for (const Residual& residual : residuals) sources.insert(residual.source);
  for (const std::string& source : sources) {
    const auto own = [&](const Residual& one) { return one.source == source; };
    const Intervals others = fit(without(residuals, own));
    for (const Residual& residual : residuals) {
      if (own(residual)) visit(others.of(residual.facts), residual.ratio);
    }
  }
}

/// How far figures lay outside a range, below and above it.
struct Missed {
  std::vector<double> below;
  std::vector<double> above;

  void count(const IntervalRange& one, double ratio) {
    below.push_back(std::max(0.0, 1 - ratio / one.low));
    above.push_back(std::max(0.0, ratio / one.high - 1));
  }
  RangeEnds holding(double coverage) const {
    return {nearly_all(below, coverage), nearly_all(above, coverage)};
  }
};

/// By how much each end must move so that the figures of sources stay within that are left out of
/// the fit, one source at a time: one pair for all classes, since most have few sources, and
/// more where a class by itself would hold too few.
Outwards new_source(const Intervals& classes, const std::vector<Residual>& residuals) {
  Missed all;
  std::map<std::string, Missed> each;
  for_each_unseen(
      residuals,
      [&](const std::vector<Residual>& others) { return fit_classes(classes, others, {}); },
      [&](const IntervalRange& one, double ratio) {
        all.count(one, ratio);
        each[one.first->id].count(one, ratio);
      });
  const IntervalRules& rules = classes.rules;
  const RangeEnds common = all.holding(rules.unseen_coverage);
  Outwards outwards;
  for (const IntervalClass& one : classes.classes) {
    const RangeEnds own = each[one.id].holding(rules.class_coverage);
    outwards[one.id] = {std::max(common.low, own.low), std::max(common.high, own.high)};
  }
  return outwards;
}

/// Counts figures within their intervals.
struct Tried {
  std::int64_t n = 0;
  std::int64_t within = 0;
  std::vector<double> half_widths;

  void count(const IntervalRange& one, double ratio) {
    n += 1;
    within += one.low <= ratio && ratio <= one.high ? 1 : 0;
    half_widths.push_back((one.high - one.low) / 2);
  }
  std::optional<double> share() const {
    if (n == 0) return std::nullopt;
    return static_cast<double>(within) / static_cast<double>(n);
  }
  HeldOutCoverage coverage() const { return {n, share(), median_of(half_widths)}; }
};

}  // namespace

Intervals fit_intervals(const Intervals& classes, const std::vector<Residual>& residuals) {
  return fit_classes(classes, residuals, new_source(classes, residuals));
}

HeldOutCoverage held_out_coverage(const Intervals& classes,
                                  const std::vector<Residual>& residuals) {
  const Intervals fitted =
      fit_intervals(classes, without(residuals, [](const Residual& one) { return one.held_out; }));
  Tried tried;
  for (const Residual& residual : residuals) {
    if (residual.held_out) tried.count(fitted.of(residual.facts), residual.ratio);
  }
  return tried.coverage();
}

HeldOutCoverage put_coverage(const Intervals& fitted, const std::vector<Residual>& residuals,
                             std::vector<AccuracyInterval>& intervals) {
  std::map<std::string, Tried> within;
  std::map<std::string, Tried> unseen;
  Tried all;
  for (const Residual& residual : residuals) {
    const IntervalRange one = fitted.of(residual.facts);
    within[one.first->id].count(one, residual.ratio);
  }
  for_each_unseen(
      residuals, [&](const std::vector<Residual>& others) { return fit_intervals(fitted, others); },
      [&](const IntervalRange& one, double ratio) {
        unseen[one.first->id].count(one, ratio);
        all.count(one, ratio);
      });
  for (AccuracyInterval& interval : intervals) {
    interval.rows = within[interval.id].n;
    interval.within = within[interval.id].share();
    interval.left_out = unseen[interval.id].share();
  }
  return all.coverage();
}

}  // namespace sizesheet
