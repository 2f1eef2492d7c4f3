// SPDX-License-Identifier: Apache-2.0
// The clock of reinforcement learning: a step of it, generation beside what the trainer does with
// it; and one engine that decodes: a step of it, and all its completions.

#include "sizing/time/rollout.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

#include "catalog/facts/engine_constants.h"
#include "catalog/facts/gpu.h"
#include "catalog/models/architecture.h"
#include "catalog/published/measured.h"
#include "sizing/job/job.h"
#include "sizing/job/lengths.h"
#include "sizing/memory/generation.h"
#include "sizing/model/parameters.h"
#include "sizing/time/clocks.h"
#include "sizing/time/step_work.h"
#include "sizing/time/throughput.h"
#include "support/trace.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

// ---- One engine that decodes.

constexpr double kMicro = 1e-6;

/// Distinct experts that a batch visits, each token choosing on its own.
double touched(const DecodeWork::Experts& experts, double batch) {
  return experts.count * (1 - std::pow(1 - experts.visited / experts.count, batch));
}

/// Seconds in which a rank reads weights, touched experts, and what the sequences cached.
double reading(const Decoder& decoder, double batch, double context) {
  const EngineConstants& constants = *decoder.constants;
  const DecodeWork& work = decoder.work;
  const double rate = decoder.bytes_per_second;
  double experts = 0;
  for (const DecodeWork::Experts& kind : work.experts) {
    experts += kind.bytes * touched(kind, batch) / kind.count;
  }
  // The state of a sequence is written back as well.
  const double cached = batch * (context * work.cache_bytes + 2 * work.state_bytes);
  return work.weight_bytes / (rate * constants.value("rollout.stream_share")) +
         experts / (rate * constants.value("rollout.expert_stream_share")) +
         cached / (rate * constants.value("rollout.cache_share"));
}

/// Exchanges of tensor parallelism: a latency and both ways of every hidden state.
double exchanging(const Decoder& decoder, double batch) {
  if (decoder.tp == 1) return 0;
  const double sent = 2 * batch * decoder.hidden * 2;
  return decoder.work.exchanges * (decoder.constants->value("rollout.allreduce_us") * kMicro +
                                   sent / decoder.bus_bytes_per_second);
}

double hosting(const Decoder& decoder, double batch) {
  const EngineConstants& constants = *decoder.constants;
  const double each = constants.value("rollout.sequence_us") * batch;
  if (decoder.eager) {
    return (decoder.work.layers * constants.value("rollout.eager_layer_us") + each) * kMicro;
  }
  return constants.value("rollout.graph_ms") * 1e-3 +
         (decoder.work.layers * constants.value("rollout.graph_layer_us") + each) * kMicro;
}

/// Sequences under way: those that end first come first.
class Slots {
 public:
  void start(std::int64_t now, std::int64_t length) {
    running_.emplace(now + length, now);
    starts_ += now;
  }
  bool empty() const { return running_.empty(); }
  double count() const { return static_cast<double>(running_.size()); }
  std::int64_t next_end() const { return running_.top().first; }
  /// Tokens that each has so far, on average.
  double age(double now) const { return now - static_cast<double>(starts_) / count(); }
  void end_one() {
    starts_ -= running_.top().second;
    running_.pop();
  }

 private:
  using Run = std::pair<std::int64_t, std::int64_t>;  ///< end and start, in decode steps
  std::priority_queue<Run, std::vector<Run>, std::greater<>> running_;
  std::int64_t starts_ = 0;
};

double prefill_seconds(const Decoder& decoder, const EngineLoad& load) {
  return load.prompts * load.prompt_tokens * 2 * decoder.work.parameters /
         (decoder.peak_flops * decoder.constants->value("rollout.prefill_share"));
}

/// Where rollouts of several steps are under way at once nobody waits for the longest: so many
/// completions of this mean on slots that stay full.
Generation generate_ahead(const Decoder& decoder, const EngineLoad& load, double completions,
                          double mean) {
  Generation result;
  result.slots = load.slots;
  result.prefill = prefill_seconds(decoder, load);
  const double batch = static_cast<double>(load.slots);
  const double steps = completions * mean / batch;
  result.decode_steps = std::llround(steps);
  result.decode = steps * decode_seconds(decoder, batch, load.prompt_tokens + mean / 2);
  return result;
}

// ---- The run.

/// The job as its trainer runs it on average: sequences of the mean length, and as many
/// micro-batches as the completions of an optimizer step fill.
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

/// What the trainer does in a step, from the clocks of one optimizer step: passes of policy,
/// reference and reward model over the completions, training, and the value model.
void add_learning(const Job& learner, const StepClocks& clocks, StepSeconds& step) {
  const GrpoSpec& grpo = *learner.grpo;
  const EngineConstants& constants = *learner.constants;
  const TokenFlops per_token = step_work(learner).per_token;
  const double tokens = grpo.completions() * grpo.mean_sequence();
  const double at_once = learner.tokens_per_rank() * as_double(learner.layout.replicas());
  const double micro_batches = tokens / as_double(grpo.optimizer_steps) / at_once;
  // Fewer completions than the ranks take at once leave some of them idle.
  const double filled = std::max(1.0, micro_batches) / as_double(learner.grad_accum);
  double steps = as_double(grpo.optimizer_steps) * filled * constants.value("rollout.imbalance");
  if (has_experts(*learner.model)) steps *= constants.value("rollout.routed_factor");
  // Forward passes take their part of the operations, and step no optimizer.
  const double pass = steps * (clocks.total() - clocks.optimizer - clocks.offload) *
                      per_token.forward / per_token.hardware;
  // Operations of a model whose head gives one score, against the policy's.
  const auto scoring_share = [&](const std::shared_ptr<const Architecture>& model) {
    Job scoring = learner;
    scoring.model = std::make_shared<const Architecture>(with_score_head(*model));
    return step_work(scoring).per_token.forward / per_token.forward;
  };
  step.training = as_double(grpo.epochs) * (steps * clocks.total());
  step.logprobs = as_double(grpo.logprob_passes) * pass;
  if (grpo.reward_model) {  // on its own GPUs where it has some
    const double spread =
        grpo.reward_gpus > 0 ? as_double(learner.layout.gpus()) / as_double(grpo.reward_gpus) : 1;
    step.logprobs += scoring_share(grpo.reward_model) * pass * spread;
  }
  if (grpo.value_model) step.critic = scoring_share(grpo.value_model) * (step.training + pass);
}

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
                    const Job& learner, const StepClocks& clocks) {
  StepSeconds step;
  step.generation = generation.seconds();
  add_learning(learner, clocks, step);
  step.weight_sync = sync_seconds(job);
  step.switching = switch_seconds(job, gpu);
  step.fixed = job.constants->value("rollout.fixed_seconds");
  step.step = rollout_seconds<double>(job.grpo->steps_off_policy > 0, step);
  return step;
}

}  // namespace

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
  // Dynamic sampling throws some away.
  const double prompts = as_double(*grpo.prompts_per_step) / grpo.kept_groups;
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
  speed->rollout = step_of(job, gpu, generation, learner, speed->clocks);
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

double decode_seconds(const Decoder& decoder, double batch, double context) {
  const double computing = 2 * decoder.work.parameters * batch /
                           (decoder.peak_flops * decoder.constants->value("rollout.matmul_share"));
  const double device =
      std::max(reading(decoder, batch, context), computing) + exchanging(decoder, batch);
  return std::max(device, hosting(decoder, batch));
}

std::vector<std::int64_t> arriving_lengths(const LengthSpread& spread, std::int64_t count) {
  const std::vector<double> sorted = sorted_lengths(spread, count);
  const std::size_t places = std::bit_ceil(std::max<std::size_t>(2, sorted.size()));
  std::vector<std::int64_t> arriving;
  arriving.reserve(sorted.size());
  // Counting with carries to the right visits the ranks in the order of their reversed bits.
  for (std::size_t rank = 0, step = 0; step < places; ++step) {
    // A length that the search for the median left a hair above a whole number is that number.
    if (rank < sorted.size()) {
      arriving.push_back(static_cast<std::int64_t>(std::ceil(sorted[rank] - 1e-9)));
    }
    std::size_t bit = places / 2;
    while ((rank & bit) != 0) {
      rank ^= bit;
      bit /= 2;
    }
    rank |= bit;
  }
  return arriving;
}

Generation generate(const Decoder& decoder, const EngineLoad& load,
                    const std::vector<std::int64_t>& completions) {
  Generation result;
  result.slots = load.slots;
  result.prefill = prefill_seconds(decoder, load);
  Slots slots;
  auto next = completions.begin();
  const auto fill = [&](std::int64_t now) {
    while (next != completions.end() && slots.count() < static_cast<double>(load.slots)) {
      slots.start(now, *next++);
    }
  };
  std::int64_t now = 0;
  for (fill(now); !slots.empty(); fill(now)) {
    const std::int64_t end = slots.next_end();
    const double middle = static_cast<double>(now + end) / 2;
    const double context = std::max(1.0, load.prompt_tokens + slots.age(middle));
    result.decode +=
        static_cast<double>(end - now) * decode_seconds(decoder, slots.count(), context);
    now = end;
    while (!slots.empty() && slots.next_end() == now) slots.end_one();
  }
  result.decode_steps = now;
  return result;
}

}  // namespace sizesheet
