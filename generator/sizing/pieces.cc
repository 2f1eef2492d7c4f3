// SPDX-License-Identifier: Apache-2.0
#include "sizing/pieces.h"

#include <algorithm>

#include "sizing/block_activations.h"
#include "sizing/loss.h"

namespace sizesheet {
namespace {

template <typename N>
N tp(const Job& job) {
  return input<N>("tp", static_cast<double>(job.layout.tp));
}

/// Ranks over which a kind of state is split: S from the ZeRO stage that splits it on, else 1.
template <typename N>
N ranks(const Job& job, int from_stage, const char* name) {
  const bool split = job.layout.stage() >= from_stage && job.layout.shard_ranks() > 1;
  if (!split) return 1.0;
  return input<N>(name, static_cast<double>(job.layout.shard_ranks()));
}

template <typename N>
N root_parameters(const ModelSums& sums) {
  return input<N>("P_root", sums.root);
}

/// Trainable parameters on this rank before ZeRO splits them.
template <typename N>
N trainable(const Job& job, const ModelSums& sums) {
  if (!job.full()) {
    return step<N>("P_trainable",
                   input<N>("P_adapters", static_cast<double>(sums.adapters.total())) / tp<N>(job));
  }
  return step<N>("P_trainable", input<N>("P_matrices", sums.matrix) / tp<N>(job) +
                                    input<N>("P_norms", sums.replicated) +
                                    root_parameters<N>(sums) / tp<N>(job));
}

template <typename N>
N weight_bytes(const Job& job, const ModelSums& sums) {
  if (job.layout.offload_params) return 0.0;
  const N matrices = input<N>("P_matrices", sums.matrix) / tp<N>(job);
  const N norms = input<N>("P_norms", sums.replicated);
  const N root = root_parameters<N>(sums) / tp<N>(job);
  const N over = ranks<N>(job, 3, "S");
  if (job.nf4()) {
    const N nf4 = input<N>("b_nf4", nf4_bytes(*job.constants, job.double_quant));
    const N other = input<N>("b_other", job.kbit_prep ? 4 : 2);
    return (matrices * nf4 + norms * other + root * other) / over;
  }
  const N width = input<N>("b_weight", job.full() ? job.state.weight : 2);
  return (matrices + norms + root) * width / over;
}

/// Optimizer state per parameter where all classes cost the same, else class by class and by matrix
/// edge.
template <typename N>
N moment_bytes(const Job& job, const ModelSums& sums) {
  const OptimizerCost& cost = job.optimizer;
  const bool half = job.state.bf16_moments;
  const double matrix = half ? cost.matrix_bf16 : cost.matrix;
  const double embedding = half ? cost.embedding_bf16 : cost.embedding;
  const double vector = half ? cost.vector_bf16 : cost.vector;
  const N over = ranks<N>(job, 1, "S");
  const bool uniform = matrix == embedding && matrix == vector;
  if (uniform && cost.per_row == 0 && cost.per_column == 0) {
    return trainable<N>(job, sums) * input<N>("b_optimizer", matrix) / over;
  }
  const bool full = job.full();
  const double adapter_count = static_cast<double>(sums.adapters.total());
  const N matrices =
      input<N>("P_2d", full ? sums.matrix - sums.matrix_bias : adapter_count) / tp<N>(job);
  const N edges =
      (input<N>("rows", full ? sums.rows : static_cast<double>(sums.adapters.rows)) *
           input<N>("b_row", cost.per_row) +
       input<N>("columns", full ? sums.columns : static_cast<double>(sums.adapters.columns)) *
           input<N>("b_column", cost.per_column)) /
      tp<N>(job);
  N bytes = matrices * input<N>("b_matrix", matrix) + edges;
  if (full) {
    const N vectors =
        input<N>("P_norms", sums.replicated) + input<N>("P_biases", sums.matrix_bias) / tp<N>(job);
    bytes = bytes + root_parameters<N>(sums) / tp<N>(job) * input<N>("b_embedding", embedding) +
            vectors * input<N>("b_vector", vector);
  }
  return bytes / over;
}

template <typename N>
void add_state(const Job& job, const ModelSums& sums, Pieces<N>& pieces) {
  const StateRecipe& state = job.state;
  const N count = trainable<N>(job, sums);
  if (!job.full()) {
    pieces.adapters = count * input<N>("b_adapter", state.weight) / ranks<N>(job, 3, "S");
  }
  pieces.gradients = count * input<N>("b_gradient", state.gradient) / ranks<N>(job, 2, "S");
  pieces.master = state.master == 0
                      ? N(0.0)
                      : count * input<N>("b_master", state.master) / ranks<N>(job, 1, "S");
  pieces.moments = moment_bytes<N>(job, sums);
  const bool ddp_bucket = job.layout.stage() == 0 && job.layout.dp > 1 && state.ddp_bucket;
  pieces.gradients_final = ddp_bucket ? 2.0 * pieces.gradients : pieces.gradients;
  const bool zero3 = job.layout.shard == Shard::kZero3 && job.layout.shard_ranks() > 1;
  pieces.gradients_persist_step1 =
      state.persistent_gradients || (state.persistent_when_zero3 && zero3);
  pieces.gradients_persist = pieces.gradients_persist_step1 || job.grad_accum > 1;
  if (job.full() && job.loss != "fused-linear") {
    pieces.head_gradient =
        input<N>("P_head",
                 static_cast<double>(job.model->vocab) * static_cast<double>(job.model->hidden)) /
        tp<N>(job) * input<N>("b_gradient", state.gradient) / ranks<N>(job, 2, "S");
  }
  if (job.full() && state.autocast_cache > 0) {
    pieces.autocast_cache = count * input<N>("b_autocast", state.autocast_cache);
  }
  if (job.layout.offload_optimizer) {
    pieces.master = 0.0;
    pieces.moments = 0.0;
    // Gradients leave for the host as buckets fill; a quarter is in flight.
    pieces.gradients_final =
        job.layout.stage() < 2
            ? pieces.gradients
            : input<N>("offload_share", job.constants->value("offload.gradient_share")) *
                  pieces.gradients;
  }
}

/// Bytes that one gathered or dequantised copy needs, and what stays gathered (ZeRO-3, FSDP).
template <typename N>
void add_working_set(const Job& job, const ModelSums& sums, Pieces<N>& pieces) {
  const Layout& layout = job.layout;
  if (layout.bucket_elements > 0) {
    pieces.buckets = input<N>("bucket_elements", layout.bucket_elements) *
                     input<N>("b_bucket", job.constants->value("bucket.bytes_per_element"));
  }
  if (job.nf4()) {
    pieces.dequantised = 2.0 * input<N>("largest_matrix", sums.largest_matrix) / tp<N>(job);
  }
  if (layout.shard != Shard::kZero3 || layout.shard_ranks() <= 1) return;
  const N width =
      job.nf4() ? input<N>("b_nf4", nf4_bytes(*job.constants, job.double_quant)) : N(2.0);
  pieces.unit = step<N>("unit", (input<N>("P_unit", sums.unit_matrix) / tp<N>(job) +
                                 input<N>("P_unit_norms", sums.unit_replicated)) *
                                    width);
  pieces.gathered = input<N>("gather_units", layout.gather_units) * pieces.unit;
  const double root_width = job.nf4() && job.kbit_prep ? 4 : 2;
  const double gathered_count =
      std::min(static_cast<double>(layout.root_gathered), sums.root_matrices);
  const N one_root = input<N>("P_root_matrix", sums.root / sums.root_matrices) / tp<N>(job);
  if (gathered_count > 0) {
    pieces.root = gathered_count * one_root * root_width;
  } else {
    pieces.head_gather = sums.root_matrices * one_root * root_width;
  }
  if (job.full()) {
    pieces.unsharded_gradients = pieces.unit + (layout.reduce_fp32 ? 2.0 : 1.0) * pieces.unit;
    pieces.root_gradients = gathered_count * one_root * 2.0;
  }
}

template <typename N>
void add_activations(const Job& job, Pieces<N>& pieces) {
  const N t = input<N>("t", job.tokens_per_rank());
  const N h = input<N>("h", static_cast<double>(job.model->hidden));
  const N sp = input<N>("sp", sequence_split(job));
  N kept = 0.0;
  N widest = 0.0;
  N temporaries = 0.0;
  int kind = 0;
  for (const BlockRun& run : job.model->runs) {
    const BlockActivations<N> block = block_activations<N>(job, run.block, kind);
    const BlockScope<N> scope(kind);
    kept = kept + scope.in("L", run.count) * block.kept;
    widest = kind == 0 ? block.saved : larger(widest, block.saved);
    temporaries = kind == 0 ? block.transient : larger(temporaries, block.transient);
    ++kind;
  }
  const N embedding_output = checkpoint_bytes<N>(job);
  // The final norm keeps its fp32 input when ops are eager; the head keeps its own input.
  const N head_input = (job.fused_ops ? 4.0 : 6.0) * h / sp;
  pieces.kept = (kept + embedding_output + head_input) * t;
  pieces.temporaries = temporaries * t;
  if (job.recompute != Recompute::kNone) pieces.block = widest * t;
}

/// What step() allocates beside the states: foreach copies, the fp32 gradient of the shard,
/// factoring.
template <typename N>
N step_transient(const Job& job, const ModelSums& sums) {
  if (job.layout.offload_optimizer) return 0.0;
  const N share = trainable<N>(job, sums) / ranks<N>(job, 1, "S");
  N bytes = 0.0;
  if (job.optimizer_foreach) {
    bytes = bytes + share * input<N>("b_foreach", job.state.bf16_moments ? 2 : 4);
  }
  if (job.state.step_gradient_copy > 0) {
    bytes = bytes + share * input<N>("b_step_gradient", job.state.step_gradient_copy);
  }
  if (job.optimizer.step_per_largest_matrix > 0 && job.full()) {
    bytes = bytes + input<N>("b_step_matrix", job.optimizer.step_per_largest_matrix) *
                        input<N>("largest_matrix", sums.largest_matrix) / tp<N>(job);
  }
  return bytes;
}

}  // namespace

double nf4_bytes(const EngineConstants& constants, bool double_quant) {
  const double block = constants.value("nf4.block");
  if (!double_quant) return 0.5 + 4 / block;
  return 0.5 + (1 / block + 4 / (block * constants.value("nf4.nested_block")));
}

ModelSums sum_model(const Job& job) {
  const Architecture& model = *job.model;
  ModelSums sums;
  sums.replicated = static_cast<double>(model.norm_bias ? 2 * model.hidden : model.hidden);
  for (const BlockRun& run : model.runs) {
    const SplitCounts split = split_parameters(model, run.block);
    const double count = static_cast<double>(run.count);
    sums.matrix += count * static_cast<double>(split.matrix);
    sums.matrix_bias += count * static_cast<double>(split.matrix_bias);
    sums.replicated += count * static_cast<double>(split.replicated);
    if (static_cast<double>(split.matrix + split.replicated) >
        sums.unit_matrix + sums.unit_replicated) {
      sums.unit_matrix = static_cast<double>(split.matrix);
      sums.unit_replicated = static_cast<double>(split.replicated);
    }
    for (const Linear& linear : linears(model, run.block)) {
      sums.largest_matrix =
          std::max(sums.largest_matrix, static_cast<double>(linear.in * linear.out));
      sums.rows += count * static_cast<double>(linear.out);
      sums.columns += count * static_cast<double>(linear.in);
    }
  }
  const double one_root = static_cast<double>(model.vocab) * static_cast<double>(model.hidden);
  sums.root_matrices = model.tied_head ? 1 : 2;
  sums.root = sums.root_matrices * one_root;
  if (!job.full()) sums.adapters = count_adapters(model, job.adapters);
  return sums;
}

double trainable_per_rank(const Job& job, const ModelSums& sums) {
  return trainable<double>(job, sums);
}

std::int64_t trainable_parameters(const Job& job) {
  if (job.full()) return count_parameters(*job.model).total();
  return count_adapters(*job.model, job.adapters).total();
}

double host_bytes(const Job& job, const ModelSums& sums) {
  double bytes = 0;
  const double split =
      job.layout.shard == Shard::kNone ? 1.0 : static_cast<double>(job.layout.shard_ranks());
  if (job.layout.offload_optimizer) {
    const double per_parameter = job.state.bf16_moments ? 2 + 4 + 2 : 4 + 8 + 4;
    bytes += trainable_per_rank(job, sums) / split * per_parameter;
  }
  if (job.layout.offload_params) {
    bytes += static_cast<double>(count_parameters(*job.model).total()) * 2 /
             static_cast<double>(job.layout.shard_ranks());
  }
  return bytes;
}

template <typename N>
Pieces<N> memory_pieces(const Job& job, const ModelSums& sums) {
  Pieces<N> pieces;
  pieces.weights = weight_bytes<N>(job, sums);
  add_state<N>(job, sums, pieces);
  add_working_set<N>(job, sums, pieces);
  add_activations<N>(job, pieces);
  const LossBytes<N> loss = loss_bytes<N>(job);
  pieces.loss_forward = loss.forward;
  pieces.loss_backward = loss.backward;
  pieces.loss_left = loss.residual;
  pieces.step_transient = step_transient<N>(job, sums);
  return pieces;
}

template Pieces<double> memory_pieces<double>(const Job&, const ModelSums&);
template Pieces<Traced> memory_pieces<Traced>(const Job&, const ModelSums&);

}  // namespace sizesheet
