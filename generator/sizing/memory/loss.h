// SPDX-License-Identifier: Apache-2.0
// What the loss holds: whole logits by a path of the catalog, or chunks of them in one kernel with
// the head.
#pragma once

#include "sizing/job/job.h"
#include "sizing/memory/pieces.h"

namespace sizesheet {

/// Logits and cross-entropy, often the peak for a large vocabulary, of one micro-batch on one rank.
/// Per (token x V/tp) by the catalog's loss path, or the fused linear cross-entropy: one chunk of
/// fp32 logits, the hidden gradient and, when the head trains, its gradient.
template <typename N>
void add_loss(const Job& job, Pieces<N>& pieces);

}  // namespace sizesheet
