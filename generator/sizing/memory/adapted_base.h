// SPDX-License-Identifier: Apache-2.0
// Bytes of a frozen base and of the adapters on it.
#pragma once

#include <cstdint>

#include "sizing/job/job.h"
#include "sizing/memory/pieces.h"

namespace sizesheet {

struct EngineConstants;

/// 16-bit copies of packed or rounded weights.
template <typename N>
void add_unpacked(const Job& job, const Stage& stage, Pieces<N>& pieces);

/// Bytes per NF4 parameter with its block scales (bitsandbytes: block 64, nested block 256).
double nf4_bytes(const EngineConstants& constants, bool double_quant);

/// Bytes per parameter of the frozen base's projections, and of its experts.
double base_bytes(const Job& job);
double expert_base_bytes(const Job& job);

/// What adapters alone take: bytes of the whole run, before any split over GPUs.
struct AdapterState {
  std::int64_t weights = 0;
  std::int64_t gradients = 0;
  std::int64_t optimizer = 0;  ///< master copy and moments
};

/// Of a job with adapters; its layout does not matter.
AdapterState adapter_state(const Job& job);

}  // namespace sizesheet
