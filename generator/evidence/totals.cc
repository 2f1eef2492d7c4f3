// SPDX-License-Identifier: Apache-2.0
#include "evidence/totals.h"

#include <algorithm>
#include <map>

#include "evidence/statistics.h"

namespace sizesheet {
namespace {

using Errors = std::map<std::string, std::vector<double>>;

bool flagged(const AccuracyRow& row) { return !row.flags.empty(); }

std::vector<AccuracyGroup> groups_of(const Errors& errors) {
  std::vector<AccuracyGroup> groups;
  for (const auto& [name, values] : errors) groups.push_back({name, *stats_of(values)});
  return groups;
}

/// Errors of the rows outside (`flagged_rows`) or inside the totals, by a text member of the row.
Errors errors_by(const std::vector<AccuracyRow>& rows, std::string AccuracyRow::*member,
                 bool flagged_rows = false) {
  Errors errors;
  for (const AccuracyRow& row : rows) {
    if (row.error && flagged(row) == flagged_rows) errors[row.*member].push_back(*row.error);
  }
  return errors;
}

std::optional<double> one_vote_median(const std::vector<AccuracyGroup>& sources) {
  std::vector<double> votes;
  for (const AccuracyGroup& source : sources) votes.push_back(source.errors.median);
  return median_of(votes);
}

void count_verdict(const std::string& verdict, std::int64_t& fits, std::int64_t& tight,
                   std::int64_t& no) {
  fits += verdict == "fits" ? 1 : 0;
  tight += verdict == "tight" ? 1 : 0;
  no += verdict == "no" ? 1 : 0;
}

void count_row(const AccuracyRow& row, AccuracyPart& part) {
  if (!row.refusal.empty()) {
    part.refused += flagged(row) ? 0 : 1;
    return;
  }
  Confusion& seen = part.confusion;
  if (row.relation == "oom") {
    count_verdict(row.verdict, seen.oom_fits, seen.oom_tight, seen.oom_no);
    return;
  }
  if (flagged(row)) return;
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
Values bar_values(const AccuracyPart& part, const HeldOutCoverage& coverage,
                  const SpeedPart& speed) {
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
  return values;
}

}  // namespace

AccuracyPart totals_of(const std::vector<AccuracyRow>& rows) {
  AccuracyPart part;
  std::vector<double> errors;
  for (const AccuracyRow& row : rows) {
    count_row(row, part);
    if (row.error && !flagged(row)) errors.push_back(*row.error);
  }
  part.errors = stats_of(errors);
  part.by_kind = groups_of(errors_by(rows, &AccuracyRow::kind));
  part.by_method = groups_of(errors_by(rows, &AccuracyRow::method));
  part.by_framework = groups_of(errors_by(rows, &AccuracyRow::framework));
  part.by_source = groups_of(errors_by(rows, &AccuracyRow::source));
  part.sources = static_cast<std::int64_t>(part.by_source.size());
  part.one_vote_median = one_vote_median(part.by_source);
  return part;
}

std::vector<AccuracyGroup> flagged_errors(const std::vector<AccuracyRow>& rows) {
  return groups_of(errors_by(rows, &AccuracyRow::source, true));
}

std::vector<OutOfModel> out_of_model(const std::vector<AccuracyRow>& rows,
                                     const std::vector<SpeedRow>& speeds,
                                     const ValidationRules& rules) {
  std::vector<OutOfModel> reasons;
  for (const OutOfModelReason& reason : rules.reasons) {
    OutOfModel counted{reason.id, reason.title, 0};
    const auto count = [&](const auto& row) {
      const bool named =
          std::find(row.flags.begin(), row.flags.end(), reason.id) != row.flags.end();
      const bool refused = reason.id == kRefused && !row.refusal.empty();
      counted.rows += named || refused ? 1 : 0;
    };
    for (const AccuracyRow& row : rows) count(row);
    for (const SpeedRow& row : speeds) count(row);
    reasons.push_back(counted);
  }
  return reasons;
}

std::vector<BarResult> bar_results(const AccuracyPart& part, const HeldOutCoverage& coverage,
                                   const SpeedPart& speed, const ValidationRules& rules) {
  const Values values = bar_values(part, coverage, speed);
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

}  // namespace sizesheet
