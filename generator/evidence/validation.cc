// SPDX-License-Identifier: Apache-2.0
#include "evidence/validation.h"

#include "sizing/estimate.h"
#include "sizing/memory/memory.h"
#include "support/parallel.h"
#include "support/text.h"

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

namespace {

std::string text_at(const Json& object, const char* key) {
  const auto entry = object.find(key);
  return entry != object.end() && entry->is_string() ? entry->get<std::string>() : "";
}

std::int64_t count_at(const Json& object, const char* key) {
  const auto entry = object.find(key);
  return entry != object.end() && entry->is_number_integer() ? entry->get<std::int64_t>() : 1;
}

Json object_at(const Json& object, const char* key) {
  const auto entry = object.find(key);
  return entry != object.end() && entry->is_object() ? *entry : Json::object();
}

std::string kind_of(const Json& request) { return text_at(object_at(request, "method"), "kind"); }

/// The run in words.
std::string setup_of(const MeasuredRow& row) {
  const Json workload = object_at(row.request, "workload");
  const std::string gpus = format_integer(count_at(object_at(row.request, "layout"), "gpus"));
  return row.model + ", " + kind_of(row.request) + ", " + gpus + " × " +
         text_at(row.request, "gpu") + ", " + format_integer(count_at(workload, "micro_batch")) +
         " × " + format_integer(count_at(workload, "seq_len")) + " tokens";
}

/// Of the last stage: what frameworks log that leave it to the last rank.
std::int64_t last_stage_bytes(const Candidate& chosen, const std::string& kind) {
  const MemoryBill bill = memory_bill(chosen.job, chosen.stages->back());
  if (kind == "allocated") return bill.allocated;
  return kind == "reserved" ? bill.reserved : bill.device;
}

}  // namespace

IntervalFacts interval_facts(const MeasuredRow& row) {
  const Json layout = object_at(row.request, "layout");
  const bool split = count_at(layout, "tp") > 1 || count_at(layout, "pp") > 1 ||
                     count_at(layout, "cp") > 1 || count_at(layout, "ep") > 1;
  const bool several = count_at(layout, "gpus") > 1;
  return {row.framework, kind_of(row.request),
          split     ? "model"
          : several ? "data"
                    : "one",
          object_at(row.request, "workload").value("packed", true)};
}

AccuracyRow compare(const MeasuredSource& source, const MeasuredRow& row, const Catalog& catalog) {
  AccuracyRow result;
  result.id = row.id;
  result.source = source.id;
  result.framework = row.framework;
  result.method = kind_of(row.request);
  result.setup = setup_of(row);
  result.kind = row.measured.kind;
  result.relation = row.measured.relation;
  result.held_out = source.held_out;
  result.flags = row.flags;
  result.measured = row.measured.bytes;
  result.link = row.link;
  result.evidence = row.evidence;
  try {
    // The answer as readers outside see it, so that no figure is compared that they cannot get; but
    // for a last stage that is not the worst, which the answer leaves out.
    const Question question = read_whole_question(row.request, catalog, catalog.engine.current);
    const Sizing sizing = answer(question);
    const Json line = to_json(sizing);
    const Json& memory = line.at("memory");
    result.predicted = row.measured.last_stage
                           ? last_stage_bytes(sizing.plan.chosen, row.measured.kind)
                           : memory.at(row.measured.kind).get<std::int64_t>();
    result.verdict = text_at(memory, "verdict");
    result.interval_class = catalog.intervals.of(interval_facts(row)).id;
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
  SpeedRow result;
  result.id = run.id;
  result.source = source.id;
  result.framework = run.framework;
  result.method = kind_of(run.request);
  result.setup = setup_of(run);
  result.held_out = source.speed_held_out;
  result.flags = run.flags;
  result.measured = speed.tokens_per_s_per_gpu;
  result.link = run.link;
  result.evidence = run.evidence;
  try {
    const Question question = read_whole_question(run.request, catalog, catalog.engine.current);
    const Sizing sizing = answer(question);
    if (!sizing.speed) throw InputError("no speed is known for this GPU and precision");
    result.predicted = sizing.speed->tokens_per_second_per_gpu;
    result.low = sizing.speed->low;
    result.high = sizing.speed->high;
    result.error = *result.predicted / result.measured - 1;
    result.bound_by = bound_by(sizing.speed->clocks);
    result.facts = speed_facts(sizing.plan.chosen.job, *question.gpu);
    result.interval_class = catalog.speed_intervals.of(result.facts).id;
  } catch (const InputError& error) {
    result.refusal = error.what();
  }
  return result;
}

}  // namespace sizesheet
