// SPDX-License-Identifier: Apache-2.0
// From the parts of a step to the hours of a run, written once over a number type: `double`
// computes, `Traced` also records the formula.
#pragma once

#include <optional>
#include <span>

#include "sizing/time/clocks.h"
#include "support/trace.h"

namespace sizesheet {

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
