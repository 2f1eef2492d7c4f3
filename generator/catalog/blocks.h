// SPDX-License-Identifier: Apache-2.0
// From the parts that a config.json names to the row of blocks they make.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "catalog/model.h"

namespace sizesheet {

/// Routed experts and the layers that have them.
struct MoePlan {
  Moe moe;
  std::int64_t first_dense = 0;             ///< leading layers with a plain MLP
  std::int64_t step = 1;                    ///< of the others, every step-th layer has experts
  std::set<std::int64_t> dense_layers;      ///< layers with a plain MLP whatever the step says
  std::optional<std::int64_t> dense_width;  ///< width of the plain MLPs where it differs
};

/// Everything blocks are made of.
struct Parts {
  std::string model_type;
  std::int64_t hidden = 0;
  std::int64_t layers = 0;
  std::int64_t norms = 2;
  Attention attention;
  Mlp mlp;  ///< width 0: the document gives none
  std::optional<MoePlan> moe;
  std::optional<Mamba> mamba;
};

/// The blocks, first one first, equal neighbours joined. Reads hybrid_pattern, blocks and their
/// spellings in published configs; without any of them all layers follow `parts`.
std::vector<BlockRun> read_blocks(ObjectReader& reader, const Parts& parts);

}  // namespace sizesheet
