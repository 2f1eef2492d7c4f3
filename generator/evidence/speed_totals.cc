// SPDX-License-Identifier: Apache-2.0
#include "evidence/speed_totals.h"

#include <map>

#include "evidence/statistics.h"

namespace sizesheet {
namespace {

/// Errors of the rows outside (`flagged`) or inside the totals, by a text member of the row.
std::vector<AccuracyGroup> errors_by(const std::vector<SpeedRow>& rows,
                                     std::string SpeedRow::*member, bool flagged = false) {
  std::map<std::string, std::vector<double>> errors;
  for (const SpeedRow& row : rows) {
    if (row.error && row.flags.empty() != flagged) errors[row.*member].push_back(*row.error);
  }
  std::vector<AccuracyGroup> groups;
  for (const auto& [name, values] : errors) groups.push_back({name, *stats_of(values)});
  return groups;
}

}  // namespace

SpeedPart speed_totals(const std::vector<SpeedRow>& rows) {
  SpeedPart part;
  std::vector<double> errors;
  std::vector<double> ranges;
  double held = 0;
  for (const SpeedRow& row : rows) {
    if (!row.flags.empty()) continue;
    part.refused += row.error ? 0 : 1;
    if (!row.error) continue;
    errors.push_back(*row.error);
    ranges.push_back(*row.high / *row.low);
    held += *row.low <= row.measured && row.measured <= *row.high ? 1 : 0;
  }
  part.errors = stats_of(errors);
  part.median_range = median_of(ranges);
  if (!errors.empty()) part.covered = held / static_cast<double>(errors.size());
  part.by_class = errors_by(rows, &SpeedRow::interval_class);
  part.by_method = errors_by(rows, &SpeedRow::method);
  part.by_source = errors_by(rows, &SpeedRow::source);
  part.sources = static_cast<std::int64_t>(part.by_source.size());
  std::vector<double> votes;
  for (const AccuracyGroup& source : part.by_source) votes.push_back(source.errors.median);
  part.one_vote_median = median_of(votes);
  return part;
}

std::vector<AccuracyGroup> flagged_speed_errors(const std::vector<SpeedRow>& rows) {
  return errors_by(rows, &SpeedRow::source, true);
}

}  // namespace sizesheet
