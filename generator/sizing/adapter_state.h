// SPDX-License-Identifier: Apache-2.0
// What adapters alone take: their weights, gradients and optimizer states, of the whole run.
#pragma once

#include <cstdint>

#include "sizing/job.h"

namespace sizesheet {

/// Bytes before any split over GPUs.
struct AdapterState {
  std::int64_t weights = 0;
  std::int64_t gradients = 0;
  std::int64_t optimizer = 0;  ///< master copy and moments
};

/// Of a job with adapters; its layout does not matter.
AdapterState adapter_state(const Job& job);

}  // namespace sizesheet
