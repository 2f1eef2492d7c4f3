// SPDX-License-Identifier: Apache-2.0
#include "evidence/validation.h"

#include "sizing/estimate.h"
#include "support/parallel.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Published rows or speeds, each beside the publication it stands in.
template <typename Run>
using Runs = std::vector<std::pair<const MeasuredSource*, const Run*>>;

template <typename Run>
Runs<Run> runs_of(const Catalog& catalog, std::vector<Run> MeasuredSource::*member) {
  Runs<Run> runs;
  for (const auto& [id, source] : catalog.measured) {
    for (const Run& run : source.*member) runs.emplace_back(&source, &run);
  }
  return runs;
}

/// Every run compared.
template <typename Row, typename Run>
std::vector<Row> compared(const Runs<Run>& runs, const Catalog& catalog, int jobs) {
  std::vector<Row> rows(runs.size());
  for_each_index(runs.size(), jobs, [&](std::size_t i) {
    rows[i] = compare(*runs[i].first, *runs[i].second, catalog);
  });
  return rows;
}

std::vector<AccuracySource> sources_of(const Catalog& catalog) {
  std::vector<AccuracySource> sources;
  for (const auto& [id, source] : catalog.measured) {
    sources.push_back({source, std::ssize(source.rows), std::ssize(source.speeds)});
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

std::vector<AccuracyInterval> interval_values(const Intervals& intervals) {
  std::vector<AccuracyInterval> values;
  for (const IntervalClass& one : intervals.classes) values.push_back({one, 0, {}, {}});
  return values;
}

/// What the classes are fitted to: rows in the totals, and those with a flag that leaves no more
/// open than whoever asks has to. Speeds in fp8, whose requests say what was run but for the
/// scaling of their recipe; memory under a router whose load on the ranks is not known.
template <typename Row>
std::vector<Residual> residuals_of(const std::vector<Row>& rows, const std::string& as_open) {
  std::vector<Residual> residuals;
  for (const Row& row : rows) {
    const bool counts = row.flags.empty() || row.flags == std::vector<std::string>{as_open};
    if (!row.error || !counts) continue;
    residuals.push_back({row.facts, row.source, row.held_out, 1 / (1 + *row.error)});
  }
  return residuals;
}

SpeedAccuracy compare_speeds(const Catalog& catalog, int jobs, Intervals& fitted) {
  SpeedAccuracy result;
  result.rows = compared<SpeedRow>(runs_of(catalog, &MeasuredSource::speeds), catalog, jobs);
  const auto residuals = residuals_of(result.rows, "fp8-recipe");
  fitted = fit_intervals(catalog.speed_intervals, residuals);
  result.all = speed_totals(result.rows);
  result.tuned = speed_totals(part_of(result.rows, false));
  result.held_out = speed_totals(part_of(result.rows, true));
  result.flagged = flagged_speed_errors(result.rows);
  result.intervals = interval_values(fitted);
  result.left_out = put_coverage(fitted, residuals, result.intervals);
  return result;
}

std::string text_at(const Json& object, const char* key) {
  const Json& value = at_dotted(object, key);
  return value.is_string() ? value.get<std::string>() : "";
}

std::int64_t count_at(const Json& object, const char* key) {
  const Json& value = at_dotted(object, key);
  return value.is_number_integer() ? value.get<std::int64_t>() : 1;
}

/// What a row says of its run, before the engine is asked.
template <typename Row>
Row row_of(const MeasuredSource& source, const MeasuredRow& run) {
  const auto count = [&](const char* key) { return format_integer(count_at(run.request, key)); };
  Row row;
  row.id = run.id;
  row.source = source.id;
  row.framework = run.framework;
  row.method = text_at(run.request, "method.kind");
  row.setup = run.model + ", " + row.method + ", " + count("layout.gpus") + " × " +
              text_at(run.request, "gpu") + ", " + count("workload.micro_batch") + " × " +
              count("workload.seq_len") + " tokens";
  row.flags = run.flags;
  row.link = run.link;
  row.evidence = run.evidence;
  return row;
}

}  // namespace

Validation validate(const Catalog& catalog, int jobs) {
  auto rows = compared<AccuracyRow>(runs_of(catalog, &MeasuredSource::rows), catalog, jobs);
  const auto residuals = residuals_of(rows, "untrained-router");
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
  accuracy.left_out = put_coverage(result.intervals, residuals, accuracy.intervals);
  accuracy.coverage = held_out_coverage(catalog.intervals, residuals);
  accuracy.bars = bar_results(accuracy, accuracy.all, accuracy.speed.all, catalog.validation);
  accuracy.rows = std::move(rows);
  return result;
}

AccuracyRow compare(const MeasuredSource& source, const MeasuredRow& row, const Catalog& catalog) {
  auto result = row_of<AccuracyRow>(source, row);
  result.kind = row.measured.kind;
  result.relation = row.measured.relation;
  result.held_out = source.held_out;
  result.measured = row.measured.bytes;
  try {
    // The answer as readers outside see it, so that no figure is compared that they cannot get; but
    // for a last stage that is not the worst, which the answer leaves out: frameworks log it that
    // leave it to the last rank.
    const Question question = read_whole_question(row.request, catalog, catalog.engine.current);
    const Sizing sizing = answer(question);
    const Candidate& chosen = sizing.plan.chosen;
    const Json memory = row.measured.last_stage
                            ? as_json(memory_bill(chosen.job, chosen.stages->back()))
                            : to_json(sizing).at("memory");
    result.predicted = memory.at(row.measured.kind).get<std::int64_t>();
    result.verdict = chosen.verdict;
    result.facts = memory_facts(question, chosen.job);
    result.facts.stack = row.framework;
    result.interval_class = catalog.intervals.of(result.facts).id;
  } catch (const InputError& error) {
    result.refusal = error.what();
  }
  if (result.predicted && result.measured && result.relation == "equal") {
    result.error =
        static_cast<double>(*result.predicted) / static_cast<double>(*result.measured) - 1;
  }
  return result;
}

SpeedRow compare(const MeasuredSource& source, const MeasuredSpeed& speed, const Catalog& catalog) {
  const MeasuredRow& run = speed.run;
  auto result = row_of<SpeedRow>(source, run);
  result.held_out = source.speed_held_out;
  result.measured = speed.tokens_per_s_per_gpu;
  try {
    const Question question = read_whole_question(run.request, catalog, catalog.engine.current);
    const Sizing sizing = answer(question);
    if (!sizing.speed) throw InputError("no speed is known for this GPU and precision");
    result.predicted = sizing.speed->tokens_per_second_per_gpu;
    result.low = sizing.speed->low;
    result.high = sizing.speed->high;
    result.error = *result.predicted / result.measured - 1;
    result.bound_by = bound_by(*sizing.speed);
    result.facts = speed_facts(sizing.plan.chosen.job, *question.gpu);
    result.interval_class = catalog.speed_intervals.of(result.facts).id;
  } catch (const InputError& error) {
    result.refusal = error.what();
  }
  return result;
}

}  // namespace sizesheet
