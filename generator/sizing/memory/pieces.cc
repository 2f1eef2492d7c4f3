// SPDX-License-Identifier: Apache-2.0
// Weights, adapters, gradients and optimizer states of one rank.

#include "sizing/memory/pieces.h"

#include <algorithm>
#include <cmath>

#include "catalog/facts/engine_constants.h"
#include "sizing/job/job.h"
#include "sizing/memory/adapted_base.h"
#include "sizing/memory/loss.h"
#include "sizing/memory/sublayers.h"
#include "sizing/memory/tower.h"
#include "sizing/memory/working_pieces.h"
#include "sizing/model/parameters.h"
#include "support/named.h"
#include "support/trace.h"
#include "support/whole_numbers.h"

namespace sizesheet {

std::int64_t trainable_parameters(const Job& job) {
  if (job.full()) {
    return count_parameters(*job.model).total() +
           static_cast<std::int64_t>(tower_state(job).trained);
  }
  Job whole = job;
  whole.layout = Layout{};
  const std::vector<Stage> stages = stages_of(whole);
  const Stage& model = stages.front();
  return model.adapters.total() +
         static_cast<std::int64_t>(model.trained_root + model.trained_replicated +
                                   model.trained_tower);
}

bool keeps_whole_gradients(const Job& job) {
  return !job.layout.sync_each_batch && job.grad_accum > 1 && job.layout.stage() >= 2 &&
         job.layout.shard_ranks() > 1;
}

double host_bytes(const Job& job, const Stage& stage, const Pieces<double>& pieces) {
  const double ranks = as_double(job.layout.shard_ranks());
  const double buffers = job.constants->value("offload.host_buffer_factor");
  double bytes = pieces.host_activations + pieces.host_moments;
  if (job.layout.offload_optimizer) {
    const double split = job.layout.shard == Shard::kNone ? 1.0 : ranks;
    const double per_parameter = job.state.bf16_moments ? 2 + 4 + 2 : 4 + 8 + 4;
    bytes += trainable_per_rank(job, stage) / split * per_parameter * buffers;
  }
  if (job.layout.offload_params) {
    const double parameters =
        stage.matrix + stage.replicated + stage.root + stage.expert + stage.trained_tower;
    const double copies = job.training && job.training->reference == Reference::kCopy ? 2 : 1;
    bytes += copies * parameters * (job.full() ? 2 : base_bytes(job)) / ranks * buffers;
    bytes += 2 * stage.frozen_tower / ranks * buffers;
  }
  return bytes;
}

template <typename N>
Pieces<N> step_pieces(const Job& job, const Stage& stage) {
  Pieces<N> pieces;
  add_activations<N>(job, stage, pieces);
  if (stage.first && job.vision) add_tower_activations<N>(job, stage, pieces);
  if (stage.last) add_loss<N>(job, pieces);
  return pieces;
}

template <typename N>
Pieces<N> memory_pieces(const Job& job, const Stage& stage, const Pieces<N>& step) {
  Pieces<N> pieces = step;
  add_state<N>(job, stage, pieces);
  add_working_set<N>(job, stage, pieces);
  return pieces;
}

template <typename N>
Pieces<N> memory_pieces(const Job& job, const Stage& stage) {
  return memory_pieces<N>(job, stage, step_pieces<N>(job, stage));
}

template Pieces<double> memory_pieces<double>(const Job&, const Stage&);
template Pieces<Traced> memory_pieces<Traced>(const Job&, const Stage&);
template Pieces<double> memory_pieces<double>(const Job&, const Stage&, const Pieces<double>&);
template Pieces<double> step_pieces<double>(const Job&, const Stage&);

namespace {

/// Parameters of a stage on one rank, divided by tensor and expert parallelism, not yet by ZeRO.
template <typename N>
struct RankCounts {
  N dense = 0.0;
  N expert = 0.0;
};

/// Parameters of routed experts on one rank.
template <typename N>
N routed_experts(const Job& job, const Stage& stage) {
  return input<N>("P_experts", stage.expert) / expert_split<N>(job);
}

/// Trainable parameters whose state this rank holds before ZeRO divides it.
template <typename N>
RankCounts<N> trainable_counts(const Job& job, const Stage& stage) {
  const N tp = tensor_parallel<N>(job);
  RankCounts<N> counts;
  if (job.full()) {
    N dense = input<N>("P_matrices", stage.matrix) / tp + input<N>("P_norms", stage.replicated) +
              input<N>("P_root", stage.root) / tp;
    if (stage.trained_tower > 0) dense = dense + input<N>("P_tower", stage.trained_tower);
    counts.dense = step<N>("P_trainable", dense);
    if (stage.expert > 0) {
      counts.expert = step<N>("P_trainable_experts", routed_experts<N>(job, stage));
    }
    return counts;
  }
  const AdapterCounts& adapters = stage.adapters;
  N dense = input<N>("P_adapters", as_double(adapters.dense)) / tp;
  if (stage.trained_root > 0) dense = dense + input<N>("P_saved_root", stage.trained_root) / tp;
  if (stage.trained_replicated > 0) {
    dense = dense + input<N>("P_saved_norms", stage.trained_replicated);
  }
  if (stage.trained_tower > 0) dense = dense + input<N>("P_tower", stage.trained_tower);
  counts.dense = step<N>("P_trainable", dense);
  if (adapters.expert > 0) {
    const N all = input<N>("P_expert_adapters", as_double(adapters.expert));
    const bool each = job.adapters.experts == "per-expert";
    counts.expert = each ? all / expert_split<N>(job) : all;
  }
  return counts;
}

/// dense / S + expert / S_e from the ZeRO stage that divides this kind of state on, else their sum.
template <typename N>
N divided(const Job& job, int from_stage, const RankCounts<N>& counts) {
  const Layout& layout = job.layout;
  if (layout.stage() < from_stage) return counts.dense + counts.expert;
  const N dense = counts.dense / input<N>("S", as_double(layout.shard_ranks()));
  if (value_of(counts.expert) == 0) return dense;
  return dense + counts.expert / input<N>("S_e", as_double(layout.expert_shard_ranks()));
}

template <typename N>
N divided(const Job& job, int from_stage, const N& dense) {
  return divided<N>(job, from_stage, RankCounts<N>{dense, 0.0});
}

/// Weights are sharded, and gathered where they are used.
bool gathers(const Job& job) {
  return job.layout.shard == Shard::kZero3 && job.layout.shard_ranks() > 1;
}

/// Bytes per parameter of the transpose that an fp8 matrix needs for backward. A sharded one is
/// transposed where it is gathered.
double transpose_bytes(const Job& job) {
  return job.base == BaseDtype::kFp8 && job.transpose_cache && !gathers(job) ? 1 : 0;
}

template <typename N>
N frozen_weight_bytes(const Job& job, const Stage& stage) {
  const N tp = tensor_parallel<N>(job);
  const N matrices = input<N>("P_matrices", stage.matrix - stage.matrix_bias) / tp;
  const bool narrow = job.quantised() || job.base == BaseDtype::kFp8;
  const N width = input<N>("b_base", base_bytes(job) + transpose_bytes(job));
  const N other = input<N>("b_other", job.kbit_prep ? 4 : narrow ? 2 : base_bytes(job));
  RankCounts<N> bytes;
  bytes.dense = matrices * width + input<N>("P_norms", stage.replicated) * other +
                input<N>("P_root", stage.root) / tp * other;
  if (stage.matrix_bias > 0) {
    bytes.dense = bytes.dense + input<N>("P_biases", stage.matrix_bias) / tp * other;
  }
  if (job.base == BaseDtype::kInt8) {
    bytes.dense = bytes.dense + 4.0 * input<N>("rows", stage.rows) / tp;
  }
  if (stage.skipped > 0) {
    bytes.dense = bytes.dense + input<N>("P_skipped", stage.skipped) / tp * (2.0 - width);
  }
  if (stage.expert > 0) {
    bytes.expert = routed_experts<N>(job, stage) *
                   input<N>("b_experts", expert_base_bytes(job) + transpose_bytes(job));
  }
  return divided<N>(job, 3, bytes);
}

template <typename N>
N weight_bytes(const Job& job, const Stage& stage) {
  if (job.layout.offload_params) return 0.0;
  if (!job.full()) return frozen_weight_bytes<N>(job, stage);
  const N bytes =
      divided<N>(job, 3, trainable_counts<N>(job, stage)) * input<N>("b_weight", job.state.weight);
  if (!job.fp8_params) return bytes;
  // The fp8 copies of the projections are the weights; of sharded ones a byte is the shard.
  const RankCounts<N> narrow{
      input<N>("P_2d", stage.matrix - stage.matrix_bias) / tensor_parallel<N>(job),
      routed_experts<N>(job, stage)};
  return bytes - divided<N>(job, 3, narrow) *
                     input<N>("b_spared", job.state.weight - (gathers(job) ? 1 : 0));
}

/// Frozen models beside the one that trains: a copy of it, divided as it is, or a teacher.
template <typename N>
N weights_beside(const Job& job, const Stage& stage) {
  N bytes = 0.0;
  const double width = 2;
  if (job.training->reference == Reference::kCopy && !job.layout.offload_params) {
    bytes = job.full() ? divided<N>(job, 3, trainable_counts<N>(job, stage)) *
                             input<N>("b_reference", width)
                       : frozen_weight_bytes<N>(job, stage);
  }
  if (job.training->teacher) {
    const double all = as_double(count_parameters(*job.training->teacher).total());
    const N teacher = input<N>("P_teacher", all) / tensor_parallel<N>(job) /
                      input<N>("pp", as_double(job.layout.pp));
    bytes = bytes + divided<N>(job, 3, teacher) * input<N>("b_teacher", width);
  }
  return bytes;
}

/// Optimizer state per parameter where all classes cost the same, else class by class and by matrix
/// edge.
template <typename N>
N moment_bytes(const Job& job, const Stage& stage) {
  const OptimizerCost& cost = job.optimizer;
  const bool half = job.state.bf16_moments;
  const double matrix = job.moment_bytes();
  const double embedding = half ? cost.embedding_bf16 : cost.embedding;
  const double vector = half ? cost.vector_bf16 : cost.vector;
  const bool uniform = matrix == embedding && matrix == vector;
  if (uniform && cost.per_row == 0 && cost.per_column == 0) {
    return divided<N>(job, 1, trainable_counts<N>(job, stage)) * input<N>("b_optimizer", matrix);
  }
  const N tp = tensor_parallel<N>(job);
  const double rows = job.full() ? stage.rows : as_double(stage.adapters.rows);
  const double columns = job.full() ? stage.columns : as_double(stage.adapters.columns);
  const N edges = (input<N>("rows_2d", rows) * input<N>("b_row", cost.per_row) +
                   input<N>("columns_2d", columns) * input<N>("b_column", cost.per_column)) /
                  tp;
  const N b_matrix = input<N>("b_matrix", matrix);
  const N b_embedding = input<N>("b_embedding", embedding);
  const N b_vector = input<N>("b_vector", vector);
  const AdapterCounts& adapters = stage.adapters;
  RankCounts<N> bytes;
  if (job.full()) {
    bytes.dense =
        input<N>("P_2d", stage.matrix - stage.matrix_bias) / tp * b_matrix + edges +
        input<N>("P_root", stage.root) / tp * b_embedding +
        (input<N>("P_norms", stage.replicated) + input<N>("P_biases", stage.matrix_bias) / tp) *
            b_vector;
    if (stage.expert > 0) bytes.expert = routed_experts<N>(job, stage) * b_matrix;
  } else {
    bytes.dense =
        input<N>("P_adapters_2d", as_double(adapters.dense - adapters.vectors)) / tp * b_matrix +
        edges + input<N>("P_saved_root", stage.trained_root) / tp * b_embedding +
        (input<N>("P_magnitudes", as_double(adapters.vectors)) / tp +
         input<N>("P_saved_norms", stage.trained_replicated)) *
            b_vector;
    bytes.expert = trainable_counts<N>(job, stage).expert * b_matrix;
  }
  if (stage.trained_tower > 0) {
    bytes.dense = bytes.dense + input<N>("P_tower", stage.trained_tower) * b_matrix;
  }
  return divided<N>(job, 1, bytes);
}

/// The largest tensor whose gradient is alive alone when each is applied as it appears. The experts
/// of a block stand in one tensor.
double largest_trained_tensor(const Job& job, const Stage& stage) {
  const double tp = as_double(job.layout.tp);
  if (!job.full()) return trainable_per_rank(job, stage);
  double largest = stage.largest_matrix / tp;
  if (stage.root_matrices > 0) largest = std::max(largest, stage.root / stage.root_matrices / tp);
  for (const StageKind& kind : stage.kinds) {
    if (!kind.block.moe) continue;
    const double share = kind.block.moe->gated ? 2.0 / 3.0 : 0.5;
    largest = std::max(largest,
                       share * as_double(kind.split.expert) / as_double(job.layout.expert_split()));
  }
  return largest;
}

/// Bytes per parameter of whole gradients that wait for the last micro-batch: FSDP 2 adds them up
/// in the type that it reduces in (pytorch torch/distributed/fsdp/_fully_shard/_fsdp_param.py,
/// to_accumulated_grad_if_needed). FSDP 1 adds them up in the type of the gathered weights, in
/// which the trainers that wait also reduce.
double whole_gradient_bytes(const Job& job) { return job.layout.reduce_fp32 ? 4 : 2; }

template <typename N>
void add_gradients(const Job& job, const Stage& stage, Pieces<N>& pieces) {
  const StateRecipe& state = job.state;
  const N width = input<N>("b_gradient", state.gradient);
  pieces.gradients = divided<N>(job, 2, trainable_counts<N>(job, stage)) * width;
  const bool ddp_bucket = job.layout.stage() == 0 && job.layout.replicas() > 1 && state.ddp_bucket;
  pieces.gradients_final = ddp_bucket ? 2.0 * pieces.gradients : pieces.gradients;
  pieces.gradients_persist_step1 =
      state.persistent_gradients || (state.persistent_when_zero3 && gathers(job));
  pieces.gradients_persist = pieces.gradients_persist_step1 || job.grad_accum > 1;
  if (job.head_trains() && stage.last && !job.fuses_head()) {
    const double head = as_double(job.model->head_outputs()) * as_double(job.model->hidden);
    const N rows = input<N>("P_head", head) / tensor_parallel<N>(job);
    pieces.head_gradient = divided<N>(job, 2, rows) * width;
    // A gradient of an earlier micro-batch takes this one in.
    const bool added = pieces.gradients_persist && job.counts_tensors();
    pieces.head_gradient_left = added ? N(0.0) : pieces.head_gradient;
  }
  if (job.optimizer_in_backward) {
    const N one = input<N>("P_largest", largest_trained_tensor(job, stage));
    pieces.gradients = divided<N>(job, 2, one) * width;
    pieces.gradients_final = pieces.gradients;
    pieces.head_gradient_left = 0.0;
  }
  if (keeps_whole_gradients(job)) {
    // Only the last micro-batch leaves shards of them.
    const RankCounts<N> counts = trainable_counts<N>(job, stage);
    pieces.gradients =
        (counts.dense + counts.expert) * input<N>("b_whole_gradient", whole_gradient_bytes(job));
  }
}

/// Copies that autocast caches of trained fp32 matrices live until its context ends, which is
/// behind the loss. In backward only those are left that the graph saved: all, or with
/// recomputation the head's, and a block's own while it is rebuilt.
template <typename N>
void add_autocast_copies(const Job& job, const Stage& stage, Pieces<N>& pieces) {
  const N width = input<N>("b_autocast", job.state.autocast_cache);
  const RankCounts<N> counts = trainable_counts<N>(job, stage);
  if (!job.trains_under_autocast()) {
    pieces.autocast_cache = (counts.dense + counts.expert) * width;
    pieces.cache_loss_backward = pieces.cache_block = pieces.autocast_cache;
    return;
  }
  const N tp = tensor_parallel<N>(job);
  const double root = stage.root_matrices > 0 ? stage.root / stage.root_matrices : 0;
  // An embedding of its own is looked up, not multiplied.
  const double looked_up = stage.first && stage.root_matrices > 1 ? root : 0;
  const N all = input<N>("P_cast", stage.matrix + stage.root - looked_up) / tp;
  pieces.autocast_cache = all * width;
  N whole = pieces.autocast_cache;
  if (stage.expert > 0) whole = whole + routed_experts<N>(job, stage) * width;
  pieces.autocast_cache = whole;
  const bool again = job.repeats_forward();
  const double head = stage.last ? root : 0;
  pieces.cache_loss_backward = again ? input<N>("P_head_cast", head) / tp * width : whole;
  if (!again) {
    pieces.cache_block = whole - input<N>("P_head_cast", head) / tp * width;
    return;
  }
  // The block's own copies, and one weight gradient before it is cast.
  const N block =
      input<N>("P_block", largest_of(stage, &SplitCounts::matrix)) / tp +
      input<N>("P_block_experts", largest_of(stage, &SplitCounts::expert)) / expert_split<N>(job);
  pieces.cache_block = (block + input<N>("P_largest_cast", stage.largest_matrix) / tp) * width;
}

/// bf16 copies of frozen fp32 weights, saved for backward; fp8 copies of the projections. Sharded
/// weights are cast as they are gathered.
template <typename N>
N low_precision_copies(const Job& job, const Stage& stage) {
  const bool fp8 = job.precision == Precision::kFp8 && job.base != BaseDtype::kFp8;
  if (gathers(job) || (!fp8 && job.base != BaseDtype::kFp32)) return 0.0;
  double matrices = stage.matrix;
  double experts = stage.expert;
  if (!fp8 && job.repeats_forward()) {
    matrices = largest_of(stage, &SplitCounts::matrix);
    experts = largest_of(stage, &SplitCounts::expert);
  }
  N copies = input<N>("P_cast", matrices) / tensor_parallel<N>(job);
  if (experts > 0) copies = copies + input<N>("P_cast_experts", experts) / expert_split<N>(job);
  return copies * input<N>("b_copy", fp8 ? job.fp8_copy_bytes : 2);
}

/// Adafactor works through the parameters one by one in fp32, and the update of the one before
/// stays until the next is bound: before the head, the last block's projection back.
template <typename N>
N factored_step(const Job& job, const Stage& stage) {
  const double width = 4;
  const double casts = job.state.weight < width ? 2 : 0;
  const double root = stage.root_matrices > 0 ? stage.root / stage.root_matrices : 0;
  const double largest = std::max(root, largest_trained_tensor(job, stage));
  const double before = root >= largest && !job.model->tied_head ? stage.last_matrix : 0;
  return width *
         (input<N>("step_tensors", job.optimizer.step_tensors + casts) *
              input<N>("P_largest", largest) +
          input<N>("P_before", before)) /
         tensor_parallel<N>(job);
}

/// What step() allocates beside the states: foreach copies, the fp32 gradient of the shard,
/// factoring.
template <typename N>
N step_transient(const Job& job, const Stage& stage) {
  if (job.layout.offload_optimizer || job.optimizer_in_backward) return 0.0;
  const N share = divided<N>(job, 1, trainable_counts<N>(job, stage));
  N bytes = 0.0;
  if (job.optimizer_foreach) {
    bytes = bytes + share * input<N>("b_foreach", job.state.bf16_moments ? 2 : 4);
  }
  if (job.state.step_gradient_copy > 0) {
    // DeepSpeed's stage 3 steps one sub-group after the other.
    const double group = job.constants->value("zero3.sub_group");
    const bool grouped = job.layout.shard == Shard::kZero3 && group < value_of(share);
    const N copied = grouped ? input<N>("sub_group", group) : share;
    bytes = bytes + copied * input<N>("b_step_gradient", job.state.step_gradient_copy);
  }
  if (job.optimizer.step_per_largest_matrix > 0 && job.full()) {
    bytes = bytes + input<N>("b_step_matrix", job.optimizer.step_per_largest_matrix) *
                        input<N>("largest_matrix", stage.largest_matrix) / tensor_parallel<N>(job);
  }
  if (job.optimizer.step_tensors > 0 && job.full()) {
    bytes = bytes + factored_step<N>(job, stage);
  }
  return bytes;
}

/// What is alive beside the gradients near the end of backward, on one rank without sharding. The
/// embedding's gradient comes last, and the first block's own as its activations go.
template <typename N>
void add_end_of_backward(const Job& job, const Stage& stage, Pieces<N>& pieces) {
  const bool plain = job.constants->value("end_backward.late_embedding") != 0 && job.full() &&
                     job.layout.gpus() == 1 && !job.optimizer_in_backward &&
                     !job.layout.offload_optimizer && !job.state.persistent_gradients;
  if (!plain) return;
  const N width = input<N>("b_gradient", job.state.gradient);
  const double matrix = as_double(job.model->vocab * job.model->hidden);
  const bool tied = job.model->tied_head;
  const N embedding = input<N>("P_embedding", matrix) * width;
  const N block = input<N>("P_block", largest_of(stage, &SplitCounts::matrix) +
                                          largest_of(stage, &SplitCounts::expert)) *
                  width;
  if (!pieces.gradients_persist) {
    pieces.gradients_first_block = tied ? block : block + embedding;
  }
  const N stream = checkpoint_bytes<N>(job) * input<N>("t", job.tokens_per_rank());
  if (!tied) {
    pieces.embedding_backward = pieces.gradients_persist ? stream + embedding : stream;
    return;
  }
  // A tied matrix holds the head's gradient already. Autograd adds in place to an fp32 gradient,
  // which is fresh from a cast; one in 16 bits is a view of a product, so the sum is a third.
  if (job.state.gradient < 4) {
    pieces.embedding_backward = 2.0 * embedding;
    return;
  }
  // Beyond so many indices PyTorch sorts them and sums in parts.
  constexpr double kSortedFrom = 3072;
  const bool sorts = job.tokens_per_rank() > kSortedFrom;
  pieces.embedding_backward =
      embedding + stream +
      (sorts ? 4.0 * hidden_size<N>(job) * input<N>("t", job.tokens_per_rank()) : N(0.0));
}

}  // namespace

template <typename N>
void add_state(const Job& job, const Stage& stage, Pieces<N>& pieces) {
  const StateRecipe& state = job.state;
  pieces.weights = weight_bytes<N>(job, stage);
  if (job.training) pieces.weights = pieces.weights + weights_beside<N>(job, stage);
  if (stage.frozen_tower > 0 && !job.layout.offload_params) {
    const N tower = input<N>("P_frozen_tower", stage.frozen_tower);
    pieces.weights = pieces.weights + divided<N>(job, 3, tower) * 2.0;
  }
  const RankCounts<N> counts = trainable_counts<N>(job, stage);
  if (!job.full())
    pieces.adapters = divided<N>(job, 3, counts) * input<N>("b_adapter", state.weight);
  add_gradients<N>(job, stage, pieces);
  if (state.master > 0) {
    pieces.master = divided<N>(job, 1, counts) * input<N>("b_master", state.master);
  }
  if (job.ema_bytes > 0) {
    pieces.master = pieces.master + divided<N>(job, 1, counts) * input<N>("b_ema", job.ema_bytes);
  }
  pieces.moments = moment_bytes<N>(job, stage);
  if (job.paged_bytes > 0) {
    pieces.host_moments = std::min(job.paged_bytes, std::floor(value_of(pieces.moments)));
    pieces.moments = pieces.moments - input<N>("paged_to_host", pieces.host_moments);
  }
  if (job.full() && job.state.autocast_cache > 0) {
    add_autocast_copies<N>(job, stage, pieces);
  } else {
    pieces.autocast_cache = low_precision_copies<N>(job, stage);
    pieces.cache_loss_backward = pieces.cache_block = pieces.autocast_cache;
  }
  pieces.workspaces = input<N>("workspaces", job.overheads.workspace_bytes);
  add_unpacked<N>(job, stage, pieces);
  pieces.step_transient = step_transient<N>(job, stage);
  add_end_of_backward<N>(job, stage, pieces);
  if (!job.layout.offload_optimizer) return;
  pieces.master = 0.0;
  pieces.moments = 0.0;
  if (job.layout.stage() < 2) {
    pieces.gradients_final = pieces.gradients;
    return;
  }
  // Gradients leave for the host as buckets fill, so a quarter is in flight and none wait here.
  pieces.gradients_final =
      input<N>("offload_share", job.constants->value("offload.gradient_share")) *
      pieces.gradients_final;
  pieces.gradients_persist_step1 = false;
  pieces.gradients_persist = keeps_whole_gradients(job);
}

double trainable_per_rank(const Job& job, const Stage& stage) {
  const RankCounts<double> counts = trainable_counts<double>(job, stage);
  return counts.dense + counts.expert;
}

template void add_state<double>(const Job&, const Stage&, Pieces<double>&);
template void add_state<Traced>(const Job&, const Stage&, Pieces<Traced>&);

}  // namespace sizesheet
