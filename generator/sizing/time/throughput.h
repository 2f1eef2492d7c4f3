// SPDX-License-Identifier: Apache-2.0
// How fast a job runs, and for how long, as an answer says it.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "support/described.h"
#include "support/trace.h"

namespace sizesheet {

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
  std::int64_t team_runs = 0;          ///< of a team's own that corrected the speed
  double team_factor = 1;              ///< by which they did; it is in the speed and the clocks

  static constexpr Key kKeys[] = {{"low", "tokens_per_second_per_gpu_low"},
                                  {"high", "tokens_per_second_per_gpu_high"},
                                  {"measured", "gpu_measured"}};
};
BOOST_DESCRIBE_STRUCT(Throughput, (),
                      (tokens_per_second_per_gpu, low, high, measured, mfu, flops_per_token,
                       clocks))

/// Hours of a run with their range, each rounded half up to 0.0001 h.
struct Hours {
  double low = 0;
  double mid = 0;
  double high = 0;
};
BOOST_DESCRIBE_STRUCT(Hours, (), (low, mid, high))

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

}  // namespace sizesheet
