// SPDX-License-Identifier: Apache-2.0
#include "sizing/request/grpo_reader.h"

#include <algorithm>
#include <cmath>

#include "catalog/catalog.h"
#include "catalog/facts/engine_constants.h"
#include "catalog/facts/gpu.h"
#include "catalog/files/entry.h"
#include "catalog/models/architecture.h"
#include "catalog/models/model.h"
#include "sizing/job/degrees.h"
#include "sizing/job/job.h"
#include "sizing/memory/generation.h"
#include "sizing/request/job_basis.h"
#include "sizing/request/layout_rules.h"
#include "sizing/request/objective_reader.h"
#include "sizing/request/question.h"
#include "support/json.h"
#include "support/named.h"
#include "support/text.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

void read_place(ObjectReader& reader, GrpoSpec& grpo) {
  grpo.place = read_named_or(reader, "generation", kPlaces, GenerationPlace::kColocated);
  const bool server = !grpo.colocated();
  grpo.generation_tp = reader.integer_or("generation_tp", 1, {1, 1024});
  grpo.memory_fraction = reader.number_or("memory_fraction", server ? 0.9 : 0.3, {0.01, 1});
  grpo.sleep = reader.flag_or("sleep", !server);
  grpo.eager_generation = reader.flag_or("eager_generation", false);
  refuse_unless(reader, !server || !grpo.sleep, "sleep",
                "true needs generation \"colocated\": a server has its cards to itself");
  grpo.trainer_offload =
      read_named_or(reader, "trainer_offload", kTrainerOffloads, TrainerOffload::kNone);
  refuse_unless(
      reader, !server || grpo.trainer_offload == TrainerOffload::kNone, "trainer_offload", [&] {
        return in_quotes(id_of(kTrainerOffloads, grpo.trainer_offload)) +
               " needs generation \"colocated\": a server leaves the trainer's cards alone";
      });
  if (!server) {
    refuse_unless(reader, !reader.has("generation_gpus"), "generation_gpus",
                  "needs generation \"server\"; colocated engines run on the trainer's GPUs");
    reader.raw("generation_gpus");
    return;
  }
  grpo.generation_gpus = reader.integer("generation_gpus", {1, 100000});
  if (reader.sound("") && grpo.generation_gpus % grpo.generation_tp != 0) {
    reader.fault("generation_gpus", std::to_string(grpo.generation_gpus) +
                                        " is not divisible by generation_tp " +
                                        std::to_string(grpo.generation_tp));
  }
}

/// A model that scores completions; `words` are values that name none.
std::shared_ptr<const Architecture> read_scorer(ObjectReader& reader, const char* key,
                                                std::initializer_list<const char*> words,
                                                const Catalog& catalog) {
  const Json& value = reader.raw(key);
  const bool none = std::ranges::any_of(words, [&](const char* word) { return value == word; });
  if (value.is_null() || none) return nullptr;
  const Model* model = find_named(reader, key, catalog.models, "model");
  if (model == nullptr) return nullptr;
  return {std::shared_ptr<void>(), &model->architecture};
}

/// Models beside the policy: what it is held to, what estimates the value, what rewards.
void read_models(ObjectReader& reader, const JobBasis& basis, const MethodKeys& method,
                 GrpoSpec& grpo) {
  grpo.reference = read_named_or(reader, "reference", kReferences, Reference::kNone);
  check_adapter_off(reader, grpo.reference, method);
  refuse_unless(reader, grpo.reference != Reference::kPrecomputed, "reference",
                "\"precomputed\" needs answers that are known before training, and these are "
                "generated; ask for \"copy\"");
  grpo.reference_offload = reader.flag_or("reference_offload", false);
  refuse_unless(reader, !grpo.reference_offload || grpo.reference == Reference::kCopy,
                "reference_offload", [&] {
                  return "true needs reference \"copy\", which alone has weights of its own, got " +
                         in_quotes(id_of(kReferences, grpo.reference));
                });
  const bool ppo = grpo.algorithm == PolicyAlgorithm::kPpo;
  const Json& value = reader.raw("value_model");
  refuse_unless(reader, ppo || value.is_null() || value == "none", "value_model", [&] {
    return "needs algorithm \"ppo\"; " + in_quotes(id_of(kAlgorithms, grpo.algorithm)) +
           " compares the completions of one prompt instead, got " + shown(value);
  });
  grpo.value_model =
      value == "copy" ? basis.model : read_scorer(reader, "value_model", {"none"}, basis.catalog);
  grpo.reward_model = read_scorer(reader, "reward_model", {"none", "function"}, basis.catalog);
  grpo.reward_gpus = reader.integer_or("reward_gpus", 0, {0, 100000});
  refuse_unless(reader, grpo.reward_gpus == 0 || grpo.reward_model || !reader.sound("reward_model"),
                "reward_gpus", [&] {
                  return "needs a reward_model that runs on them, got " +
                         std::to_string(grpo.reward_gpus);
                });
}

/// What only the clock asks for would be ignored where nothing is timed.
void refuse_untimed(ObjectReader& reader) {
  const std::initializer_list<std::pair<const char*, Json>> keys = {
      {"optimizer_steps", 1},  {"epochs", 1},         {"prompt_mean", {}},
      {"completion_mean", {}}, {"completion_cv", {}}, {"logprob_passes", {}},
      {"steps_off_policy", 0}, {"kept_groups", 1},    {"switch_seconds", {}}};
  for (const auto& [key, neutral] : keys) {
    const Json& value = reader.raw(key);
    if (value.is_null() || value == neutral) continue;
    reader.fault(key,
                 "needs prompts_per_step: without it the step is not timed, got " + shown(value));
  }
}

void read_lengths(ObjectReader& reader, GrpoSpec& grpo) {
  const auto limited = [&](const char* key, double mean, const char* limit_key,
                           std::int64_t limit) {
    refuse_unless(reader, mean <= as_double(limit), key, [&] {
      return std::string("a mean lies at or below the limit, ") + limit_key + " " +
             std::to_string(limit) + ", got " + shortest(mean);
    });
  };
  grpo.prompt_mean = reader.number_or("prompt_mean", as_double(grpo.prompt_length), {1, 100000000});
  limited("prompt_mean", grpo.prompt_mean, "prompt_length", grpo.prompt_length);
  grpo.completion_mean = reader.optional_number("completion_mean", {1, 100000000});
  limited("completion_mean", grpo.completion(), "completion_length", grpo.completion_length);
  refuse_unless(reader, grpo.completion_mean || !reader.has("completion_cv"), "completion_cv", [&] {
    return "needs completion_mean: without it every completion has the limit's length, got " +
           shown(reader.raw("completion_cv"));
  });
  grpo.completion_variation = reader.number_or("completion_cv", 0.7, {0, 10});
}

/// What a step runs, where its hours are asked for.
void read_step(ObjectReader& reader, const EngineConstants& constants, GrpoSpec& grpo) {
  grpo.prompts_per_step = reader.optional_integer("prompts_per_step", {1, 1000000});
  if (!grpo.prompts_per_step) return refuse_untimed(reader);
  grpo.optimizer_steps = reader.integer_or("optimizer_steps", 1, {1, 100000});
  const std::int64_t completions = *grpo.prompts_per_step * grpo.group_size;
  refuse_unless(reader, completions % grpo.optimizer_steps == 0, "optimizer_steps", [&] {
    return std::to_string(completions) + " completions of a step are not divisible by " +
           std::to_string(grpo.optimizer_steps) + " " +
           nearest_divisors(completions, grpo.optimizer_steps);
  });
  grpo.epochs = reader.integer_or("epochs", 1, {1, 1000});
  read_lengths(reader, grpo);
  // The old policy's pass may be left out where generation and training never drift apart; the
  // reference always takes its own.
  const std::int64_t reference = grpo.reference == Reference::kNone ? 0 : 1;
  grpo.logprob_passes = reader.integer_or("logprob_passes", reference + 1, {0, 2});
  refuse_unless(reader, grpo.logprob_passes == reference || grpo.logprob_passes == reference + 1,
                "logprob_passes", [&] {
                  return "the old policy takes one pass or none, and reference " +
                         in_quotes(id_of(kReferences, grpo.reference)) + " takes " +
                         std::to_string(reference) + ": expected " + std::to_string(reference) +
                         " or " + std::to_string(reference + 1) + ", got " +
                         std::to_string(grpo.logprob_passes);
                });
  grpo.steps_off_policy = reader.integer_or("steps_off_policy", 0, {0, 1000});
  refuse_unless(reader, grpo.steps_off_policy == 0 || !grpo.colocated(), "steps_off_policy", [&] {
    return "needs generation \"server\": colocated, generation waits for training, got " +
           std::to_string(grpo.steps_off_policy);
  });
  grpo.kept_groups = reader.number_or("kept_groups", 1, {0.001, 1});
  refuse_unless(
      reader, grpo.kept_groups == 1 || grpo.algorithm == PolicyAlgorithm::kDapo, "kept_groups",
      [&] {
        return "needs algorithm \"dapo\", whose dynamic sampling throws groups away, got " +
               shortest(grpo.kept_groups);
      });
  refuse_unless(reader, grpo.colocated() || !reader.has("switch_seconds"), "switch_seconds",
                "needs generation \"colocated\": with a server nothing changes places");
  grpo.switch_seconds =
      reader.number_or("switch_seconds", constants.value("rollout.switch_seconds"), {0, 100000});
}

/// Groups are what other algorithms than PPO compare, so they have at least two completions of a
/// prompt; under PPO further ones are further samples.
void read_group(ObjectReader& reader, GrpoSpec& grpo) {
  grpo.algorithm = read_named_or(reader, "algorithm", kAlgorithms, PolicyAlgorithm::kGrpo);
  const bool ppo = grpo.algorithm == PolicyAlgorithm::kPpo;
  grpo.group_size = reader.integer_or("group_size", ppo ? 1 : 8, {ppo ? 1 : 2, 100000});
}

/// Tensor parallelism of the engine obeys the rules of the model and stays inside a node.
void check_split(ObjectReader& reader, const Job& job, const Gpu& gpu) {
  const std::int64_t tp = job.grpo->generation_tp;
  const std::string fault = tensor_split_fault(*job.model, tp);
  if (!fault.empty()) reader.fault("generation_tp", fault);
  for (const BlockRun& run : job.model->runs) {
    if (!fault.empty() || !run.block.moe || run.block.moe->expert_width % tp == 0) continue;
    const std::int64_t width = run.block.moe->expert_width;
    reader.fault("generation_tp", std::to_string(width) + " expert columns are not divisible by " +
                                      std::to_string(tp) + " " + nearest_divisors(width, tp));
    break;
  }
  if (tp > gpu.gpus_per_node) {
    reader.fault("generation_tp", "an engine stays inside a node of " +
                                      std::to_string(gpu.gpus_per_node) + " GPUs, got " +
                                      std::to_string(tp));
  }
}

/// The smallest wider split with which the engine starts in the fraction it was given; 0: none.
std::int64_t wider_split(Job job, const Gpu& gpu, std::int64_t capacity) {
  const double fraction = job.grpo->memory_fraction;
  for (std::int64_t tp = job.grpo->generation_tp + 1; tp <= gpu.gpus_per_node; ++tp) {
    if (!tensor_split_fault(*job.model, tp).empty()) continue;
    job.grpo->generation_tp = tp;
    if (least_fraction(job, capacity) <= fraction) return tp;
  }
  return 0;
}

/// An engine that cannot cache one sequence at full length refuses to start.
void check_start(ObjectReader& reader, const Job& job, const Gpu& gpu) {
  const std::int64_t capacity = gpu.capacity_bytes().value_or(0);
  if (capacity == 0) return;
  const GenerationBill bill = generation_bill(job, capacity);
  if (bill.device > capacity) {
    reader.fault("memory_fraction", format_number(job.grpo->memory_fraction, 2) + " of " +
                                        format_gib(capacity, 1) +
                                        " GiB leaves no room for the server's CUDA context of " +
                                        format_number(job.overheads.context_gib, 2) + " GiB");
  }
  if (bill.sequences_that_fit > 0) return;
  const double least = least_fraction(job, capacity);
  const std::int64_t wider = wider_split(job, gpu, capacity);
  std::string text = "the engine does not start: " + format_number(job.grpo->memory_fraction, 2) +
                     " of " + format_gib(capacity, 1) + " GiB is too little for weights of " +
                     format_gib(bill.weights, 1) + " GiB, a workspace of " +
                     format_gib(bill.workspace, 1) + " GiB, graphs and libraries of " +
                     format_gib(bill.asleep(), 1) + " GiB and one sequence's cache of " +
                     format_gib(bill.kv_cache_per_sequence, 2) + " GiB";
  if (least <= 1) text += "; at least " + format_number(least, 2);
  if (wider > 0) {
    text += std::string(least <= 1 ? " or" : ";") + " generation_tp " + std::to_string(wider);
  }
  if (least > 1 && wider == 0) text += "; no fraction, and no split inside a node, is enough";
  reader.fault("memory_fraction", text);
}

/// The trainer runs over prompt and completion, whose lengths differ from batch to batch.
void set_length(ObjectReader& reader, const Json& request, RunKeys& run) {
  const GrpoSpec& grpo = *run.grpo;
  if (at_dotted(request, "workload.packed").is_null()) run.packed = false;
  if (at_dotted(request, "workload.seq_len").is_null()) {
    run.seq_len = grpo.sequence();
  } else if (run.seq_len < grpo.sequence()) {
    reader.fault("completion_length",
                 "prompt and completion are " + std::to_string(grpo.prompt_length) + " + " +
                     std::to_string(grpo.completion_length) + " = " +
                     std::to_string(grpo.sequence()) + " tokens, and workload.seq_len is " +
                     std::to_string(run.seq_len) + "; leave it out or give at least that");
  }
}

/// How often micro-batches are accumulated follows from the completions of a step where the request
/// does not say it.
void set_batch(ObjectReader& request, ObjectReader& reader, RunKeys& run) {
  const GrpoSpec& grpo = *run.grpo;
  if (run.global_batch) {
    request.fault("workload",
                  "global_batch leaves the accumulation to the layout, and grpo counts the step's "
                  "samples itself; give " +
                      std::string(grpo.prompts_per_step ? "grpo.prompts_per_step alone"
                                                        : "workload.grad_accum"));
  }
  refuse_unless(reader, !run.prompts || grpo.prompts_per_step, "prompts_per_step",
                "workload.examples is the length of the run, and its hours need the prompts of a "
                "step; expected an integer, got nothing");
  // Said outright, the accumulation stays; the clock counts the tokens of the completions.
  if (!grpo.prompts_per_step || run.grad_accum != 1) return;
  const double samples = grpo.completions() / as_double(grpo.optimizer_steps);
  const double in_one = run.packed ? as_double(run.seq_len) / grpo.mean_sequence() : 1;
  run.global_batch = std::max<std::int64_t>(1, std::llround(samples / in_one));
}

}  // namespace

std::string money_fault(const RunKeys& run) {
  if (!run.grpo || run.grpo->other_gpus() == 0) return "";
  return "dollars are counted for the trainer's GPUs, and " +
         std::to_string(run.grpo->other_gpus()) +
         " more generate or score; explain shows the memory and the time; for dollars, let all of "
         "it "
         "share the trainer's GPUs (generation \"colocated\", reward_gpus 0)";
}

RunKeys read_grpo(ObjectReader& request, const JobBasis& basis, const MethodKeys& method,
                  const WorkloadKeys& workload) {
  RunKeys run{workload};
  std::optional<ObjectReader> found = request.optional_object("grpo");
  if (!found) return run;
  ObjectReader& reader = *found;
  GrpoSpec grpo;
  read_group(reader, grpo);
  grpo.prompt_length = reader.integer_or("prompt_length", 512, {1, 100000000});
  grpo.completion_length = reader.integer_or("completion_length", 1024, {1, 100000000});
  read_place(reader, grpo);
  grpo.kv_bytes = reader.one_of_or("kv_dtype", {"bf16", "fp8"}, "bf16") == "fp8" ? 1 : 2;
  grpo.nf4_weights = reader.one_of_or("weight_dtype", {"bf16", "nf4"}, "bf16") == "nf4";
  refuse_unless(reader, !grpo.nf4_weights || method.nf4(), "weight_dtype",
                "\"nf4\" needs a trainer on the same base, method.kind \"qlora\"");
  read_models(reader, basis, method, grpo);
  grpo.loss = read_named_or(reader, "loss", kPolicyLosses, PolicyLoss::kKernels);
  read_step(reader, basis.constants, grpo);
  const std::int64_t concurrent = grpo.prompts_per_step
                                      ? std::llround(basis.constants.value("rollout.concurrent"))
                                      : grpo.group_size * run.micro_batch;
  grpo.max_concurrent = reader.integer_or("max_concurrent", concurrent, {1, 1LL << 40});
  reader.done();
  run.grpo = grpo;
  set_length(reader, request.whole(), run);
  set_batch(request, reader, run);
  refuse_unless(reader, basis.gpu != nullptr, "",
                "needs a gpu: generation takes a fraction of its memory");
  return run;
}

void check_grpo(ObjectReader& request, const Gpu* gpu, const Job& job) {
  if (!job.grpo || gpu == nullptr || !request.sound("grpo")) return;
  ObjectReader reader = request.object("grpo");
  check_split(reader, job, *gpu);
  if (reader.sound("")) check_start(reader, job, *gpu);
}

}  // namespace sizesheet
