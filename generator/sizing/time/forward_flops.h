// SPDX-License-Identifier: Apache-2.0
// Operations of one forward pass per token, kind by kind of what a block holds.
#pragma once

namespace sizesheet {

struct Job;

/// FLOP per token of one forward pass, one multiply-accumulate counted as two.
struct ForwardFlops {
  double dense = 0;   ///< projections but routed experts, router included; head not
  double expert = 0;  ///< routed experts that a token visits
  double head = 0;
  double attention = 0;        ///< scores and values
  double plain_attention = 0;  ///< the same by plain products, which take every position
  double scan = 0;             ///< Mamba-2, Gated DeltaNet and short convolutions
  double scoring = 0;          ///< of an indexer, which is not trained
  double adapters = 0;         ///< of the experts', one set

  double matmul() const { return dense + expert + head; }
  double mixing() const { return attention + scan; }  ///< run backward as well
};

/// Attention is causal, within its window where it has one.
ForwardFlops forward_flops(const Job& job);

}  // namespace sizesheet
