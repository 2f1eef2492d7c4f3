// SPDX-License-Identifier: Apache-2.0
// Where the time of one optimizer step goes: operations, bytes moved and exchanged, the clocks that
// run on them, and the hours that follow.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/facts/gpu.h"
#include "catalog/published/measured.h"
#include "sizing/job/job.h"
#include "sizing/time/throughput.h"
#include "support/trace.h"
#include "support/whole_numbers.h"

namespace sizesheet {

struct GpuSpeed;

// ---- What one rank has to compute, send and update.

/// Parameters on one rank, divided by tensor, pipeline and expert parallelism only.
struct RankParameters {
  double dense = 0;
  double expert = 0;
  double trained_dense = 0;
  double trained_expert = 0;
};

// ---- Where the time of one optimizer step goes. Each clock has its own rate: matrix products,
// attention and memory are not equally fast, so one efficiency for all of them would be wrong for
// most jobs.

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

/// The key that the card's file lacks for a speed: "GPU t4 has no speed in catalog/gpus/t4.json";
/// "" where it lacks none.
std::string why_no_speed(const Job& job, const Gpu& gpu);

/// Of training alone. nullopt when the catalog has no link for this GPU either. Without intervals
/// the range is the speed itself.
std::optional<Throughput> throughput(const Job& job, const Gpu& gpu, const Pace& pace,
                                     const Intervals* intervals = nullptr);
std::optional<Throughput> throughput(const Job& job, const Gpu& gpu,
                                     const Intervals* intervals = nullptr);

/// How much faster an eager step is on the fastest host that was measured; 1 where operations are
/// fused. The upper end of a speed has it.
double faster_host(const Job& job, const StepClocks& clocks);

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

/// Tokens per second and GPU of training alone; those of a micro-batch are of one rank.
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
         part_of<N>("startup_hours", job.startup_hours) +
         part_of<N>("startup_hours_per_node", job.startup_hours_per_node) *
             part_of<N>("further_nodes", as_double(job.nodes() - 1));
}

}  // namespace sizesheet
