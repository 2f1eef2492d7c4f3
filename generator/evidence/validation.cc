// SPDX-License-Identifier: Apache-2.0
#include "evidence/validation.h"

#include <algorithm>

#include "catalog/catalog.h"
#include "catalog/published/measured.h"
#include "evidence/accuracy.h"
#include "evidence/interval_fit.h"
#include "evidence/team_accuracy.h"
#include "evidence/totals.h"
#include "sizing/answer/estimate.h"
#include "sizing/answer/team_corrections.h"
#include "sizing/memory/memory.h"
#include "sizing/request/question.h"
#include "sizing/search/candidate.h"
#include "sizing/time/clocks.h"
#include "sizing/time/throughput.h"
#include "support/error.h"
#include "support/json.h"
#include "support/parallel.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Every published row or speed beside the engine.
template <typename Row, typename Run>
std::vector<Row> compared(const Catalog& catalog, std::vector<Run> MeasuredSource::*member,
                          int jobs) {
  std::vector<std::pair<const MeasuredSource*, const Run*>> runs;
  for (const auto& [id, source] : catalog.measured) {
    for (const Run& run : source.*member) runs.emplace_back(&source, &run);
  }
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

/// What the classes are fitted to: rows in the totals, and those whose every flag leaves these
/// figures, memory or speed, no more open than whoever asks has to.
template <typename Row>
std::vector<Residual> residuals_of(const std::vector<Row>& rows, const ValidationRules& rules,
                                   const std::string& figures) {
  const auto fits = [&](const std::string& flag) {
    return entry_with(rules.reasons, &OutOfModelReason::id, flag)->fits == figures;
  };
  std::vector<Residual> residuals;
  for (const Row& row : rows) {
    if (!row.error || !std::ranges::all_of(row.flags, fits)) continue;
    residuals.push_back({row.facts, row.source, row.held_out, 1 / (1 + *row.error)});
  }
  return residuals;
}

/// What memory and speed have in common: totals of the rows, and the classes fitted anew.
template <typename Row, typename Parts>
Intervals put_parts(const std::vector<Row>& rows, const Intervals& classes,
                    const std::vector<Residual>& residuals, Parts& parts) {
  parts.all = totals_of(rows);
  parts.tuned = totals_of(part_of(rows, false));
  parts.held_out = totals_of(part_of(rows, true));
  parts.flagged = flagged_errors(rows);
  Intervals fitted = fit_intervals(classes, residuals);
  for (const IntervalClass& one : fitted.classes) parts.intervals.push_back({one, 0, {}, {}});
  parts.left_out = put_coverage(fitted, residuals, parts.intervals);
  return fitted;
}

std::string text_at(const Json& object, const char* key) {
  const Json& value = at_dotted(object, key);
  return value.is_string() ? value.get<std::string>() : "";
}

std::int64_t count_at(const Json& object, const char* key) {
  const Json& value = at_dotted(object, key);
  return value.is_number_integer() ? value.get<std::int64_t>() : 1;
}

/// What a row says of its run, and what `take` takes of the engine's answer; its refusal, else.
template <typename Row, typename Take>
Row asked(const MeasuredSource& source, const MeasuredRow& run, const Catalog& catalog,
          const Take& take) {
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
  try {
    const Question question = read_whole_question(run.request, catalog, catalog.engine.current);
    take(row, question, answer(question));
  } catch (const InputError& error) {
    row.refusal = error.what();
  }
  return row;
}

}  // namespace

namespace {

/// Against estimates that no run of a team's own corrects.
Validation validate_plain(const Catalog& catalog, int jobs) {
  const ValidationRules& rules = catalog.validation;
  Validation result;
  Accuracy& accuracy = result.accuracy;
  accuracy.held_out_rule = rules.held_out;
  accuracy.sources = sources_of(catalog);
  accuracy.rows = compared<AccuracyRow>(catalog, &MeasuredSource::rows, jobs);
  const auto residuals = residuals_of(accuracy.rows, rules, "memory");
  result.intervals = put_parts(accuracy.rows, catalog.intervals, residuals, accuracy);
  accuracy.coverage = held_out_coverage(catalog.intervals, residuals);
  SpeedAccuracy& speed = accuracy.speed;
  speed.rows = compared<SpeedRow>(catalog, &MeasuredSource::speeds, jobs);
  speed.refitted = rules.refitted_speed;
  result.speed_intervals = put_parts(speed.rows, catalog.speed_intervals,
                                     residuals_of(speed.rows, rules, "speed"), speed);
  accuracy.out_of_model = out_of_model(accuracy.rows, speed.rows, rules);
  accuracy.bars = bar_results(accuracy, accuracy.all, speed.all, rules);
  return result;
}

}  // namespace

Validation validate(const Catalog& catalog, int jobs) {
  if (!catalog.team_runs) return validate_plain(catalog, jobs);
  Catalog plain = catalog;
  correct_by({}, plain);
  Validation result = validate_plain(plain, jobs);
  result.accuracy.team = team_accuracy(plain);
  return result;
}

AccuracyRow compare(const MeasuredSource& source, const MeasuredRow& run, const Catalog& catalog) {
  // The answer as readers outside see it, so that no figure is compared that they cannot get; but
  // for a last stage that is not the worst, which the answer leaves out: frameworks log it that
  // leave it to the last rank.
  const auto take = [&](AccuracyRow& row, const Question&, const Sizing& sizing) {
    const Candidate& chosen = sizing.plan.chosen;
    const Json memory = run.measured.last_stage
                            ? as_json(memory_bill(chosen.job, chosen.stages->back()))
                            : to_json(sizing).at("memory");
    row.predicted = memory.at(run.measured.kind).get<std::int64_t>();
    row.verdict = chosen.verdict;
    row.facts = memory_facts(chosen.job);
    row.facts.stack = run.framework;
    row.interval_class = catalog.intervals.of(row.facts).first->id;
  };
  auto row = asked<AccuracyRow>(source, run, catalog, take);
  row.kind = run.measured.kind;
  row.relation = run.measured.relation;
  row.held_out = source.held_out;
  row.measured = run.measured.bytes;
  if (row.predicted && row.measured && row.relation == "equal") {
    row.error = static_cast<double>(*row.predicted) / static_cast<double>(*row.measured) - 1;
  }
  return row;
}

SpeedRow compare(const MeasuredSource& source, const MeasuredSpeed& speed, const Catalog& catalog) {
  const auto take = [&](SpeedRow& row, const Question& question, const Sizing& sizing) {
    if (!sizing.speed) throw InputError("no speed is known for this GPU and precision");
    row.predicted = sizing.speed->tokens_per_second_per_gpu;
    row.low = sizing.speed->low;
    row.high = sizing.speed->high;
    row.error = *row.predicted / speed.tokens_per_s_per_gpu - 1;
    row.bound_by = bound_by(*sizing.speed);
    row.facts = speed_facts(sizing.plan.chosen.job, *question.gpu);
    row.interval_class = catalog.speed_intervals.of(row.facts).first->id;
  };
  auto row = asked<SpeedRow>(source, speed.run, catalog, take);
  row.held_out = source.speed_held_out;
  row.measured = speed.tokens_per_s_per_gpu;
  return row;
}

}  // namespace sizesheet
