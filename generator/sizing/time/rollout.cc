// SPDX-License-Identifier: Apache-2.0
// A step of reinforcement learning: generation beside what the trainer does with it.

#include "sizing/time/rollout.h"

#include <algorithm>
#include <cmath>

#include "sizing/time/run_formulas.h"

namespace sizesheet {
namespace {

/// Prompts of a step that are generated: dynamic sampling throws some away.
double generated_prompts(const GrpoSpec& grpo) {
  return as_double(*grpo.prompts_per_step) / grpo.kept_groups;
}

/// GPUs that generate.
std::int64_t generating_gpus(const Job& job) {
  return job.grpo->colocated() ? job.layout.gpus() : job.grpo->generation_gpus;
}

/// Sequences that an engine runs at once: as they grow it grants them blocks, so their mean length
/// and not the limit decides how many its cache holds.
std::int64_t slots_of(const Job& job, const DecodeWork& work, std::int64_t capacity) {
  const GrpoSpec& grpo = *job.grpo;
  const double each = work.cache_bytes * grpo.mean_sequence() + work.state_bytes;
  const double room = as_double(generation_bill(job, capacity).kv_cache);
  const double held = std::max(1.0, std::floor(room / std::max(1.0, each)));
  return static_cast<std::int64_t>(std::min(held, as_double(grpo.max_concurrent)));
}

/// What the trainer does in a step, from the clocks of one optimizer step.
class Learning {
 public:
  Learning(const Job& learner, const Throughput& speed)
      : learner_(learner), grpo_(*learner.grpo), per_token_(step_work(learner).per_token) {
    const EngineConstants& constants = *learner.constants;
    // Fewer completions than the ranks take at once leave some of them idle.
    const double filled = std::max(1.0, micro_batches()) / as_double(learner.grad_accum);
    double steps = as_double(grpo_.optimizer_steps) * filled * constants.value("rollout.imbalance");
    if (has_experts(*learner.model)) steps *= constants.value("rollout.routed_factor");
    const StepClocks& clocks = speed.clocks;
    training_ = steps * clocks.total();
    // Forward passes take their part of the operations, and step no optimizer.
    pass_ = steps * (clocks.total() - clocks.optimizer - clocks.offload) * per_token_.forward /
            per_token_.hardware;
  }

  double training() const { return as_double(grpo_.epochs) * training_; }

  /// Passes of policy and reference, and that of a reward model, on its own GPUs where it has some.
  double logprobs() const {
    double seconds = as_double(grpo_.logprob_passes) * pass_;
    if (!grpo_.reward_model) return seconds;
    const double spread = grpo_.reward_gpus > 0
                              ? as_double(learner_.layout.gpus()) / as_double(grpo_.reward_gpus)
                              : 1;
    return seconds + scoring_share(grpo_.reward_model) * pass_ * spread;
  }

  double critic() const {
    return grpo_.value_model ? scoring_share(grpo_.value_model) * (training() + pass_) : 0;
  }

 private:
  /// Of an optimizer step, on every rank.
  double micro_batches() const {
    const double tokens = grpo_.completions() * grpo_.mean_sequence();
    const double at_once = learner_.tokens_per_rank() * as_double(learner_.layout.replicas());
    return tokens / as_double(grpo_.optimizer_steps) / at_once;
  }

  /// Operations of a model whose head gives one score, against the policy's.
  double scoring_share(const std::shared_ptr<const Architecture>& model) const {
    Job scoring = learner_;
    scoring.model = std::make_shared<const Architecture>(with_score_head(*model));
    return step_work(scoring).per_token.forward / per_token_.forward;
  }

  const Job& learner_;
  const GrpoSpec& grpo_;
  TokenFlops per_token_;
  double training_ = 0;  ///< one epoch
  double pass_ = 0;      ///< forward over every completion
};

/// New weights reach the engines, from up to eight GPUs at once.
double sync_seconds(const Job& job) {
  const EngineConstants& constants = *job.constants;
  const double bytes = 2 * as_double(count_parameters(*job.model).total());
  const double senders = as_double(std::min<std::int64_t>(generating_gpus(job), 8));
  return constants.value("rollout.sync_seconds") +
         bytes / (constants.value("rollout.sync_gb_per_s") * 1e9 * senders);
}

/// Engine and trainer change places: the engine's weights come and go, the rest is the framework's.
double switch_seconds(const Job& job, const Gpu& gpu) {
  if (!job.grpo->colocated()) return 0;
  const double rate = job.constants->value("rollout.wake_gb_per_s") * 1e9;
  const auto weights = as_double(generation_bill(job, gpu.capacity_bytes().value_or(0)).weights);
  return job.grpo->switch_seconds + (job.grpo->sleep ? 2 * weights / rate : 0);
}

StepSeconds step_of(const Job& job, const Gpu& gpu, const Generation& generation,
                    const Learning& learning) {
  StepSeconds step;
  step.generation = generation.seconds();
  step.logprobs = learning.logprobs();
  step.training = learning.training();
  step.critic = learning.critic();
  step.weight_sync = sync_seconds(job);
  step.switching = switch_seconds(job, gpu);
  step.fixed = job.constants->value("rollout.fixed_seconds");
  set_total(job.grpo->steps_off_policy > 0, step);
  return step;
}

}  // namespace

void set_total(bool ahead, StepSeconds& step) { step.step = rollout_seconds<double>(ahead, step); }

Decoder decoder_of(const Job& job, const Gpu& gpu) {
  Decoder decoder;
  decoder.work = decode_work(job);
  decoder.hidden = as_double(job.model->hidden);
  decoder.tp = job.grpo->generation_tp;
  decoder.bytes_per_second = gpu.bandwidth_gb_per_s * 1e9;
  decoder.peak_flops = gpu.bf16_dense_tflops.value_or(gpu.fp16_dense_tflops.value_or(0)) * 1e12;
  decoder.bus_bytes_per_second = job.constants->speeds.at(gpu.id).bus_gb_per_s * 1e9;
  decoder.eager = job.grpo->eager_generation;
  decoder.constants = job.constants;
  return decoder;
}

Generation generation_of(const Job& job, const Gpu& gpu) {
  const GrpoSpec& grpo = *job.grpo;
  if (!grpo.prompts_per_step || !job.constants->speeds.contains(gpu.id)) return {};
  const Decoder decoder = decoder_of(job, gpu);
  const double engines =
      as_double(std::max<std::int64_t>(1, generating_gpus(job) / grpo.generation_tp));
  const double prompts = generated_prompts(grpo);
  const double completions = std::ceil(prompts * as_double(grpo.group_size) / engines);
  EngineLoad load;
  load.prompts = std::ceil(prompts / engines);
  load.prompt_tokens = grpo.prompt_mean;
  load.slots = slots_of(job, decoder.work, gpu.capacity_bytes().value_or(0));
  if (grpo.steps_off_policy >= 2) {
    const double under_way = completions * as_double(grpo.steps_off_policy);
    load.slots = static_cast<std::int64_t>(std::min(as_double(load.slots), under_way));
    return generate_ahead(decoder, load, completions, grpo.completion());
  }
  const LengthSpread spread{grpo.completion(), as_double(grpo.completion_length),
                            grpo.completion_variation};
  return generate(decoder, load, arriving_lengths(spread, static_cast<std::int64_t>(completions)));
}

Job learner_of(const Job& job) {
  Job learner = job;
  const std::int64_t mean = std::llround(job.grpo->mean_sequence());
  if (job.packed) {
    learner.sample_length = mean;
  } else {
    learner.seq_len = mean;
  }
  return learner;
}

std::optional<Throughput> run_speed(const Job& job, const Gpu& gpu, const Intervals* intervals) {
  if (!job.grpo) return throughput(job, gpu, intervals);
  if (!job.grpo->prompts_per_step) return std::nullopt;
  return run_speed(job, gpu, generation_of(job, gpu), intervals);
}

std::optional<Throughput> run_speed(const Job& job, const Gpu& gpu, const Generation& generation,
                                    const Intervals* intervals) {
  if (!job.grpo->prompts_per_step) return std::nullopt;
  const Job learner = learner_of(job);
  std::optional<Throughput> speed = throughput(learner, gpu);
  if (!speed) return std::nullopt;
  speed->rollout = step_of(job, gpu, generation, Learning(learner, *speed));
  const double before = speed->tokens_per_second_per_gpu;
  const double per_gpu = rollout_rate<double>(job, speed->rollout->step);
  speed->mfu *= per_gpu / before;
  speed->tokens_per_second_per_gpu = speed->low = speed->high = per_gpu;
  if (intervals != nullptr) {
    speed->low = per_gpu / job.constants->value("rollout.hours_high");
    speed->high = per_gpu / job.constants->value("rollout.hours_low");
  }
  return speed;
}

}  // namespace sizesheet
