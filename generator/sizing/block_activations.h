// SPDX-License-Identifier: Apache-2.0
// Bytes that one block keeps for its backward pass, per token (Korthikanti et al. 2022, arXiv
// 2205.05198, brought up to date for flash attention, RMSNorm, gated MLPs, routed experts, Mamba-2
// and LoRA branches).
#pragma once

#include "sizing/job.h"
#include "support/trace.h"

namespace sizesheet {

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

}  // namespace sizesheet
