// SPDX-License-Identifier: Apache-2.0
// Where the time of one optimizer step goes. Each clock has its own rate: matrix products,
// attention and memory are not equally fast, so one efficiency for all of them would be wrong for
// most jobs.
#pragma once

#include <array>
#include <string>

#include "catalog/gpu.h"
#include "sizing/job.h"

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

struct NamedClock {
  const char* id;     ///< "matmul"
  const char* title;  ///< "matrix products"
  double seconds = 0;
};

/// In the order of the members.
std::array<NamedClock, 14> named(const StepClocks& clocks);

/// The largest clock in words: "matrix products".
std::string bound_by(const StepClocks& clocks);

/// `peak_flops`: dense peak of the job's precision, FLOP/s; the GPU must have one for 16 bits.
StepClocks step_clocks(const Job& job, const Gpu& gpu, const GpuSpeed& speed, double peak_flops);

}  // namespace sizesheet
