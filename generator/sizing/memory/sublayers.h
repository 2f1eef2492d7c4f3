// SPDX-License-Identifier: Apache-2.0
// What the sublayers of a block keep for backward, a kind of sublayer after the other.
#pragma once

#include "catalog/models/architecture.h"
#include "sizing/job/job.h"

namespace sizesheet {

/// Bytes that one block keeps for its backward pass, per token on one rank (Korthikanti et al.
/// 2022, arXiv 2205.05198, brought up to date for flash attention, RMSNorm, gated MLPs, routed
/// experts, Mamba-2, Gated DeltaNet and LoRA branches).
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

/// The job with every weight trained in 16 bits: no adapters, nothing packed, rounded or in fp8.
Job trained_in_16_bits(const Job& job);

/// tp with sequence parallelism (or tp = 1), else 1: how far norms and residuals are divided.
double sequence_split(const Job& job);

/// Bytes per element of a norm's result before its weight, which a trained weight keeps: Gemma's
/// norms multiply in fp32, others in the number type of the stream.
double norm_output_bytes(const Job& job);

}  // namespace sizesheet
