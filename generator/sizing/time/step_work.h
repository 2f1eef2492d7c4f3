// SPDX-License-Identifier: Apache-2.0
// Operations and bytes of a step: of the model per token, and of a rank per micro-batch.
#pragma once

namespace sizesheet {

struct Job;

/// FLOP per token, one multiply-accumulate counted as two. Full fine-tuning 3 forwards; a frozen
/// base 2 for its matrices, 3 for attention and scans, and 6 per adapter parameter. Experts count
/// with the share a token visits; attention causal, within its window where it has one.
struct TokenFlops {
  double model = 0;     ///< without recomputation; frozen matrices get no weight gradient
  double hardware = 0;  ///< with the recomputed forward
  double forward = 0;   ///< one pass without gradients
};

/// Everything is of one rank and one micro-batch, forward, backward and what is recomputed.
struct StepWork {
  double matmul_flops = 0;       ///< projections, head and adapters, without routed experts
  double expert_flops = 0;       ///< grouped products of the routed experts
  double attention_flops = 0;    ///< scores and values
  double scan_flops = 0;         ///< Mamba-2
  double tokens_per_expert = 0;  ///< rows of one expert's product; 0: no routed experts
  double expert_width = 0;       ///< its inner width
  double layer_bytes = 0;        ///< elementwise kernels of the blocks
  double logit_bytes = 0;        ///< the loss
  double adapter_bytes = 0;      ///< the adapters' branches
  double dequantised = 0;        ///< parameters, each pass counted
  double kernels = 0;            ///< launched one after the other
  double host_seconds = 0;       ///< of an eager step's launches, where they are counted
  double gathered_units = 0;     ///< small units of FSDP that the host handles one by one
  double hooked_modules = 0;     ///< modules that DeepSpeed's stage 3 stops at, each pass counted
  TokenFlops per_token;          ///< of the model, not of the rank
};

StepWork step_work(const Job& job);

}  // namespace sizesheet
