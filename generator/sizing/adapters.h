// SPDX-License-Identifier: Apache-2.0
// Exact trainable counts of LoRA adapters.
#pragma once

#include <cstdint>
#include <string>

#include "catalog/model.h"
#include "sizing/parameters.h"

namespace sizesheet {

/// Which projections carry an adapter, and how.
struct AdapterSpec {
  std::int64_t rank = 16;
  Projections targets;
  std::string experts = "none";  ///< none | shared | per-expert
  std::string fused = "none";    ///< none | checkpoint | megatron
  bool magnitudes = false;       ///< DoRA: one magnitude per output of every target
};

struct AdapterCounts {
  std::int64_t dense = 0;    ///< parameters outside routed experts
  std::int64_t expert = 0;   ///< parameters on routed experts
  std::int64_t rows = 0;     ///< summed output sizes of the adapter matrices (factored optimizers)
  std::int64_t columns = 0;  ///< summed input sizes
  std::int64_t vectors = 0;  ///< of `dense` and `expert`: DoRA's magnitudes, which are no matrices

  std::int64_t total() const { return dense + expert; }
};

/// r * (d_in + d_out), with DoRA + d_out, for every adapted projection; fused projections share one
/// adapter. Embedding and head are counted where they stand on this stage.
AdapterCounts count_adapters(const Architecture& model, const AdapterSpec& spec,
                             bool has_embedding = true, bool has_head = true);

/// Target names of a preset (`all-linear`, `attention`, `qv`) on this model; empty for an unknown
/// name.
Projections preset_targets(const Architecture& model, const std::string& preset);

/// Every projection of this model outside routed experts.
Projections projections_of(const Architecture& model);

}  // namespace sizesheet
