// SPDX-License-Identifier: Apache-2.0
// Where the time of one optimizer step goes: operations, bytes moved and exchanged, the clocks that
// run on them, and the hours that follow.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalog/gpu.h"
#include "catalog/published/measured.h"
#include "sizing/request/job.h"
#include "support/described.h"
#include "support/trace.h"

namespace sizesheet {

/// FLOP per token, one multiply-accumulate counted as two. Full fine-tuning 3 forwards; a frozen
/// base 2 for its matrices, 3 for attention and scans, and 6 per adapter parameter. Experts count
/// with the share a token visits; attention causal, within its window where it has one.
struct TokenFlops {
  double model = 0;     ///< without recomputation; frozen matrices get no weight gradient
  double hardware = 0;  ///< with the recomputed forward
  double forward = 0;   ///< one pass without gradients
};

/// FLOP per token of one forward pass, one multiply-accumulate counted as two.
struct ForwardFlops {
  double dense = 0;   ///< projections but routed experts, router included; head not
  double expert = 0;  ///< routed experts that a token visits
  double head = 0;
  double attention = 0;  ///< scores and values
  double scan = 0;       ///< Mamba-2, Gated DeltaNet and short convolutions
  double scoring = 0;    ///< of an indexer, which is not trained
  double adapters = 0;   ///< of the experts', one set

  double matmul() const { return dense + expert + head; }
  double mixing() const { return attention + scan; }  ///< run backward as well
};

/// Attention is causal, within its window where it has one.
ForwardFlops forward_flops(const Job& job);

/// Everything is of one rank and one micro-batch, forward, backward and what is recomputed.
struct StepWork {
  double matmul_flops = 0;       ///< projections, head and adapters, without routed experts
  double expert_flops = 0;       ///< grouped products of the routed experts
  double attention_flops = 0;    ///< scores and values
  double scan_flops = 0;         ///< Mamba-2
  double tokens_per_expert = 0;  ///< rows of one expert's product; 0: no routed experts
  double layer_bytes = 0;        ///< elementwise kernels of the blocks
  double logit_bytes = 0;        ///< the loss
  double adapter_bytes = 0;      ///< the adapters' branches
  double dequantised = 0;        ///< parameters, each pass counted
  double kernels = 0;            ///< launched one after the other
  double gathered_units = 0;     ///< small units of FSDP that the host handles one by one
  double hooked_modules = 0;     ///< modules that DeepSpeed's stage 3 stops at, each pass counted
  TokenFlops per_token;          ///< of the model, not of the rank
};

StepWork step_work(const Job& job);

// ---- What the ranks of a layout send each other in one step, and how long the links take for it.

/// Parameters on one rank, divided by tensor, pipeline and expert parallelism only.
struct RankParameters {
  double dense = 0;
  double expert = 0;
  double trained_dense = 0;
  double trained_expert = 0;
};

RankParameters rank_parameters(const Job& job);

/// Seconds on the links, before any of it hides behind computing.
struct LinkTimes {
  double tensor = 0;   ///< tensor parallelism, per micro-batch
  double expert = 0;   ///< all-to-alls of expert parallelism, per micro-batch
  double context = 0;  ///< keys and values around the ring, per micro-batch
  double gather = 0;   ///< sharded weights and their gradients, per micro-batch
  double latency = 0;  ///< of those collectives, per micro-batch
  double host = 0;     ///< weights or activations kept on the host, per micro-batch
  double reduce = 0;   ///< gradients of whole weights, once a step
};

LinkTimes exchange_of(const Job& job, const Gpu& gpu, const GpuSpeed& speed,
                      const RankParameters& held);

/// Bytes a second and GPU of a ring over `ranks` GPUs that stand `stride` apart: the link inside a
/// node, or the network cards of those that share one.
double ring_rate(const Job& job, const Gpu& gpu, const GpuSpeed& speed, std::int64_t ranks,
                 std::int64_t stride);

/// Bytes that one rank sends in an optimizer step for weights and gradients: what data parallelism
/// costs the links. Collectives inside the model's own splits are not counted.
double data_parallel_bytes(const Job& job);

/// Trainable parameters whose states one rank steps, divided by ZeRO where the layout does.
double stepped_parameters(const Job& job, const RankParameters& held);

// ---- Where the time of one optimizer step goes. Each clock has its own rate: matrix products,
// attention and memory are not equally fast, so one efficiency for all of them would be wrong for
// most jobs.

/// Seconds of one optimizer step on one rank; they add up to `total()`. Links count with what
/// computing does not hide.
struct StepClocks {
  double matmul = 0;      ///< projections, head, experts
  double attention = 0;   ///< scores and values
  double scan = 0;        ///< Mamba-2
  double memory = 0;      ///< elementwise kernels and the loss
  double adapters = 0;    ///< their branches
  double dequantise = 0;  ///< a quantised base, for every pass
  double launch = 0;      ///< the GPU waits for its next kernel
  double tensor = 0;
  double expert = 0;
  double context = 0;
  double exchange = 0;   ///< data parallelism: gathers, reductions
  double pipeline = 0;   ///< the bubble
  double optimizer = 0;  ///< on the GPU
  double offload = 0;    ///< on the host, and the way there

  double total() const;
};
BOOST_DESCRIBE_STRUCT(StepClocks, (),
                      (matmul, attention, scan, memory, adapters, dequantise, launch, tensor,
                       expert, context, exchange, pipeline, optimizer, offload))

struct NamedClock {
  const char* id;     ///< "matmul"
  const char* title;  ///< "matrix products"
  double seconds = 0;
};

/// In the order of the members.
std::array<NamedClock, 14> named(const StepClocks& clocks);

/// Seconds of one step of reinforcement learning: one batch of prompts, all its optimizer steps.
struct StepSeconds {
  double generation = 0;
  double logprobs = 0;  ///< forward passes over the completions, a reward model's among them
  double training = 0;
  double critic = 0;  ///< the value model
  double weight_sync = 0;
  double switching = 0;  ///< engine and trainer change places on shared cards
  double fixed = 0;      ///< rewards by a function, advantages, data
  /// Their sum; where generation runs ahead, the longer of it and what the trainer does.
  double step = 0;

  static constexpr Key kKeys[] = {{"switching", "switch"}};
};
BOOST_DESCRIBE_STRUCT(StepSeconds, (),
                      (generation, logprobs, training, critic, weight_sync, switching, fixed, step))

struct Throughput {
  double tokens_per_second_per_gpu = 0;
  double low = 0;  ///< tokens/s and GPU; ends of the range that published speeds bear out
  double high = 0;
  bool measured = false;               ///< some published speed is of this GPU
  double mfu = 0;                      ///< model FLOPs over the dense peak of the precision in use
  double flops_per_token = 0;          ///< model FLOPs
  StepClocks clocks;                   ///< of an optimizer step
  std::optional<StepSeconds> rollout;  ///< where the run generates: the speed is of all of it

  static constexpr Key kKeys[] = {{"low", "tokens_per_second_per_gpu_low"},
                                  {"high", "tokens_per_second_per_gpu_high"},
                                  {"measured", "gpu_measured"}};
};
BOOST_DESCRIBE_STRUCT(Throughput, (),
                      (tokens_per_second_per_gpu, low, high, measured, mfu, flops_per_token,
                       clocks))

/// Where the time of a step goes, what takes none left out: clocks, or phases where it generates.
std::vector<NamedClock> parts_of(const Throughput& speed);

/// The largest of them in words: "matrix products".
std::string bound_by(const Throughput& speed);

/// Of a job's speed, what data parallelism, sharding and accumulation leave as it is.
struct Pace {
  const GpuSpeed* speed = nullptr;
  double peak_flops = 0;  ///< dense, of the job's precision, FLOP/s
  StepClocks computing;   ///< of one micro-batch, what the GPU itself runs
  RankParameters held;
  double flops_per_token = 0;  ///< model FLOPs
  double hook_seconds = 0;     ///< of DeepSpeed's stage 3, where it shards
};

/// nullopt when the catalog has no efficiency or no peak for this precision of this GPU.
std::optional<Pace> pace_of(const Job& job, const Gpu& gpu);

/// Of training alone. nullopt when the catalog has no link for this GPU either. Without intervals
/// the range is the speed itself.
std::optional<Throughput> throughput(const Job& job, const Gpu& gpu, const Pace& pace,
                                     const Intervals* intervals = nullptr);
std::optional<Throughput> throughput(const Job& job, const Gpu& gpu,
                                     const Intervals* intervals = nullptr);

/// Hours of a run with their range, each rounded half up to 0.0001 h.
struct Hours {
  double low = 0;
  double mid = 0;
  double high = 0;
};
BOOST_DESCRIBE_STRUCT(Hours, (), (low, mid, high))

/// Training, the share spent on checkpoints and evaluation, and the start. nullopt without a token
/// budget.
std::optional<Hours> run_hours(const Job& job, const Throughput& speed);

/// What decides the class of a job's speed range.
IntervalFacts speed_facts(const Job& job, const Gpu& gpu);

// ---- From the parts of a step to the hours of a run, written once over a number type: `double`
// computes, `Traced` also records the formula.

/// The job as its micro-batches are on average, in `own` where they differ; memory is for the
/// longest.
const Job& as_batched(const Job& job, std::optional<Job>& own);

/// What is not there leaves no trace in a formula.
template <typename N>
N part_of(const char* name, double value) {
  return value == 0 ? N(0) : input<N>(name, value);
}

/// Seconds of an optimizer step.
template <typename N>
N clock_seconds(std::span<const NamedClock> clocks) {
  N seconds = 0;
  for (const NamedClock& clock : clocks) seconds = seconds + part_of<N>(clock.id, clock.seconds);
  return seconds;
}

/// Seconds of a step that generates; `ahead`: generation runs ahead of training, and the longer of
/// both counts.
template <typename N>
N rollout_seconds(bool ahead, const StepSeconds& of) {
  const N generation = part_of<N>("generation", of.generation);
  const N learning = part_of<N>("logprobs", of.logprobs) + part_of<N>("training", of.training) +
                     part_of<N>("critic", of.critic) + part_of<N>("fixed", of.fixed);
  return part_of<N>("weight_sync", of.weight_sync) + part_of<N>("switch", of.switching) +
         (ahead ? larger(generation, learning) : generation + learning);
}

/// Tokens a second and GPU of training alone; those of a micro-batch are of one rank.
template <typename N>
N trained_rate(const Job& job, double micro_batch_tokens, const N& step_seconds) {
  const N tokens = input<N>("micro_batch_tokens", micro_batch_tokens) *
                   input<N>("grad_accum", as_double(job.grad_accum));
  return tokens / step_seconds /
         (input<N>("tp", as_double(job.layout.tp)) * input<N>("pp", as_double(job.layout.pp)));
}

/// The same of a run that generates, of all its GPUs.
template <typename N>
N rollout_rate(const Job& job, const N& step_seconds) {
  const N tokens = input<N>("completions", job.grpo->completions()) *
                   input<N>("mean_sequence", job.grpo->mean_sequence());
  return tokens / step_seconds / input<N>("gpus", as_double(job.run_gpus()));
}

/// Hours of so many tokens, before they are rounded.
template <typename N>
N hours_of_tokens(const Job& job, double tokens, const N& per_gpu) {
  const double computed = job.samples ? job.samples->cost.computed : 1;
  const N all = input<N>("tokens", tokens) *
                (computed == 1 ? N(1) : input<N>("computed_per_token", computed));
  const N training = all / (per_gpu * input<N>("gpus", as_double(job.run_gpus()))) / N(3600);
  return training * (N(1) + part_of<N>("checkpoint_share", job.checkpoint_share)) +
         part_of<N>("startup_hours", job.startup_hours);
}

}  // namespace sizesheet
