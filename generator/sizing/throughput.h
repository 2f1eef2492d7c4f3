// SPDX-License-Identifier: Apache-2.0
// How fast a job runs: FLOPs per token by method, achieved efficiency, communication that is not
// hidden.
#pragma once

#include <optional>

#include "catalog/gpu.h"
#include "sizing/flops.h"
#include "sizing/job.h"

namespace sizesheet {

struct Throughput {
  double tokens_per_second_per_gpu = 0;
  double mfu = 0;              ///< model FLOPs over the dense peak of the precision in use
  double flops_per_token = 0;  ///< model FLOPs
};

/// nullopt when the catalog has no efficiency or no peak for this GPU and precision.
std::optional<Throughput> throughput(const Job& job, const Gpu& gpu);

/// Hours of a run with the 90 % range, each rounded half up to 0.0001 h.
struct Hours {
  double low = 0;
  double mid = 0;
  double high = 0;
};

/// nullopt without a token budget.
std::optional<Hours> run_hours(const Job& job, const Throughput& speed);

}  // namespace sizesheet
