// SPDX-License-Identifier: Apache-2.0
#include "sizing/estimate.h"

#include <cmath>

#include "sizing/search/remarks.h"
#include "sizing/search/search.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Bytes per GPU that the bare default would add to the chosen layout, where the engine can tell.
std::optional<std::int64_t> trap_bytes(const Question& question, const Plan& plan,
                                       const Trap& trap) {
  const Job& chosen = plan.chosen.job;
  if (trap.key == "method.base" && trap.bare_value == "fp32" && !chosen.nf4()) {
    const double split = chosen.layout.shard == Shard::kZero3
                             ? static_cast<double>(chosen.layout.shard_ranks())
                             : 1.0;
    const double parameters = static_cast<double>(count_parameters(*question.model).total());
    return std::llround(2 * parameters / static_cast<double>(chosen.layout.tp) / split);
  }
  if (trap.key == "kernels.recompute" && trap.bare_value == "none") {
    Job bare = chosen;
    bare.recompute = Recompute::kNone;
    return worst_bill(bare, *plan.chosen.stages).device - plan.chosen.bill.device;
  }
  if (trap.key == "state" && trap.bare_value.is_string()) {
    const auto recipe = chosen.constants->recipes.find(trap.bare_value.get<std::string>());
    if (recipe == chosen.constants->recipes.end()) return std::nullopt;
    Job bare = chosen;
    bare.state = recipe->second;
    return worst_bill(bare, *plan.chosen.stages).device - plan.chosen.bill.device;
  }
  return std::nullopt;
}

std::vector<std::string> warnings_of(const Question& question, const Plan& plan) {
  std::vector<std::string> warnings = question.warnings;
  const bool several = plan.chosen.job.layout.gpus() > 1;
  for (const Trap& trap : question.traps) {
    if (!several && starts_with(trap.key, "layout.")) continue;
    std::string text = trap.key + ": " + trap.words;
    const auto bytes = trap_bytes(question, plan, trap);
    if (bytes && *bytes > 0) text += " (+" + format_gib(*bytes, 1) + " GiB per GPU here)";
    warnings.push_back(text);
  }
  const Job& job = plan.chosen.job;
  if (plan.chosen.grpo) {
    for (std::string& text : grpo_warnings(job, *plan.chosen.grpo)) {
      warnings.push_back(std::move(text));
    }
  }
  if (job.seq_len > question.model->max_positions && question.model->max_positions > 0) {
    warnings.push_back("workload.seq_len: " + format_integer(job.seq_len) +
                       " is beyond the model's " + format_integer(question.model->max_positions) +
                       " positions");
  }
  for (const Lint& lint : lints(question, plan.chosen)) {
    warnings.push_back(lint.id + ": " + lint.words);
  }
  return warnings;
}

Json phases_json(const PhaseBytes& phases) {
  Json json = Json::object();
  for (const Phase phase : kPhases) json[name_of(phase)] = phases.in(phase);
  return json;
}

Json memory_json(const Candidate& candidate) {
  const MemoryBill& bill = candidate.bill;
  const bool sized = !candidate.verdict.empty();
  return {{"weights", bill.weights},
          {"adapters", bill.adapters},
          {"gradients", bill.gradients},
          {"optimizer", bill.optimizer},
          {"activations", bill.activations},
          {"recompute", bill.recompute},
          {"logits", bill.logits},
          {"working_set", bill.working_set},
          {"allocated", bill.allocated},
          {"reserved", bill.reserved},
          {"overhead", bill.overhead},
          {"device", bill.device},
          {"capacity", sized ? Json(bill.capacity) : Json()},
          {"host", bill.host},
          {"stage", bill.stage},
          {"peak_phase", bill.peak_phase},
          {"phases", phases_json(bill.phases)},
          {"phases_step1", phases_json(bill.phases_step1)},
          {"verdict", sized ? Json(candidate.verdict) : Json()}};
}

Json layout_json(const Job& job) {
  const Layout& layout = job.layout;
  return {{"gpus", layout.gpus()},
          {"dp", layout.dp},
          {"tp", layout.tp},
          {"pp", layout.pp},
          {"cp", layout.cp},
          {"ep", layout.ep},
          {"etp", layout.etp},
          {"vpp", layout.vpp},
          {"mesh", device_mesh(layout)},
          {"sequence_parallel", layout.sequence_parallel},
          {"shard", layout.replicas() > 1 ? name_of(layout.shard) : "none"},
          {"shard_group", layout.shard_group},
          {"offload", offload_name(layout)}};
}

Json throughput_json(const Throughput& speed) {
  Json clocks = Json::object();
  for (const NamedClock& clock : named(speed.clocks)) clocks[clock.id] = clock.seconds;
  return {{"tokens_per_second_per_gpu", speed.tokens_per_second_per_gpu},
          {"tokens_per_second_per_gpu_low", speed.low},
          {"tokens_per_second_per_gpu_high", speed.high},
          {"mfu", speed.mfu},
          {"flops_per_token", speed.flops_per_token},
          {"clocks", clocks},
          {"gpu_measured", speed.measured},
          {"bound_by", bound_by(speed.clocks)}};
}

Json files_json(const RunFiles& files) {
  return {{"adapter_bytes", files.adapter},
          {"checkpoint_bytes", files.checkpoint},
          {"host_memory_bytes", files.host_memory},
          {"disk_bytes", files.disk}};
}

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

/// What only some requests ask for.
void add_extras(const Question& question, Sizing& sizing) {
  if (question.wants_limits) {
    sizing.limits = limits_of(question, sizing.plan.chosen);
    sizing.comfortable = comfortable_count(question, sizing.plan);
  }
  if (!question.deadline_hours) return;
  sizing.has_deadline = true;
  sizing.recommended = deadline_count(question, sizing.plan, *question.deadline_hours);
}

void write_extras(const Sizing& sizing, Json& line) {
  if (sizing.has_deadline) line["minimum"]["recommended"] = or_null(sizing.recommended);
  if (!sizing.limits) return;
  const Limits& limits = *sizing.limits;
  line["minimum"]["comfortable"] = or_null(sizing.comfortable);
  line["limits"] = {{"micro_batch", or_null(limits.micro_batch)},
                    {"micro_batch_power_of_two", or_null(limits.micro_batch_power_of_two)},
                    {"seq_len", or_null(limits.seq_len)},
                    {"seq_len_beyond_positions", limits.seq_len_beyond_positions},
                    {"next_count_seq_len", or_null(limits.next_count_seq_len)}};
}

}  // namespace

namespace {

/// What decides the class of a run's interval.
IntervalFacts interval_facts(const Question& question, const Job& job) {
  const Layout& layout = job.layout;
  const bool split = layout.tp * layout.pp * layout.cp * layout.ep > 1;
  return {question.stack != nullptr ? question.stack->id : "", question.kind,
          split           ? "model"
          : layout.dp > 1 ? "data"
                          : "one",
          job.packed};
}

void set_interval(const Question& question, Sizing& result) {
  const Candidate& chosen = result.plan.chosen;
  const IntervalClass& found = question.intervals->of(interval_facts(question, chosen.job));
  const double device = static_cast<double>(chosen.bill.device);
  result.device_low = std::llround(device * found.low);
  result.device_high = std::llround(device * found.high);
  result.coverage = question.intervals->rules.coverage;
  result.interval_class = found.id;
  result.grade = found.grade;
}

}  // namespace

LayoutShape shape_of(const Job& job) {
  LayoutShape shape;
  shape.gpus = job.layout.gpus();
  shape.dp = job.layout.dp;
  shape.tp = job.layout.tp;
  shape.pp = job.layout.pp;
  shape.cp = job.layout.cp;
  shape.ep = job.layout.ep;
  shape.etp = job.layout.etp;
  shape.vpp = job.layout.vpp;
  shape.shard = job.layout.replicas() > 1 ? name_of(job.layout.shard) : "none";
  shape.offload = offload_name(job.layout);
  shape.recompute = recompute_name(job);
  shape.loss = job.loss;
  return shape;
}

Sizing answer(const Question& question) {
  Sizing result;
  result.id = question.id;
  result.parameters = count_parameters(*question.model);
  result.plan = plan(question);
  const Candidate& chosen = result.plan.chosen;
  result.trainable = trainable_parameters(chosen.job);
  set_interval(question, result);
  if (question.gpu != nullptr && !chosen.job.grpo) {
    result.speed = throughput(chosen.job, *question.gpu, question.speed_intervals);
    if (result.speed) result.hours = run_hours(chosen.job, *result.speed);
  }
  if (!chosen.job.grpo) {
    result.files = run_files(chosen.job, chosen.bill.host, question.gpus_per_node());
  }
  result.warnings = warnings_of(question, result.plan);
  add_extras(question, result);
  return result;
}

Question read_whole_question(const Json& request, const Catalog& catalog,
                             const EngineConstants& constants) {
  Faults faults;
  Question question = read_question(request, catalog, constants, faults);
  if (!faults.empty()) throw InputError(faults.request_text());
  return question;
}

Sizing whole_answer(const Question& question) {
  Sizing sizing = answer(question);
  sizing.binding = binding_words(question, sizing.plan);
  sizing.defaults = defaults_of(question, sizing.plan.chosen);
  return sizing;
}

Sizing estimate(const Json& request, const Catalog& catalog, const EngineConstants& constants) {
  return whole_answer(read_whole_question(request, catalog, constants));
}

Json to_json(const Sizing& sizing) {
  const Plan& plan = sizing.plan;
  const bool sized = !plan.chosen.verdict.empty();
  Json line = {{"ok", true},
               {"parameters",
                {{"total", sizing.parameters.total()},
                 {"active", sizing.parameters.active()},
                 {"trainable", sizing.trainable}}},
               {"memory", memory_json(plan.chosen)},
               {"layout", layout_json(plan.chosen.job)},
               {"minimum", Json()},
               {"binding", sized ? Json(sizing.binding) : Json()},
               {"fingerprint", plan.fingerprint.empty() ? Json() : Json(plan.fingerprint)},
               {"interval",
                {{"device_low", sizing.device_low},
                 {"device_high", sizing.device_high},
                 {"coverage", sizing.coverage},
                 {"class", sizing.interval_class},
                 {"grade", sizing.grade}}},
               {"throughput", Json()},
               {"hours", Json()},
               {"defaults", sizing.defaults},
               {"warnings", sizing.warnings}};
  line["id"] = sizing.id.empty() ? Json() : Json(sizing.id);
  if (sized) {
    line["minimum"] = {{"by_memory", or_null(plan.by_memory)},
                       {"tight", or_null(plan.tight)},
                       {"rentable", or_null(plan.rentable)}};
  }
  if (plan.chosen.grpo) {
    line["grpo"] = grpo_json(plan.chosen.job, *plan.chosen.grpo, plan.chosen.verdict);
  }
  if (sizing.speed) {
    line["throughput"] = throughput_json(*sizing.speed);
  }
  if (sizing.hours) {
    line["hours"] = {
        {"low", sizing.hours->low}, {"mid", sizing.hours->mid}, {"high", sizing.hours->high}};
  }
  line["files"] = sizing.files ? files_json(*sizing.files) : Json();
  write_extras(sizing, line);
  return line;
}

}  // namespace sizesheet
