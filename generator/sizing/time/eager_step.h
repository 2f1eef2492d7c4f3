// SPDX-License-Identifier: Apache-2.0
// What an eager step costs, counted operation by operation: the bytes that its elementwise kernels
// move, the kernels that its host launches one by one, and the time that takes the host.
#pragma once

namespace sizesheet {

struct Job;

/// Of one micro-batch on one rank: forward, what is recomputed, passes without gradient, backward.
struct EagerStep {
  double layer_bytes = 0;    ///< of the blocks, with the casts of fp32 weights under autocast
  double adapter_bytes = 0;  ///< of the adapters' branches
  double logit_bytes = 0;    ///< of the loss
  double launches = 0;       ///< kernels
  double host_seconds = 0;   ///< of the Python thread that launches them
};

/// Every elementwise kernel reads its inputs and writes its output; the counts are of transformers'
/// layers under a dispatch hook, with torch 2.11 and PEFT 0.21 (2026-11). Host times are of one
/// server's CPU; others take a third as long.
EagerStep eager_step(const Job& job);

}  // namespace sizesheet
