// SPDX-License-Identifier: Apache-2.0
// Floating-point operations per token: what the model needs, and what the hardware executes.
#pragma once

#include "sizing/job.h"

namespace sizesheet {

/// FLOP per token of one forward pass, one multiply-accumulate counted as two.
struct ForwardFlops {
  double dense = 0;   ///< projections but routed experts, router included; head not
  double expert = 0;  ///< routed experts that a token visits
  double head = 0;
  double attention = 0;  ///< scores and values
  double scan = 0;       ///< Mamba-2
  double adapters = 0;   ///< of the experts', one set

  double matmul() const { return dense + expert + head; }
  double mixing() const { return attention + scan; }
};

/// Attention is causal, within its window where it has one.
ForwardFlops forward_flops(const Job& job);

/// FLOP per token, one multiply-accumulate counted as two.
struct TokenFlops {
  double model = 0;     ///< without recomputation; frozen matrices get no weight gradient
  double hardware = 0;  ///< with the recomputed forward
};

/// Full fine-tuning 3 forwards; a frozen base 2 for its matrices, 3 for attention and scans, and 6
/// per adapter parameter. Experts count with the share a token visits; attention causal, within its
/// window where it has one.
TokenFlops flops_per_token(const Job& job);

/// Projections that one token meets: a routed expert counts experts_per_token / experts. Router and
/// head included, embedding not.
double active_matmul_parameters(const Architecture& model);

}  // namespace sizesheet
