// SPDX-License-Identifier: Apache-2.0
// The pieces of the memory bill of one rank, and the pipeline stage that they are of. Every piece
// is written once, for `double` and for `Trace`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/models/architecture.h"
#include "sizing/job/job.h"
#include "sizing/model/parameters.h"
#include "support/trace.h"
#include "support/whole_numbers.h"

namespace sizesheet {

// ---- One pipeline stage of a model: which blocks it holds, and the sums over them that the memory
// bill needs. A job without pipelining has one stage, the whole model.

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
  double skipped = 0;     ///< of `matrix`, what a quantised checkpoint keeps in 16 bits
  double root = 0;        ///< embedding and head that stand here, head bias included
  /// Embedding and head that stand here: 0, 1 or 2. A tied head counts where it is a copy of its
  /// own.
  double root_matrices = 0;
  double largest_matrix = 0;
  double last_matrix = 0;  ///< of the last block, the projection back from its MLP or experts
  double rows = 0;         ///< summed output sizes of the projections (factored optimizers)
  double columns = 0;      ///< summed input sizes
  AdapterCounts adapters;
  double trained_root = 0;        ///< modules_to_save: embedding and head
  double trained_replicated = 0;  ///< modules_to_save: norms
  double frozen_tower = 0;        ///< vision tower and projector
  double trained_tower = 0;
};

/// Bytes on one rank of one pipeline stage, before they are put together phase by phase.
template <typename N>
struct Pieces {
  N weights = 0.0;  ///< resident base, or the trained shard
  N adapters = 0.0;
  N master = 0.0;  ///< fp32 master copy, and the moving average where one is kept
  N moments = 0.0;
  N gradients = 0.0;            ///< of this rank's share, when all are alive
  N gradients_final = 0.0;      ///< at the end of backward, with DDP buckets
  N head_gradient = 0.0;        ///< while the loss runs backward
  N head_gradient_left = 0.0;   ///< of it, what is still there while the blocks run backward
  N autocast_cache = 0.0;       ///< low-precision copies of weights: autocast's, fp8's
  N cache_loss_backward = 0.0;  ///< of them, while the loss runs backward
  N cache_block = 0.0;          ///< and while a block does
  N workspaces = 0.0;           ///< of cuBLAS, which stay
  N buckets = 0.0;
  N unit = 0.0;           ///< one gathered block
  N loss_unit = 0.0;      ///< of it, what is alive while the loss runs
  N gathered = 0.0;       ///< gathered blocks alive while a block runs
  N gathered_last = 0.0;  ///< and while the first block runs backward
  N unsharded_gradients = 0.0;
  N root = 0.0;                   ///< embedding and head that stay gathered
  N root_gradients = 0.0;         ///< of them, unsharded, while blocks run backward
  N root_gradients_late = 0.0;    ///< what the embedding's adds after the last block
  N root_shard = 0.0;             ///< of gradients_final, what is reduced after that
  N gradients_first_block = 0.0;  ///< of gradients_final, what the first block's backward lacks
  N embedding_backward = 0.0;     ///< beside all gradients while the embedding makes its own
  N head_gather = 0.0;            ///< head gathered for the loss only
  N dequantised = 0.0;            ///< while a block runs: of packed or rounded weights, in 16 bits
  N kept = 0.0;                   ///< activations kept from forward
  N held = 0.0;   ///< gradients of the blocks' inputs that frozen flat units hold, as they do kept
  N block = 0.0;  ///< the one rebuilt block
  N temporaries = 0.0;
  N loss_forward = 0.0;
  N loss_backward = 0.0;
  N loss_head = 0.0;       ///< logits while the head's gradient is computed
  N loss_left = 0.0;       ///< of the loss path, while the blocks run backward
  N loss_left_step = 0.0;  ///< and in the optimizer's step
  N step_transient = 0.0;
  N idle_logits = 0.0;  ///< the segment of 16-bit logits, which nothing else can use at the peak
  N idle_layer = 0.0;   ///< and what a layer's forward took before; 0: slack is a share
  N host_activations = 0.0;              ///< kept activations that wait in host memory
  double host_moments = 0;               ///< moments that a paged optimizer sent there
  bool gradients_persist = false;        ///< alive in forward from the second step on
  bool gradients_persist_step1 = false;  ///< and in the first
};

template <typename N>
Pieces<N> memory_pieces(const Job& job, const Stage& stage);

/// Of them, activations and loss: what data parallelism and sharding leave as it is.
template <typename N>
Pieces<N> step_pieces(const Job& job, const Stage& stage);

/// The step's pieces of every stage.
using StepPieces = std::vector<Pieces<double>>;

/// All, from the step's pieces of a job that differs in nothing but dp and shard.
template <typename N>
Pieces<N> memory_pieces(const Job& job, const Stage& stage, const Pieces<N>& step);

// The rooms of the pieces; each fills its own members.

template <typename N>
void add_state(const Job& job, const Stage& stage, Pieces<N>& pieces);

template <typename N>
N tensor_parallel(const Job& job) {
  return input<N>("tp", as_double(job.layout.tp));
}

template <typename N>
N hidden_size(const Job& job) {
  return input<N>("h", as_double(job.model->hidden));
}

template <typename N>
N expert_split(const Job& job) {
  return input<N>("ep", as_double(job.layout.ep)) * input<N>("etp", as_double(job.layout.etp));
}

/// Patches of one micro-batch.
inline double patches_per_rank(const Job& job) {
  return as_double(job.micro_batch) * job.vision->patches();
}

/// Trainable parameters per rank, dense and expert together.
double trainable_per_rank(const Job& job, const Stage& stage);

/// Trainable parameters of the whole job.
std::int64_t trainable_parameters(const Job& job);

/// Gradients add up unsharded over the micro-batches of a step.
bool keeps_whole_gradients(const Job& job);

/// Pinned host memory per rank for offloaded state and activations, bytes.
double host_bytes(const Job& job, const Stage& stage, const Pieces<double>& pieces);

/// Bytes of a value of a format whose blocks of so many values share a scale.
inline double scaled_bytes(double value_bytes, double scale_bytes, double block) {
  return value_bytes + scale_bytes / block;
}

// ---- What one block keeps for its backward pass.

inline bool recomputes(const Job& job, std::string_view module) {
  return job.recompute == Recompute::kModules &&
         job.recompute_modules.contains(std::string(module));
}

/// Linear4bit hands its output back in the input's dtype, so fp32 inputs double what follows them.
inline double inner_factor(const Job& job) { return job.kbit_prep && !job.fused_ops ? 2 : 1; }

}  // namespace sizesheet
