// SPDX-License-Identifier: Apache-2.0
#include "evidence/compare.h"

#include "sizing/estimate.h"
#include "sizing/memory.h"
#include "support/text.h"

namespace sizesheet {
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
