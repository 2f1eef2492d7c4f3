// SPDX-License-Identifier: Apache-2.0
// How fast a job runs, from the clocks of one step; its range, and the hours that follow.
#pragma once

#include <optional>

#include "catalog/gpu.h"
#include "catalog/intervals.h"
#include "sizing/clocks.h"
#include "sizing/job.h"

namespace sizesheet {

struct Throughput {
  double tokens_per_second_per_gpu = 0;
  double low = 0;  ///< tokens/s and GPU; ends of the range that published speeds bear out
  double high = 0;
  bool measured = false;       ///< some published speed is of this GPU
  double mfu = 0;              ///< model FLOPs over the dense peak of the precision in use
  double flops_per_token = 0;  ///< model FLOPs
  StepClocks clocks;
};

/// nullopt when the catalog has no efficiency, no peak for this precision or no link for this GPU.
/// Without intervals the range is the speed itself.
std::optional<Throughput> throughput(const Job& job, const Gpu& gpu,
                                     const Intervals* intervals = nullptr);

/// Hours of a run with their range, each rounded half up to 0.0001 h.
struct Hours {
  double low = 0;
  double mid = 0;
  double high = 0;
};

/// Training, the share spent on checkpoints and evaluation, and the start. nullopt without a token
/// budget.
std::optional<Hours> run_hours(const Job& job, const Throughput& speed);

/// What decides the class of a job's speed range.
IntervalFacts speed_facts(const Job& job, const Gpu& gpu);

}  // namespace sizesheet
