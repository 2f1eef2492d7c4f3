// SPDX-License-Identifier: Apache-2.0
// What the sublayers of a block keep for their backward pass, and what the loss keeps.
#pragma once

#include <string>
#include <string_view>

#include "sizing/request/job.h"
#include "support/trace.h"

namespace sizesheet {

// ---- What the sublayers of a block keep for backward, per token, before parallelism divides it.
// One file per kind of sublayer; block_activations.h puts them together.

/// Names of one block kind in a formula: `f`, and `f_2` for the second kind of block of a model.
template <typename N>
class BlockScope {
 public:
  explicit BlockScope(int kind) : kind_(kind) {}

  N in(std::string_view name, double value) const { return input<N>(named(name), value); }
  N in(std::string_view name, std::int64_t value) const {
    return in(name, static_cast<double>(value));
  }
  /// The same under a name of two parts.
  N in(std::string_view name, std::string_view part, double value) const {
    if constexpr (std::is_same_v<N, Traced>) {
      return in(std::string(name) + std::string(part), value);
    } else {
      return value;
    }
  }
  N named_step(std::string_view name, const N& value) const { return step<N>(named(name), value); }

 private:
  std::string named(std::string_view name) const {
    if constexpr (std::is_same_v<N, Traced>) {
      return std::string(name) + (kind_ > 0 ? "_" + std::to_string(kind_ + 1) : "");
    } else {
      return {};
    }
  }

  int kind_;
};

/// Bytes per token of one sublayer, split by how tensor parallelism divides it.
template <typename N>
struct SublayerBytes {
  N replicated = 0.0;          ///< norms and residuals: divided with sequence parallelism only
  N split = 0.0;               ///< divided by tp
  N transient = 0.0;           ///< temporaries while it runs backward, divided by tp
  N dropped_replicated = 0.0;  ///< of both, what module recompute rebuilds instead of keeping
  N dropped_split = 0.0;
};

template <typename N>
SublayerBytes<N> attention_bytes(const Job& job, const BlockScope<N>& scope, const Block& block,
                                 std::int64_t norms);
template <typename N>
SublayerBytes<N> mlp_bytes(const Job& job, const BlockScope<N>& scope, const Block& block,
                           std::int64_t norms);
template <typename N>
SublayerBytes<N> moe_bytes(const Job& job, const BlockScope<N>& scope, const Block& block,
                           std::int64_t norms);
template <typename N>
SublayerBytes<N> mamba_bytes(const Job& job, const BlockScope<N>& scope, const Block& block,
                             std::int64_t norms);

// What several sublayers need.

bool recomputes(const Job& job, const char* module);

/// Width of the residual stream: 2 bytes, 4 after k-bit preparation.
double residual_bytes(const Job& job);

/// Linear4bit hands its output back in the input's dtype, so fp32 inputs double what follows them.
double inner_factor(const Job& job);

/// Bytes of a saved input of a trained projection: 2, under fp8 the width of the quantised copy.
double saved_input_bytes(const Job& job);

/// The pre-norms of a sublayer and the input its first projections share.
template <typename N>
N norm_bytes(const Job& job, std::int64_t norms, const N& h);

/// What the adapters of a sublayer save: their inputs, unless other operations hold them already,
/// and the rank-r middle; DoRA also both products that its magnitude scales.
template <typename N>
N adapter_bytes(const Job& job, const BlockScope<N>& scope, const Block& block, Sublayer sublayer,
                const Linears& list, InputGroups saved);

/// Inputs of frozen projections that an int8 base saves for its own backward.
template <typename N>
N frozen_input_bytes(const Job& job, const BlockScope<N>& scope, const Block& block,
                     Sublayer sublayer, const Linears& list);

// ---- Bytes that one block keeps for its backward pass, per token (Korthikanti et al. 2022, arXiv
// 2205.05198, brought up to date for flash attention, RMSNorm, gated MLPs, routed experts, Mamba-2
// and LoRA branches).

/// Bytes per token on one rank.
template <typename N>
struct BlockActivations {
  N saved = 0.0;      ///< everything backward needs when nothing is recomputed
  N rebuilt = 0.0;    ///< what recomputation brings back at once
  N kept = 0.0;       ///< what stays under the job's recompute mode
  N transient = 0.0;  ///< largest temporaries of a sublayer while it runs backward
};

/// `kind` numbers the block kinds of a stage from 0.
template <typename N>
BlockActivations<N> block_activations(const Job& job, const Block& block, int kind);

/// Bytes per token of a block's input, the checkpoint of full recompute: 2h, 4h under k-bit
/// preparation.
template <typename N>
N checkpoint_bytes(const Job& job);

/// tp with sequence parallelism (or tp = 1), else 1: how far norms and residuals are divided.
double sequence_split(const Job& job);

extern template BlockActivations<double> block_activations<double>(const Job&, const Block&, int);
extern template BlockActivations<Traced> block_activations<Traced>(const Job&, const Block&, int);
extern template double checkpoint_bytes<double>(const Job&);
extern template Traced checkpoint_bytes<Traced>(const Job&);

// ---- Bytes of logits and cross-entropy, the bill that is often the peak for a large vocabulary.

template <typename N>
struct LossBytes {
  N forward = 0.0;
  N backward = 0.0;
  N head = 0.0;      ///< while the head's own gradient is computed
  N residual = 0.0;  ///< alive while the blocks run backward
};

/// For one micro-batch on one rank. Per (token x V/tp) by the catalog's loss path, or the fused
/// linear cross-entropy: one chunk of fp32 logits, the hidden gradient and, when the head trains,
/// its gradient.
template <typename N>
LossBytes<N> loss_bytes(const Job& job);

/// Tokens of one chunk of fused linear cross-entropy: nextpow2(ceil(t / ceil(V / h))), at most t.
double fused_linear_chunk(double tokens, double vocab, double hidden);

extern template LossBytes<double> loss_bytes<double>(const Job&);
extern template LossBytes<Traced> loss_bytes<Traced>(const Job&);

}  // namespace sizesheet
