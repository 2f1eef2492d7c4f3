// SPDX-License-Identifier: Apache-2.0
// The pieces of the memory bill of one rank, and the pipeline stage that they are of. Every piece
// is written once, for `double` and for `Trace`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sizing/request/job.h"
#include "support/trace.h"

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
  double rows = 0;     ///< summed output sizes of the projections (factored optimizers)
  double columns = 0;  ///< summed input sizes
  AdapterCounts adapters;
  double trained_root = 0;        ///< modules_to_save: embedding and head
  double trained_replicated = 0;  ///< modules_to_save: norms
  double frozen_tower = 0;        ///< vision tower and projector
  double trained_tower = 0;
};

/// Layers [from, from + count) of a model.
struct LayerRange {
  std::int64_t from = 0;
  std::int64_t count = 0;
};

/// The layers of a pipeline chunk, of which a stage has vpp: all alike, but for the first and the
/// last where the layout says so.
LayerRange chunk_range(const Job& job, std::int64_t chunk);

/// The largest of what one block of each kind has.
double largest_of(const Stage& stage, std::int64_t SplitCounts::*parameters);

/// The stages of the job's layout, first one first. The rules ask that pp * vpp divides the layers;
/// where it does not, the last stages are shorter.
std::vector<Stage> stages_of(const Job& job);

/// Bytes on one rank of one pipeline stage, before they are put together phase by phase.
template <typename N>
struct Pieces {
  N weights = 0.0;  ///< resident base, or the trained shard
  N adapters = 0.0;
  N master = 0.0;  ///< fp32 master copy, and the moving average where one is kept
  N moments = 0.0;
  N gradients = 0.0;           ///< of this rank's share, when all are alive
  N gradients_final = 0.0;     ///< at the end of backward, with DDP buckets
  N head_gradient = 0.0;       ///< while the loss runs backward
  N head_gradient_left = 0.0;  ///< of it, what is still there while the blocks run backward
  N autocast_cache = 0.0;      ///< low-precision copies of weights: autocast's, fp8's
  N buckets = 0.0;
  N unit = 0.0;           ///< one gathered block
  N loss_unit = 0.0;      ///< of it, what is alive while the loss runs
  N gathered = 0.0;       ///< gathered blocks alive while a block runs
  N gathered_last = 0.0;  ///< and while the first block runs backward
  N unsharded_gradients = 0.0;
  N root = 0.0;                 ///< embedding and head that stay gathered
  N root_gradients = 0.0;       ///< of them, unsharded, while blocks run backward
  N root_gradients_late = 0.0;  ///< what the embedding's adds after the last block
  N root_shard = 0.0;           ///< of gradients_final, what is reduced after that
  N head_gather = 0.0;          ///< head gathered for the loss only
  N dequantised = 0.0;          ///< while a block runs: of packed or rounded weights, in 16 bits
  N kept = 0.0;                 ///< activations kept from forward
  N held = 0.0;   ///< gradients of the blocks' inputs that frozen flat units hold, as they do kept
  N block = 0.0;  ///< the one rebuilt block
  N temporaries = 0.0;
  N loss_forward = 0.0;
  N loss_backward = 0.0;
  N loss_head = 0.0;       ///< logits while the head's gradient is computed
  N loss_left = 0.0;       ///< of the loss path, while the blocks run backward
  N loss_left_step = 0.0;  ///< and in the optimizer's step
  N step_transient = 0.0;
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
/// 16-bit copies of packed or rounded weights.
template <typename N>
void add_unpacked(const Job& job, const Stage& stage, Pieces<N>& pieces);
template <typename N>
void add_working_set(const Job& job, const Stage& stage, Pieces<N>& pieces);
template <typename N>
void add_activations(const Job& job, const Stage& stage, Pieces<N>& pieces);
/// Logits and cross-entropy, often the peak for a large vocabulary, of one micro-batch on one rank.
/// Per (token x V/tp) by the catalog's loss path, or the fused linear cross-entropy: one chunk of
/// fp32 logits, the hidden gradient and, when the head trains, its gradient.
template <typename N>
void add_loss(const Job& job, Pieces<N>& pieces);

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

/// The vision tower that a run holds, parameters.
struct TowerState {
  double frozen = 0;
  double trained = 0;
};
TowerState tower_state(const Job& job);

/// The job with the tower's layers, trained whole on one rank, in the place of the model.
Job tower_job(const Job& job);

/// Patches of one micro-batch.
inline double patches_per_rank(const Job& job) {
  return as_double(job.micro_batch) * job.vision->patches();
}

/// What the tower keeps, and its layer that is rebuilt.
template <typename N>
void add_tower_activations(const Job& job, const Stage& stage, Pieces<N>& pieces);

/// Trainable parameters per rank, dense and expert together.
double trainable_per_rank(const Job& job, const Stage& stage);

/// Trainable parameters of the whole job.
std::int64_t trainable_parameters(const Job& job);

/// Pinned host memory per rank for offloaded state and activations, bytes.
double host_bytes(const Job& job, const Stage& stage, const Pieces<double>& pieces);

/// Bytes of a value of a format whose blocks of so many values share a scale.
inline double scaled_bytes(double value_bytes, double scale_bytes, double block) {
  return value_bytes + scale_bytes / block;
}

/// Bytes per NF4 parameter with its block scales (bitsandbytes: block 64, nested block 256).
double nf4_bytes(const EngineConstants& constants, bool double_quant);

/// Bytes per parameter of the frozen base's projections, and of its experts.
double base_bytes(const Job& job);
double expert_base_bytes(const Job& job);

/// What adapters alone take: bytes of the whole run, before any split over GPUs.
struct AdapterState {
  std::int64_t weights = 0;
  std::int64_t gradients = 0;
  std::int64_t optimizer = 0;  ///< master copy and moments
};

/// Of a job with adapters; its layout does not matter.
AdapterState adapter_state(const Job& job);

// ---- What one block keeps for its backward pass.

/// A block of a job, and the names of its kind in a formula: `f`, and `f_2` for the second kind of
/// block of a model.
template <typename N>
class BlockScope {
 public:
  /// `kind` numbers the block kinds of a stage from 0.
  BlockScope(const Job& of, const Block& one, int kind) : job(of), block(one), kind_(kind) {}

  const Job& job;
  const Block& block;

  N in(std::string_view name, double value) const { return input<N>(named(name), value); }
  N in(std::string_view name, std::int64_t value) const {
    return in(name, static_cast<double>(value));
  }
  /// The same under a name of two parts.
  N in(std::string_view name, std::string_view part, double value) const {
    if constexpr (std::is_same_v<N, Traced>) {
      return in(std::string(name) + std::string(part), value);
    } else {
      return value;
    }
  }
  N named_step(std::string_view name, const N& value) const { return step<N>(named(name), value); }

 private:
  std::string named(std::string_view name) const {
    if constexpr (std::is_same_v<N, Traced>) {
      return std::string(name) + (kind_ > 0 ? "_" + std::to_string(kind_ + 1) : "");
    } else {
      return {};
    }
  }

  int kind_;
};

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

/// Bytes per token of one sublayer, split by how tensor parallelism divides it.
template <typename N>
struct SublayerBytes {
  N replicated = 0.0;          ///< norms and residuals: divided with sequence parallelism only
  N split = 0.0;               ///< divided by tp
  N transient = 0.0;           ///< temporaries while it runs backward, divided by tp
  N dropped_replicated = 0.0;  ///< of both, what module recompute rebuilds instead of keeping
  N dropped_split = 0.0;
};

inline bool recomputes(const Job& job, std::string_view module) {
  return job.recompute == Recompute::kModules &&
         job.recompute_modules.contains(std::string(module));
}

/// Linear4bit hands its output back in the input's dtype, so fp32 inputs double what follows them.
inline double inner_factor(const Job& job) { return job.kbit_prep && !job.fused_ops ? 2 : 1; }

/// Adds what a sublayer keeps that mixes tokens (attention, Gated DeltaNet, short convolution,
/// Mamba-2) or takes a per-layer embedding; `h`: the hidden size.
template <typename N>
void put_mixer(const BlockScope<N>& scope, Sublayer sublayer, const N& h, SublayerBytes<N>& bytes);

}  // namespace sizesheet
