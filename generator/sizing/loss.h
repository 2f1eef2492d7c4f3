// SPDX-License-Identifier: Apache-2.0
// Bytes of logits and cross-entropy, the bill that is often the peak for a large vocabulary.
#pragma once

#include "sizing/job.h"
#include "support/trace.h"

namespace sizesheet {

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
