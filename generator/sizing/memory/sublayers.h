// SPDX-License-Identifier: Apache-2.0
// What a block keeps for its backward pass, and what the loss keeps.
#pragma once

#include <string>
#include <string_view>

#include "sizing/request/job.h"
#include "support/trace.h"

namespace sizesheet {

/// A block of a job, and the names of its kind in a formula: `f`, and `f_2` for the second kind of
/// block of a model.
template <typename N>
class BlockScope {
 public:
  /// `kind` numbers the block kinds of a stage from 0.
  BlockScope(const Job& of, const Block& one, int kind) : job(of), block(one), kind_(kind) {}

  const Job& job;
  const Block& block;

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

/// Bytes that one block keeps for its backward pass, per token on one rank (Korthikanti et al.
/// 2022, arXiv 2205.05198, brought up to date for flash attention, RMSNorm, gated MLPs, routed
/// experts, Mamba-2 and LoRA branches).
template <typename N>
struct BlockActivations {
  N saved = 0.0;      ///< everything backward needs when nothing is recomputed
  N rebuilt = 0.0;    ///< what recomputation brings back at once
  N kept = 0.0;       ///< what stays under the job's recompute mode
  N transient = 0.0;  ///< largest temporaries of a sublayer while it runs backward
};

template <typename N>
BlockActivations<N> block_activations(const Job& job, const Block& block, int kind);

/// Bytes per token of a block's input, the checkpoint of full recompute: 2h, 4h under k-bit
/// preparation.
template <typename N>
N checkpoint_bytes(const Job& job);

/// tp with sequence parallelism (or tp = 1), else 1: how far norms and residuals are divided.
double sequence_split(const Job& job);

/// Bytes of logits and cross-entropy, often the peak for a large vocabulary.
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

}  // namespace sizesheet
