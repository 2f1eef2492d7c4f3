// SPDX-License-Identifier: Apache-2.0
// One pipeline stage of a model: which blocks it holds, and the sums over them that the memory bill
// needs. A job without pipelining has one stage, the whole model.
#pragma once

#include <cstdint>
#include <vector>

#include "sizing/job.h"
#include "sizing/parameters.h"

namespace sizesheet {

/// Equal blocks of a stage, wherever they stand in it.
struct StageKind {
  Block block;
  std::int64_t count = 0;
  SplitCounts split;  ///< of one block
};

/// Parameters of a stage and of its adapters. Nothing is divided by tensor or expert parallelism.
struct Stage {
  std::int64_t index = 0;
  bool first = true;  ///< holds the embedding
  bool last = true;   ///< holds the final norm, the head and the loss
  /// Micro-batches whose activations are alive at once.
  double in_flight = 1;
  std::vector<StageKind> kinds;  ///< in order of first appearance
  double matrix = 0;             ///< projections and biases of all blocks, without routed experts
  double matrix_bias = 0;
  double replicated = 0;  ///< norms, routers, convolutions, the final norm
  double norms = 0;       ///< the norms alone
  double expert = 0;      ///< routed experts
  double root = 0;        ///< embedding and head that stand here, head bias included
  /// Embedding and head that stand here: 0, 1 or 2. A tied head counts where it is a copy of its
  /// own.
  double root_matrices = 0;
  double largest_matrix = 0;
  double rows = 0;     ///< summed output sizes of the projections (factored optimizers)
  double columns = 0;  ///< summed input sizes
  AdapterCounts adapters;
  double trained_root = 0;        ///< modules_to_save: embedding and head
  double trained_replicated = 0;  ///< modules_to_save: norms
};

/// The stages of the job's layout, first one first. The rules ask that pp * vpp divides the layers;
/// where it does not, the last stages are shorter.
std::vector<Stage> stages_of(const Job& job);

/// Micro-batches in flight on a stage. 1F1B: min(m, pp - stage). Interleaved (vpp chunks): the
/// warm-up chunks of Megatron-LM's schedule plus one, min(m * vpp, 2 (pp - stage - 1) + (vpp - 1)
/// pp + 1) / vpp.
double micro_batches_in_flight(const Layout& layout, std::int64_t grad_accum, std::int64_t stage);

}  // namespace sizesheet
