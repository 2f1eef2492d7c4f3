// SPDX-License-Identifier: Apache-2.0
// What one micro-batch asks of one rank: operations by kind of kernel, bytes through memory,
// kernels launched. No rates; clocks.h puts them in.
#pragma once

#include "sizing/job.h"

namespace sizesheet {

/// Everything is of one rank and one micro-batch, forward, backward and what is recomputed.
struct StepWork {
  double matmul_flops = 0;       ///< projections, head and adapters, without routed experts
  double expert_flops = 0;       ///< grouped products of the routed experts
  double attention_flops = 0;    ///< scores and values
  double scan_flops = 0;         ///< Mamba-2
  double tokens_per_expert = 0;  ///< rows of one expert's product; 0: no routed experts
  double layer_bytes = 0;        ///< elementwise kernels of the blocks
  double logit_bytes = 0;        ///< the loss
  double adapter_bytes = 0;      ///< the adapters' branches
  double dequantised = 0;        ///< parameters, each pass counted
  double kernels = 0;            ///< launched one after the other
  double gathered_units = 0;     ///< small units of FSDP that the host handles one by one
};

StepWork step_work(const Job& job);

}  // namespace sizesheet
