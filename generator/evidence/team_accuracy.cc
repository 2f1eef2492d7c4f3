// SPDX-License-Identifier: Apache-2.0
#include "evidence/team_accuracy.h"

#include <algorithm>
#include <cmath>

#include "catalog/catalog.h"
#include "catalog/published/team_runs.h"
#include "evidence/totals.h"
#include "evidence/validation.h"
#include "sizing/answer/team_corrections.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// "run-7" of "run-7-speed": rows of one run leave together.
std::string run_of(const std::string& row) { return row.substr(0, row.rfind('-')); }

/// The runs but the one that `left_out` is a row of.
std::vector<TeamRun> others(const std::vector<TeamRun>& runs, const std::string& left_out) {
  std::vector<TeamRun> rest;
  for (const TeamRun& run : runs) {
    if (run_of(run.id) != run_of(left_out)) rest.push_back(run);
  }
  return rest;
}

const TeamRun* run_with(const std::vector<TeamRun>& runs, const std::string& id) {
  return entry_with(runs, &TeamRun::id, id);
}

/// The correction by the other runs, and the range around it. `ln_off`: measured over corrected.
void put_corrected(const TeamCorrection& correction, const IntervalRange& range, double ln_off,
                   TeamAccuracyRow& row) {
  row.corrected = std::exp(-ln_off) - 1;
  double low = std::log(range.low);
  double high = std::log(range.high);
  if (correction.runs > 0) {
    low = -correction.narrowed(-low);
    high = correction.narrowed(high);
  }
  row.within = low <= ln_off && ln_off <= high;
  row.runs = correction.runs;
}

TeamAccuracyRow row_of(const ComparedRow& compared, const std::string& figure, double measured) {
  TeamAccuracyRow row;
  row.id = compared.id;
  row.figure = figure;
  row.setup = compared.setup;
  row.evidence = compared.evidence;
  row.measured = std::round(measured * 100) / 100;  // as it is said
  row.plain = compared.error;
  row.refusal = compared.refusal;
  return row;
}

TeamAccuracyRow speed_row(const Catalog& plain, const MeasuredSpeed& speed,
                          const std::vector<TeamRun>& runs) {
  const SpeedRow compared = compare(*plain.team_runs, speed, plain);
  TeamAccuracyRow row = row_of(compared, "speed", speed.tokens_per_s_per_gpu);
  const TeamRun* run = run_with(runs, speed.run.id);
  if (run == nullptr) return row;
  const IntervalFacts facts = facts_of(*run);
  const TeamCorrection correction = team_correction(others(runs, run->id), facts);
  put_corrected(correction, plain.speed_intervals.of(compared.facts),
                run->ln_ratio - correction.ln_factor, row);
  return row;
}

TeamAccuracyRow memory_row(const Catalog& plain, const MeasuredRow& measured,
                           const std::vector<TeamRun>& runs) {
  const AccuracyRow compared = compare(*plain.team_runs, measured, plain);
  const double bytes = static_cast<double>(measured.measured.bytes.value_or(0));
  TeamAccuracyRow row = row_of(compared, measured.measured.kind, bytes / kGiB);
  const TeamRun* run = run_with(runs, measured.id);
  if (run == nullptr) return row;
  const TeamCorrection correction = team_correction(others(runs, run->id), facts_of(*run));
  const double estimated = bytes - static_cast<double>(run->bytes) + correction.bytes;
  put_corrected(correction, plain.intervals.of(compared.facts), std::log(bytes / estimated), row);
  return row;
}

/// Of the rows of one kind; nullopt without an error among them.
std::optional<ErrorStats> stats(const std::vector<TeamAccuracyRow>& rows, bool speeds,
                                std::optional<double> TeamAccuracyRow::*error) {
  std::vector<double> errors;
  for (const TeamAccuracyRow& row : rows) {
    if ((row.figure == "speed") == speeds && row.*error) errors.push_back(*(row.*error));
  }
  return stats_of(errors);
}

}  // namespace

std::optional<TeamAccuracy> team_accuracy(const Catalog& plain) {
  if (!plain.team_runs) return std::nullopt;
  const TeamRuns runs = team_runs_of(plain);
  TeamAccuracy all;
  for (const MeasuredSpeed& speed : plain.team_runs->speeds) {
    all.rows.push_back(speed_row(plain, speed, runs.speed));
  }
  for (const MeasuredRow& row : plain.team_runs->rows) {
    all.rows.push_back(memory_row(plain, row, runs.memory));
  }
  if (all.rows.empty()) return std::nullopt;
  for (const bool speeds : {true, false}) {
    TeamErrors& errors = speeds ? all.speed : all.memory;
    errors.plain = stats(all.rows, speeds, &TeamAccuracyRow::plain);
    errors.corrected = stats(all.rows, speeds, &TeamAccuracyRow::corrected);
    std::int64_t within = 0;
    for (const TeamAccuracyRow& row : all.rows) {
      if ((row.figure == "speed") == speeds && row.within.value_or(false)) ++within;
    }
    if (errors.corrected) {
      errors.within = static_cast<double>(within) / static_cast<double>(errors.corrected->n);
    }
  }
  return all;
}

}  // namespace sizesheet
