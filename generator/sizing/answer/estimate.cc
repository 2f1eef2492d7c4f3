// SPDX-License-Identifier: Apache-2.0
#include "sizing/answer/estimate.h"

#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <type_traits>

#include "catalog/catalog.h"
#include "catalog/facts/engine_constants.h"
#include "catalog/models/architecture.h"
#include "catalog/models/model.h"
#include "sizing/advice/limits.h"
#include "sizing/advice/lints.h"
#include "sizing/job/job.h"
#include "sizing/job/layout_shape.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/grpo_bill.h"
#include "sizing/memory/memory.h"
#include "sizing/memory/pieces.h"
#include "sizing/memory/verdict.h"
#include "sizing/model/parameters.h"
#include "sizing/model/projections.h"
#include "sizing/model/tower_counts.h"
#include "sizing/request/job_reader.h"
#include "sizing/request/kernels_reader.h"
#include "sizing/request/method_reader.h"
#include "sizing/request/question.h"
#include "sizing/search/candidate.h"
#include "sizing/search/search.h"
#include "sizing/time/clocks.h"
#include "sizing/time/rollout.h"
#include "sizing/time/throughput.h"
#include "support/described.h"
#include "support/error.h"
#include "support/json.h"
#include "support/named.h"
#include "support/object_text.h"
#include "support/text.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

/// Bytes per GPU that the bare default would add to the chosen layout, where the engine can tell.
std::optional<std::int64_t> trap_bytes(const Question& question, const Plan& plan,
                                       const Trap& trap) {
  const Job& chosen = plan.chosen.job;
  if (trap.key == "method.base" && trap.bare_value == "fp32" && !chosen.nf4()) {
    const double split =
        chosen.layout.shard == Shard::kZero3 ? as_double(chosen.layout.shard_ranks()) : 1.0;
    const double parameters = as_double(count_parameters(*question.model).total());
    return std::llround(2 * parameters / as_double(chosen.layout.tp) / split);
  }
  Job bare = chosen;
  if (trap.key == "kernels.recompute" && trap.bare_value == "none") {
    bare.recompute = Recompute::kNone;
  } else if (trap.key == "state" && trap.bare_value.is_string()) {
    const auto recipe = chosen.constants->recipes.find(trap.bare_value.get<std::string>());
    if (recipe == chosen.constants->recipes.end()) return std::nullopt;
    bare.state = recipe->second;
  } else {
    return std::nullopt;
  }
  return worst_bill(bare, *plan.chosen.stages).device - plan.chosen.bill.device;
}

/// Kinds of layers of which no published run says what they keep: their bytes follow from what the
/// kernels save.
std::optional<std::string> unmeasured(const Architecture& model) {
  std::set<std::string> kinds;
  for (const BlockRun& run : model.runs) {
    for (const Sublayer sublayer : sublayers(run.block)) {
      if (!facts_of(sublayer).measured) kinds.emplace(facts_of(sublayer).title);
    }
    if (run.block.attention && run.block.attention->indexer) kinds.insert("Sparse attention");
  }
  if (kinds.empty()) return std::nullopt;
  return "model: " + join({kinds.begin(), kinds.end()}, ", ") +
         ": no published run says what such layers keep; it follows from what their kernels save";
}

/// Parts of the checkpoint that the run does not hold.
std::optional<std::string> left_out(const Question& question, const Job& job) {
  static const std::map<std::string, std::string> kParts = {
      {"audio", "audio tower"}, {"mtp", "layers that predict further tokens"}};
  std::vector<std::string> parts;
  const auto add = [&](const std::string& part, std::int64_t count) {
    parts.push_back(part + " (" + format_integer(count) + " parameters)");
  };
  if (question.model->tower && !job.vision) {
    add("vision tower", count_tower(*question.model->tower).total());
  }
  if (question.model->further_predictions > 0 && question.model->kept_predictions() == 0) {
    add(kParts.at("mtp"), prediction_parameters(*question.model));
  }
  const auto model = question.catalog->models.find(question.model_id);
  if (model != question.catalog->models.end()) {
    for (const ExtraCount& extra : model->second.extras) {
      const auto part = kParts.find(extra.name);
      if (part != kParts.end()) add(part->second, extra.value);
    }
  }
  if (parts.empty()) return std::nullopt;
  return std::string("model: ") + (job.vision ? "it" : "the language model alone") +
         " is sized, without its " + join(parts, " and its ");
}

AnsweredIds ids_of(const Question& question) {
  AnsweredIds ids;
  if (question.model_id != kInlineModel) ids.model = question.model_id;
  if (question.gpu != nullptr) ids.gpu = question.gpu->id;
  if (!question.method_id.empty()) ids.method = question.method_id;
  return ids;
}

/// What the figures take the checkpoint's own format for, and how its config was read.
void add_config_words(const Question& question, const Job& job,
                      std::vector<std::string>& warnings) {
  const Architecture& model = *job.model;
  if (const auto& stored = model.stored) {
    const Json& told = at_dotted(question.request, "method.base");
    const std::string base = told.is_string() ? told.get<std::string>()
                             : job.nf4()      ? "nf4"
                                              : "16 bits";
    if (!stored->as_stored && base != stored->format) {
      warnings.push_back("config.json: quantization_config: the checkpoint holds " +
                         stored->format + " weights (" + stored->quant_method +
                         "); the figures take them as dequantised on loading" +
                         (job.full() ? "" : " and kept in " + base));
    }
    if (stored->fp4) {
      warnings.emplace_back(
          "config.json: quantization_config: FP4 is sized as NF4, which takes the same bytes");
    }
    if (stored->fp32_products) {
      warnings.emplace_back(
          "config.json: quantization_config: bnb_4bit_compute_dtype float32 takes more memory and "
          "time; the products are sized in 16 bits");
    }
  }
  warnings.insert(warnings.end(), model.remarks.begin(), model.remarks.end());
}

std::vector<std::string> warnings_of(const Question& question, const Plan& plan,
                                     const std::optional<Throughput>& speed) {
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
  if (job.training) {
    warnings.push_back("objective: no published run says what " +
                       std::string(job.training->facts().title) +
                       " takes; its loss and its passes without gradient follow from the "
                       "trainer's code");
  }
  add_config_words(question, job, warnings);
  if (const auto words = left_out(question, job)) warnings.push_back(*words);
  if (job.samples && job.samples->spread.variation > 0 &&
      at_dotted(question.request, "workload.length_cv").is_null()) {
    warnings.push_back("workload.length_cv: " + shortest(job.samples->spread.variation) +
                       " is assumed; the padding and the hours depend on it");
  }
  if (const auto words = unmeasured(*question.model)) warnings.push_back(*words);
  for (const Lint& lint : lints(question, plan.chosen, speed)) {
    warnings.push_back(lint.id + ": " + lint.words);
  }
  return warnings;
}

ObjectText memory_text(const Candidate& candidate) {
  const bool sized = candidate.verdict != Verdict::kUnknown;
  ObjectText text;
  const auto put = [&](const char* key, const auto& value) {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, PhaseBytes>) {
      ObjectText phases;
      for (const Phase phase : kPhases) phases(name_of(phase), value.in(phase));
      text(key, phases);
    } else {
      text(key, value);
    }
  };
  fields(put, candidate.bill);
  if (!sized) {
    text.erase("capacity");
    text("capacity", nullptr);
  }
  text("verdict", sized ? std::optional(candidate.verdict) : std::nullopt);
  text.erase("device_high");  // stands in `interval`
  return text;
}

ObjectText layout_text(const Job& job) {
  ObjectText text;
  const LayoutShape shape = shape_of(job);
  fields(text, shape);
  for (const char* other : {"recompute", "loss", "grad_accum", "micro_batch"}) text.erase(other);
  text("mesh", device_mesh(job));
  text("sequence_parallel", job.layout.sequence_parallel);
  text("shard_group", job.layout.shard_group);
  return text;
}

ObjectText parameters_text(const Sizing& sizing) {
  ObjectText text;
  text("active", sizing.parameters.active());
  text("total", sizing.parameters.total());
  text("trainable", sizing.trainable);
  return text;
}

ObjectText interval_text(const Sizing& sizing) {
  ObjectText text;
  text("class", sizing.interval_class);
  text("coverage", sizing.coverage);
  text("device_high", sizing.device_high);
  text("device_low", sizing.device_low);
  text("grade", sizing.grade);
  return text;
}

ObjectText minimum_text(const Sizing& sizing) {
  ObjectText text;
  text("by_memory", sizing.plan.by_memory);
  text("tight", sizing.plan.tight);
  text("rentable", sizing.plan.rentable);
  if (sizing.has_deadline) text("recommended", sizing.recommended);
  if (sizing.limits) text("comfortable", sizing.comfortable);
  return text;
}

ObjectText throughput_text(const Throughput& speed, const Job& job) {
  ObjectText text;
  fields(text, speed);
  text("bound_by", bound_by(speed));
  if (job.samples) {
    text("tokens_computed_per_token", job.samples->cost.computed);
    text("slowest_rank_over_mean", job.samples->waiting(job.layout.dp));
  }
  if (speed.rollout) {
    text("step_seconds", *speed.rollout);
    text("generation_share", speed.rollout->generation / speed.rollout->step);
  }
  return text;
}

/// What trains, under the keys of a request.
ObjectText method_text(const Job& job) {
  const JobChoices choices = choices_of(job);
  ObjectText text;
  text("kind", job.kind);
  text("base", base_name(job));
  text("rank", choices.lora_rank);
  text("targets", choices.lora_targets);
  return text;
}

/// What of the job is no part of the layout.
void add_choices(const Job& job, ObjectText& line) {
  const JobChoices choices = choices_of(job);
  line("method", method_text(job));
  line("stack", choices.stack.empty() ? std::nullopt : std::optional(choices.stack));
  line("micro_batch", choices.micro_batch);
  line("grad_accum", choices.grad_accum);
  line("recompute", choices.recompute);
  line("loss", choices.loss);
  line("optimizer", choices.optimizer);
  line("provider", nullptr);  // of a set-up that is rented: put_money
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

/// Of the trainer, as the bill is.
void set_interval(const Question& question, Sizing& result) {
  const Candidate& chosen = result.plan.chosen;
  const MemoryRange range = chosen.range();
  const std::int64_t beside = chosen.device() - chosen.bill.device;
  result.device_low = range.low - beside;
  result.device_high = range.high - beside;
  result.coverage = question.catalog->intervals.rules.coverage;
  result.interval_class = range.of->id;
  result.grade = range.grade;
  if (range.team_runs == 0) return;
  result.team.emplace();
  result.team->memory_runs = range.team_runs;
  result.team->memory_bytes = static_cast<std::int64_t>(chosen.job.overheads.team_bytes);
}

void set_team_speed(Sizing& result) {
  if (!result.speed || result.speed->team_runs == 0) return;
  if (!result.team) result.team.emplace();
  result.team->speed_runs = result.speed->team_runs;
  result.team->speed_factor = result.speed->team_factor;
}

}  // namespace

LayoutShape shape_of(const Job& job) {
  const Layout& layout = job.layout;
  return {layout,
          layout.gpus(),
          job.shards() ? name_of(layout.shard) : "none",
          offload_name(layout),
          recompute_name(job),
          job.loss,
          job.grad_accum,
          job.micro_batch};
}

JobChoices choices_of(const Job& job) {
  JobChoices choices{
      .stack = job.stack != nullptr ? job.stack->id : "",
      .micro_batch = job.micro_batch,
      .grad_accum = job.grad_accum,
      .recompute = recompute_name(job),
      .loss = job.training ? std::string(id_of(kTrainingLosses, job.training->loss)) : job.loss,
      .optimizer = job.optimizer.id,
      .lora_rank = {},
      .lora_targets = {}};
  if (job.full()) return choices;
  choices.lora_rank = job.adapters.rank;
  choices.lora_targets = job.target_words;
  return choices;
}

SizedLayout sized_layout(const Candidate& candidate) {
  const MemoryBill& bill = candidate.bill;
  return {shape_of(candidate.job), candidate.device(), bill.device_high,
          bill.capacity,           candidate.verdict,  candidate.certain()};
}

Sizing answer(const Question& question) { return answer(question, search_counts(question)); }

Sizing answer(const Question& question, Plan found) {
  Sizing result;
  result.id = question.id;
  result.ids = ids_of(question);
  result.parameters = count_parameters(*question.model);
  result.plan = std::move(found);
  const Candidate& chosen = result.plan.chosen;
  result.trainable = trainable_parameters(chosen.job);
  set_interval(question, result);
  if (question.gpu != nullptr) {
    result.speed = run_speed(chosen.job, *question.gpu, question.speed_intervals);
    if (result.speed) result.hours = run_hours(chosen.job, *result.speed);
    set_team_speed(result);
  }
  if (!chosen.job.grpo) {
    result.files = run_files(chosen.job, chosen.bill.host, question.gpus_per_node());
  }
  result.warnings = warnings_of(question, result.plan, result.speed);
  if (result.team) result.warnings.push_back(team_words(*result.team));
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
  return whole_answer(question, search_counts(question), nullptr);
}

Sizing whole_answer(const Question& question, const Plan& found, const Candidate* shown) {
  Plan told = found;
  if (shown != nullptr) told.chosen = *shown;
  Sizing sizing = answer(question, std::move(told));
  if (!question.wants(AnswerPart::kWords)) return sizing;
  sizing.binding = binding_words(question, found);
  sizing.defaults = defaults_of(question, sizing.plan.chosen);
  return sizing;
}

ObjectText answer_text(const Sizing& sizing) {
  const auto or_null = [](bool there, const std::string& words) {
    return there ? std::optional(words) : std::nullopt;
  };
  const Plan& plan = sizing.plan;
  const Job& job = plan.chosen.job;
  const bool sized = plan.chosen.verdict != Verdict::kUnknown;
  ObjectText line;
  fields(line, sizing.ids);
  add_choices(job, line);
  line("binding", or_null(sized, sizing.binding));
  line("defaults", sizing.defaults);
  line("files", sizing.files);
  line("fingerprint", or_null(!plan.fingerprint.empty(), plan.fingerprint));
  if (plan.chosen.grpo) {
    Json grpo = grpo_json(job, *plan.chosen.grpo, plan.chosen.verdict);
    grpo["together"]["device_high"] = plan.chosen.bill.device_high;
    line("grpo", grpo);
  }
  line("hours", sizing.hours);
  line("id", or_null(!sizing.id.empty(), sizing.id));
  line("interval", interval_text(sizing));
  line("layout", layout_text(job));
  if (sizing.limits) line("limits", *sizing.limits);
  line("memory", memory_text(plan.chosen));
  line("minimum", sized ? std::optional(minimum_text(sizing)) : std::nullopt);
  line("ok", true);
  line("parameters", parameters_text(sizing));
  if (sizing.team) line("team_runs", *sizing.team);
  line("throughput",
       sizing.speed ? std::optional(throughput_text(*sizing.speed, job)) : std::nullopt);
  line("warnings", sizing.warnings);
  return line;
}

Json to_json(const Sizing& sizing) { return answer_text(sizing).json(); }

}  // namespace sizesheet
