// SPDX-License-Identifier: Apache-2.0
#include "evidence/validation.h"

#include "evidence/compare.h"
#include "evidence/interval_fit.h"
#include "evidence/speed_totals.h"
#include "evidence/totals.h"
#include "support/parallel.h"

namespace sizesheet {
namespace {

/// A row to compare, where it stands.
struct Task {
  const MeasuredSource* source = nullptr;
  const MeasuredRow* row = nullptr;
};

std::vector<Task> tasks_of(const Catalog& catalog) {
  std::vector<Task> tasks;
  for (const auto& [id, source] : catalog.measured) {
    for (const MeasuredRow& row : source.rows) tasks.push_back({&source, &row});
  }
  return tasks;
}

std::vector<AccuracySource> sources_of(const Catalog& catalog) {
  std::vector<AccuracySource> sources;
  for (const auto& [id, source] : catalog.measured) {
    sources.push_back({id, source.title, source.source, source.url, source.date, source.held_out,
                       static_cast<std::int64_t>(source.rows.size()), source.speed_held_out,
                       static_cast<std::int64_t>(source.speeds.size())});
  }
  return sources;
}

template <typename Row>
std::vector<Row> part_of(const std::vector<Row>& rows, bool held_out) {
  std::vector<Row> part;
  for (const Row& row : rows) {
    if (row.held_out == held_out) part.push_back(row);
  }
  return part;
}

std::vector<Residual> residuals_of(const std::vector<AccuracyRow>& rows,
                                   const std::vector<IntervalFacts>& facts) {
  std::vector<Residual> residuals;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const AccuracyRow& row = rows[i];
    if (!row.error || !row.flags.empty()) continue;
    residuals.push_back({facts[i], row.source, row.held_out, 1 / (1 + *row.error)});
  }
  return residuals;
}

std::vector<AccuracyInterval> interval_values(const Intervals& intervals) {
  std::vector<AccuracyInterval> values;
  for (const IntervalClass& one : intervals.classes) {
    values.push_back(
        {one.id, one.title, one.low, one.high, one.n, one.sources, one.grade, one.basis});
  }
  return values;
}

/// A speed to compare, where it stands.
struct SpeedTask {
  const MeasuredSource* source = nullptr;
  const MeasuredSpeed* speed = nullptr;
};

/// A speed that ranges are fitted to: those in the totals, and those in fp8, whose requests say
/// what was run but for the scaling of their recipe.
bool shapes_ranges(const SpeedRow& row) {
  return row.error && (row.flags.empty() || row.flags == std::vector<std::string>{"fp8-recipe"});
}

/// The classes fitted to the ratios of the speeds.
Intervals fit_speeds(const Catalog& catalog, const std::vector<SpeedRow>& rows) {
  std::vector<Residual> residuals;
  for (const SpeedRow& row : rows) {
    if (!shapes_ranges(row)) continue;
    residuals.push_back({row.facts, row.source, row.held_out, 1 / (1 + *row.error)});
  }
  return fit_intervals(catalog.speed_intervals, residuals);
}

SpeedAccuracy compare_speeds(const Catalog& catalog, int jobs, Intervals& fitted) {
  std::vector<SpeedTask> tasks;
  for (const auto& [id, source] : catalog.measured) {
    for (const MeasuredSpeed& speed : source.speeds) tasks.push_back({&source, &speed});
  }
  SpeedAccuracy result;
  result.rows.resize(tasks.size());
  for_each_index(tasks.size(), jobs, [&](std::size_t i) {
    result.rows[i] = compare(*tasks[i].source, *tasks[i].speed, catalog);
  });
  fitted = fit_speeds(catalog, result.rows);
  result.all = speed_totals(result.rows);
  result.tuned = speed_totals(part_of(result.rows, false));
  result.held_out = speed_totals(part_of(result.rows, true));
  result.flagged = flagged_speed_errors(result.rows);
  result.intervals = interval_values(fitted);
  return result;
}

}  // namespace

Validation validate(const Catalog& catalog, int jobs) {
  const std::vector<Task> tasks = tasks_of(catalog);
  std::vector<AccuracyRow> rows(tasks.size());
  std::vector<IntervalFacts> facts(tasks.size());
  for_each_index(tasks.size(), jobs, [&](std::size_t i) {
    rows[i] = compare(*tasks[i].source, *tasks[i].row, catalog);
    facts[i] = interval_facts(*tasks[i].row);
  });
  const std::vector<Residual> residuals = residuals_of(rows, facts);
  Validation result;
  result.intervals = fit_intervals(catalog.intervals, residuals);
  Accuracy& accuracy = result.accuracy;
  accuracy.held_out_rule = catalog.validation.held_out;
  accuracy.sources = sources_of(catalog);
  accuracy.all = totals_of(rows);
  accuracy.tuned = totals_of(part_of(rows, false));
  accuracy.held_out = totals_of(part_of(rows, true));
  accuracy.flagged = flagged_errors(rows);
  accuracy.speed = compare_speeds(catalog, jobs, result.speed_intervals);
  accuracy.out_of_model = out_of_model(rows, accuracy.speed.rows, catalog.validation);
  accuracy.intervals = interval_values(result.intervals);
  accuracy.coverage = held_out_coverage(catalog.intervals, residuals);
  accuracy.bars =
      bar_results(accuracy.all, accuracy.coverage, accuracy.speed.all, catalog.validation);
  accuracy.rows = std::move(rows);
  return result;
}

}  // namespace sizesheet
