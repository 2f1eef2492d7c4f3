// SPDX-License-Identifier: Apache-2.0
// Exact parameter counts of a model, component by component, and the list of its projections.
#pragma once

#include <cstdint>

#include "catalog/model.h"
#include "sizing/projections.h"
#include "support/enum_set.h"
#include "support/few.h"

namespace sizesheet {

enum class Sublayer { kAttention, kMlp, kMoe, kMamba };

/// Which saved tensor feeds a projection; projections of one group share it.
enum class InputGroup : std::uint8_t {
  kBlock,
  kQueryLatent,
  kKvLatent,
  kAttentionOut,
  kMiddle,
  kSharedMiddle,
  kPermuted,
  kExpertMiddle,
  kMoeLatent
};
using InputGroups = EnumSet<InputGroup>;

/// One projection d_in -> d_out of a sublayer; `copies` > 1 for routed experts.
struct Linear {
  Projection name = Projection::kQuery;
  std::int64_t in = 0;
  std::int64_t out = 0;
  std::int64_t copies = 1;
  InputGroup group = InputGroup::kBlock;
  bool expert = false;  ///< a routed expert's matrix

  std::int64_t parameters() const { return in * out * copies; }
};

/// At most those of latent attention, an MLP, experts with latent and shared ones, and a mixer.
using Linears = Few<Linear, 20>;
using Sublayers = Few<Sublayer, 4>;

Sublayers sublayers(const Block& block);
Linears linears(const Architecture& model, const Block& block, Sublayer sublayer);
/// All projections of a block, sublayer by sublayer.
Linears linears(const Architecture& model, const Block& block);

/// The embedding with a trained table of positions and the norm after it, where there are any.
std::int64_t embedding_parameters(const Architecture& model);
/// The head beyond the embedding: none when it is tied, but for its bias.
std::int64_t head_parameters(const Architecture& model);
std::int64_t final_norm_parameters(const Architecture& model);

/// Some block of the model routes tokens to experts.
bool has_experts(const Architecture& model);

/// Parameters by component; embedding and head as stored (a tied head counts 0).
struct ComponentCounts {
  std::int64_t embedding = 0;
  std::int64_t lm_head = 0;
  std::int64_t attention = 0;  ///< with biases and sinks
  std::int64_t mlp = 0;
  std::int64_t experts = 0;  ///< routed
  std::int64_t shared = 0;   ///< shared experts and their gate
  std::int64_t router = 0;
  std::int64_t latent = 0;            ///< projections into and out of a latent expert space
  std::int64_t mamba = 0;             ///< mixer with convolution and gated norm
  std::int64_t norms = 0;             ///< block norms, q/k norms, latent norms, the final norm
  std::int64_t inactive_experts = 0;  ///< routed experts one token does not visit

  std::int64_t total() const;
  /// Parameters one token meets; counts the input embedding.
  std::int64_t active() const { return total() - inactive_experts; }
};

ComponentCounts count_parameters(const Architecture& model);

/// Parameters of one block by how tensor and expert parallelism split them.
struct SplitCounts {
  std::int64_t matrix = 0;       ///< divided by tp: projections and their biases
  std::int64_t matrix_bias = 0;  ///< the biases within `matrix`
  std::int64_t replicated = 0;   ///< norms, router, convolution
  std::int64_t expert = 0;       ///< divided by ep * etp
};

SplitCounts split_parameters(const Architecture& model, const Block& block);

}  // namespace sizesheet
