// SPDX-License-Identifier: Apache-2.0
#include "evidence/totals.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "catalog/published/measured.h"
#include "evidence/accuracy.h"
#include "sizing/memory/verdict.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// An estimate this far below a lower bound undercuts it.
constexpr double kUndercut = 0.97;

/// Errors of the rows outside (`flagged`) or inside the totals, by a text member of the row.
template <typename Row, typename Owner>
std::vector<AccuracyGroup> errors_by(const std::vector<Row>& rows, std::string Owner::*member,
                                     bool flagged = false) {
  std::map<std::string, std::vector<double>> errors;
  for (const Row& row : rows) {
    if (row.error && row.flags.empty() != flagged) errors[row.*member].push_back(*row.error);
  }
  std::vector<AccuracyGroup> groups;
  for (const auto& [name, values] : errors) groups.push_back({name, *stats_of(values)});
  return groups;
}

/// What the totals of memory and of speed have in common.
template <typename Row>
void add_errors(const std::vector<Row>& rows, ComparedPart& part) {
  std::vector<double> errors;
  for (const Row& row : rows) {
    if (row.error && row.flags.empty()) errors.push_back(*row.error);
  }
  part.errors = stats_of(errors);
  part.by_method = errors_by(rows, &Row::method);
  part.by_source = errors_by(rows, &Row::source);
  part.sources = std::ssize(part.by_source);
  std::vector<double> votes;
  for (const AccuracyGroup& source : part.by_source) votes.push_back(source.errors.median);
  part.one_vote_median = median_of(votes);
}

void count_verdict(Verdict verdict, std::int64_t& fits, std::int64_t& tight, std::int64_t& no) {
  if (verdict == Verdict::kUnknown) return;
  ++(verdict == Verdict::kFits ? fits : verdict == Verdict::kTight ? tight : no);
}

void count_row(const AccuracyRow& row, AccuracyPart& part) {
  const bool flagged = !row.flags.empty();
  if (!row.refusal.empty()) {
    part.refused += flagged ? 0 : 1;
    return;
  }
  Confusion& seen = part.confusion;
  if (row.relation == "oom") {
    count_verdict(row.verdict, seen.oom_fits, seen.oom_tight, seen.oom_no);
    return;
  }
  if (flagged) return;
  if (row.relation == "fits" || row.relation == "equal") {
    count_verdict(row.verdict, seen.ran_fits, seen.ran_tight, seen.ran_no);
  }
  if (row.relation == "lower_bound") {
    part.lower_bounds += 1;
    const double bound = kUndercut * static_cast<double>(row.measured.value_or(0));
    part.undercut += static_cast<double>(row.predicted.value_or(0)) < bound ? 1 : 0;
  }
}

std::optional<double> share(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::optional<double> count_of(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part);
}

using Values = std::map<std::string, std::optional<double>>;

void put_errors(Values& values, const std::string& name, const std::optional<ErrorStats>& errors) {
  if (!errors) return;
  values[name + "-median"] = errors->median;
  values[name + "-p90"] = errors->p90;
}

/// The figure of every bar, by its id.
Values bar_values(const Accuracy& accuracy, const AccuracyPart& part, const SpeedPart& speed) {
  const HeldOutCoverage& coverage = accuracy.coverage;
  Values values;
  put_errors(values, "all", part.errors);
  for (const AccuracyGroup& group : part.by_kind) {
    if (group.name == "allocated") put_errors(values, "allocated", group.errors);
  }
  const Confusion& seen = part.confusion;
  values["ran-called-no"] = count_of(seen.ran_no, seen.ran());
  values["tight-share"] = share(seen.ran_tight, seen.ran());
  values["oom-fits"] = count_of(seen.oom_fits, seen.oom());
  values["undercut-share"] = share(part.undercut, part.lower_bounds);
  if (coverage.share) values["held-out-uncovered"] = 1 - *coverage.share;
  values["held-out-half-width"] = coverage.median_half_width;
  put_errors(values, "speed", speed.errors);
  if (speed.covered) values["speed-uncovered"] = 1 - *speed.covered;
  values["speed-range"] = speed.median_range;
  for (const auto& [name, unseen] :
       {std::pair{"left-out-uncovered", &accuracy.left_out},
        std::pair{"speed-left-out-uncovered", &accuracy.speed.left_out}}) {
    if (unseen->share) values[name] = 1 - *unseen->share;
  }
  return values;
}

}  // namespace

AccuracyPart totals_of(const std::vector<AccuracyRow>& rows) {
  AccuracyPart part;
  for (const AccuracyRow& row : rows) count_row(row, part);
  add_errors(rows, part);
  part.by_kind = errors_by(rows, &AccuracyRow::kind);
  part.by_framework = errors_by(rows, &AccuracyRow::framework);
  return part;
}

template <typename Row>
std::vector<AccuracyGroup> flagged_errors(const std::vector<Row>& rows) {
  return errors_by(rows, &Row::source, true);
}
template std::vector<AccuracyGroup> flagged_errors(const std::vector<AccuracyRow>& rows);
template std::vector<AccuracyGroup> flagged_errors(const std::vector<SpeedRow>& rows);

std::vector<OutOfModel> out_of_model(const std::vector<AccuracyRow>& rows,
                                     const std::vector<SpeedRow>& speeds,
                                     const ValidationRules& rules) {
  std::vector<OutOfModel> reasons;
  for (const OutOfModelReason& reason : rules.reasons) {
    OutOfModel counted{reason.id, reason.title, 0};
    const auto count = [&](const auto& row) {
      const bool named = contains(row.flags, reason.id);
      const bool refused = reason.id == kRefusedRequest && !row.refusal.empty();
      counted.rows += named || refused ? 1 : 0;
    };
    for (const AccuracyRow& row : rows) count(row);
    for (const SpeedRow& row : speeds) count(row);
    reasons.push_back(counted);
  }
  return reasons;
}

std::vector<BarResult> bar_results(const Accuracy& accuracy, const AccuracyPart& part,
                                   const SpeedPart& speed, const ValidationRules& rules) {
  const Values values = bar_values(accuracy, part, speed);
  std::vector<BarResult> results;
  for (const Bar& bar : rules.bars) {
    BarResult result{bar.id, bar.title, bar.limit, std::nullopt, true};
    const auto value = values.find(bar.id);
    if (value != values.end()) result.value = value->second;
    result.missed = !result.value || *result.value > bar.limit;
    results.push_back(result);
  }
  return results;
}

SpeedPart totals_of(const std::vector<SpeedRow>& rows) {
  SpeedPart part;
  add_errors(rows, part);
  std::vector<double> ranges;
  double held = 0;
  for (const SpeedRow& row : rows) {
    if (!row.flags.empty()) continue;
    part.refused += row.error ? 0 : 1;
    if (!row.error) continue;
    ranges.push_back(*row.high / *row.low);
    held += *row.low <= row.measured && row.measured <= *row.high ? 1 : 0;
  }
  part.median_range = median_of(ranges);
  if (!ranges.empty()) part.covered = held / static_cast<double>(ranges.size());
  part.by_class = errors_by(rows, &SpeedRow::interval_class);
  return part;
}

std::optional<double> median_of(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::optional<ErrorStats> stats_of(const std::vector<double>& errors) {
  if (errors.empty()) return std::nullopt;
  std::vector<double> sizes;
  for (const double error : errors) sizes.push_back(std::abs(error));
  std::ranges::sort(sizes);
  const auto n = static_cast<double>(errors.size());
  ErrorStats stats;
  stats.n = std::ssize(errors);
  stats.median = *median_of(sizes);
  stats.mean = std::accumulate(sizes.begin(), sizes.end(), 0.0) / n;
  stats.p90 = sizes[std::min(sizes.size() - 1, sizes.size() * 9 / 10)];
  stats.worst = *std::ranges::max_element(
      errors, [](double a, double b) { return std::abs(a) < std::abs(b); });
  const auto [low, high] = std::minmax_element(errors.begin(), errors.end());
  stats.low = *low;
  stats.high = *high;
  stats.bias = std::accumulate(errors.begin(), errors.end(), 0.0) / n;
  return stats;
}

}  // namespace sizesheet
