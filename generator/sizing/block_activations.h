// SPDX-License-Identifier: Apache-2.0
// Bytes that one block keeps for its backward pass, per token (Korthikanti et al. 2022, arXiv
// 2205.05198, brought up to date for flash attention, RMSNorm, gated MLPs and LoRA branches).
#pragma once

#include <cstdint>
#include <string>

#include "sizing/job.h"
#include "support/trace.h"

namespace sizesheet {

/// Names of one block kind in a formula: `f`, and `f_2` for the second kind of block of a model.
template <typename N>
class BlockScope {
 public:
  explicit BlockScope(int kind) : kind_(kind) {}

  N in(std::string_view name, double value) const { return input<N>(named(name), value); }
  N in(std::string_view name, std::int64_t value) const {
    return in(name, static_cast<double>(value));
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

/// Bytes per token on one rank.
template <typename N>
struct BlockActivations {
  N saved = 0.0;      ///< everything backward needs when nothing is recomputed
  N kept = 0.0;       ///< what stays under the job's recompute mode
  N transient = 0.0;  ///< largest temporaries of a sublayer while it runs backward
};

/// Dense blocks (attention, MLP). `kind` numbers the block kinds of a model from 0.
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

}  // namespace sizesheet
