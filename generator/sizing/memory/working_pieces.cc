// SPDX-License-Identifier: Apache-2.0
#include "sizing/memory/working_pieces.h"

#include <algorithm>

#include "catalog/models/architecture.h"
#include "sizing/job/job.h"
#include "sizing/memory/adapted_base.h"
#include "sizing/memory/mixers.h"
#include "sizing/memory/pieces.h"
#include "sizing/memory/sublayers.h"
#include "sizing/memory/tower.h"
#include "sizing/model/adapters.h"
#include "sizing/model/parameters.h"
#include "support/named.h"
#include "support/trace.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

/// Bytes per gathered parameter: packed for a quantised base, else the compute dtype.
double gathered_width(const Job& job, bool expert) {
  if (!job.quantised() && job.base != BaseDtype::kFp8) return 2;
  return expert ? expert_base_bytes(job) : base_bytes(job);
}

/// One block as FSDP gathers it; experts only where they are sharded at all.
template <typename N>
N unit_bytes(const Job& job, const StageKind& kind) {
  const N dense = input<N>("P_unit", as_double(kind.split.matrix)) / tensor_parallel<N>(job) +
                  input<N>("P_unit_norms", as_double(kind.split.replicated));
  N bytes = dense * input<N>("b_gathered", gathered_width(job, false));
  if (kind.split.expert > 0 && job.layout.expert_shard_ranks() > 1) {
    bytes = bytes + input<N>("P_unit_experts", as_double(kind.split.expert)) /
                        expert_split<N>(job) *
                        input<N>("b_gathered_experts", gathered_width(job, true));
  }
  return bytes;
}

/// FSDP reduces the root's gradient when the embedding's has arrived, after the last block. While
/// blocks run backward the head's alone is there, unsharded.
template <typename N>
void add_root_gradients(const Job& job, double gathered, const N& one, Pieces<N>& pieces) {
  // A whole gradient in 16 bits takes in what the next micro-batch adds.
  if (keeps_whole_gradients(job) && !job.layout.reduce_fp32) {
    pieces.head_gradient_left = 0.0;
    return;
  }
  if (job.constants->value("fsdp.root_gradient_waits") == 0) {
    pieces.root_gradients = gathered * one * 2.0;
    return;
  }
  pieces.root_gradients = one * 2.0;
  pieces.root_gradients_late = (gathered - 1.0) * one * 2.0;
  pieces.head_gradient_left = 0.0;
  if (job.optimizer_in_backward || job.layout.offload_optimizer) return;
  pieces.root_shard = gathered * one * input<N>("b_gradient", job.state.gradient) /
                      input<N>("S", as_double(job.layout.shard_ranks()));
}

/// Embedding and head: gathered for good, or the head for the loss only.
template <typename N>
void add_root(const Job& job, const Stage& stage, Pieces<N>& pieces) {
  if (stage.root_matrices == 0) return;
  const double width = job.quantised() && job.kbit_prep ? 4 : 2;
  const double gathered = std::min(as_double(job.layout.root_gathered), stage.root_matrices);
  const N one =
      input<N>("P_root_matrix", stage.root / stage.root_matrices) / tensor_parallel<N>(job);
  if (gathered > 0) {
    pieces.root = gathered * one * width;
  } else if (stage.last) {
    pieces.head_gather = stage.root_matrices * one * width;
  }
  if (job.full() && gathered > 0) add_root_gradients<N>(job, gathered, one, pieces);
}

/// DeepSpeed's ZeRO-3 gathers and releases parameter by parameter and keeps up to a fixed number
/// alive; nothing stays gathered for the whole step.
template <typename N>
void add_live_parameters(const Job& job, const Stage& stage, Pieces<N>& pieces) {
  const double all = stage.matrix + stage.replicated + stage.root + stage.expert;
  const N live = smaller(input<N>("live_parameters", job.state.live_parameters),
                         input<N>("P_all", all) / tensor_parallel<N>(job)) *
                 input<N>("b_gathered", gathered_width(job, false));
  pieces.gathered = larger(pieces.unit, live);
  pieces.gathered_last = pieces.gathered;
  pieces.head_gather = pieces.gathered;
  if (stage.last && stage.root_matrices > 0 && job.constants->value("zero3.gathers_head") != 0) {
    // The head is fetched beside the blocks that wait to be used again in backward.
    pieces.head_gather =
        pieces.gathered +
        2.0 * input<N>("P_root_matrix", stage.root / stage.root_matrices) / tensor_parallel<N>(job);
  }
  if (job.full()) pieces.unsharded_gradients = pieces.unit;
}

/// Blocks [from, from + count) of the model, joined by kind.
void add_range(const Architecture& model, std::int64_t tp, std::int64_t from, std::int64_t count,
               std::vector<StageKind>& kinds) {
  std::int64_t start = 0;
  for (const BlockRun& run : model.runs) {
    const std::int64_t low = std::max(start, from);
    const std::int64_t high = std::min(start + run.count, from + count);
    start += run.count;
    if (low >= high) continue;
    Block block = run.block;
    // With more tensor-parallel ranks than key-value heads, each rank holds one head of its own
    // copy.
    if (block.attention && !block.attention->latent) {
      block.attention->kv_heads = std::max(block.attention->kv_heads, tp);
    }
    const auto known = std::ranges::find(kinds, block, &StageKind::block);
    if (known == kinds.end()) {
      kinds.push_back({block, high - low, {}});
    } else {
      known->count += high - low;
    }
  }
}

/// Parameters of the blocks [from, from + count) that the checkpoint keeps in 16 bits.
double skipped_parameters(const Job& job, std::int64_t from, std::int64_t count) {
  double found = 0;
  std::int64_t layer = 0;
  for (const BlockRun& run : job.model->runs) {
    for (std::int64_t i = 0; i < run.count; ++i, ++layer) {
      const auto skipped = job.skipped.find(layer);
      if (layer < from || layer >= from + count || skipped == job.skipped.end()) continue;
      for (const Linear& linear : linears(*job.model, run.block)) {
        if (skipped->second.contains(linear.name)) found += as_double(linear.parameters());
      }
    }
  }
  return found;
}

void add_kind(const Architecture& model, StageKind& kind, Stage& stage) {
  kind.split = split_parameters(model, kind.block);
  const double count = as_double(kind.count);
  stage.matrix += count * as_double(kind.split.matrix);
  stage.matrix_bias += count * as_double(kind.split.matrix_bias);
  stage.replicated += count * as_double(kind.split.replicated);
  stage.expert += count * as_double(kind.split.expert);
  stage.norms += count * as_double(kind.block.norms * final_norm_parameters(model));
  for (const Linear& linear : linears(model, kind.block)) {
    const double copies = count * as_double(linear.copies);
    stage.rows += copies * as_double(linear.out);
    stage.columns += copies * as_double(linear.in);
    if (linear.name == Projection::kRouter) continue;
    const double size = as_double(linear.in) * as_double(linear.out);
    stage.largest_matrix = std::max(stage.largest_matrix, size);
    if (linear.name == Projection::kDown) {
      stage.last_matrix = size * (linear.expert ? as_double(linear.copies) : 1);
    }
  }
}

void add_root(const Job& job, Stage& stage) {
  const Architecture& model = *job.model;
  const double embedding = as_double(embedding_parameters(model));
  const double copied = model.tied_head ? as_double(model.vocab * model.hidden) : 0;
  const double head = as_double(head_parameters(model)) + copied;
  const double norm = as_double(final_norm_parameters(model));
  const bool copy_of_tied = model.tied_head && !stage.first;
  const bool head_here = stage.last && (!model.tied_head || copy_of_tied);
  const double head_bias = stage.last && !head_here ? head - copied : 0;
  stage.root = (stage.first ? embedding : 0) + (head_here ? head : head_bias);
  stage.root_matrices = (stage.first ? 1 : 0) + (head_here && !model.scores ? 1 : 0);
  if (stage.last) {
    stage.replicated += norm;
    stage.norms += norm;
  }
  const bool tied_trained = model.tied_head && job.trained_whole.contains("lm_head");
  if (stage.first && (job.trained_whole.contains("embed_tokens") || tied_trained)) {
    stage.trained_root += embedding;
  }
  if (head_here && job.trained_whole.contains("lm_head")) stage.trained_root += head;
  if (stage.first) stage.trained_root += as_double(job.token_indices * model.hidden);
  if (job.trained_whole.contains("norm")) stage.trained_replicated = stage.norms;
}

/// Micro-batches in flight on a stage. 1F1B: min(m, pp - stage). Interleaved (vpp chunks): the
/// warm-up chunks of Megatron-LM's schedule plus one, min(m * vpp, 2 (pp - stage - 1) + (vpp - 1)
/// pp + 1) / vpp.
double micro_batches_in_flight(const Layout& layout, std::int64_t grad_accum, std::int64_t stage) {
  if (layout.pp == 1) return 1;
  const std::int64_t after = layout.pp - stage - 1;
  if (layout.vpp == 1) return as_double(std::min(grad_accum, after + 1));
  const std::int64_t chunks = 2 * after + (layout.vpp - 1) * layout.pp + 1;
  return as_double(std::min(grad_accum * layout.vpp, chunks)) / as_double(layout.vpp);
}

/// DoRA builds the whole product of its two factors to take the norm of the updated weight.
template <typename N>
N magnitude_workspace(const Job& job, const Stage& stage) {
  if (!job.adapters.magnitudes || job.full()) return 0.0;
  double largest = 0;
  for (const StageKind& kind : stage.kinds) {
    for (const Linear& linear : linears(*job.model, kind.block)) {
      if (linear.expert || !job.adapters.targets.contains(linear.name)) continue;
      const double in = as_double(linear.in);
      largest = std::max(largest, in * in + 2 * in * as_double(linear.out));
    }
  }
  const double width = job.adapter_dtype == AdapterDtype::kBf16 ? 2 : 4;
  return width * input<N>("dora_elements", largest) / tensor_parallel<N>(job);
}

}  // namespace

// ---- What sharding gathers, and communication buckets.

template <typename N>
void add_working_set(const Job& job, const Stage& stage, Pieces<N>& pieces) {
  const Layout& layout = job.layout;
  if (layout.bucket_elements > 0) {
    pieces.buckets = input<N>("bucket_elements", layout.bucket_elements) *
                     input<N>("b_bucket", job.constants->value("bucket.bytes_per_element"));
  }
  if (layout.shard != Shard::kZero3 || layout.shard_ranks() <= 1) return;
  const StageKind& widest =
      *std::ranges::max_element(stage.kinds, [&](const StageKind& a, const StageKind& b) {
        return unit_bytes<double>(job, a) < unit_bytes<double>(job, b);
      });
  pieces.unit = step<N>("unit", unit_bytes<N>(job, widest));
  if (job.constants->value("loss.unit_gathered") != 0) pieces.loss_unit = pieces.unit;
  if (job.state.live_parameters > 0) return add_live_parameters<N>(job, stage, pieces);
  pieces.gathered = input<N>("gather_units", layout.gather_units) * pieces.unit;
  const double at_last = job.constants->value("end_backward.gather_units");
  pieces.gathered_last =
      input<N>("gather_units_last", std::min(layout.gather_units, at_last)) * pieces.unit;
  if (job.full()) {
    pieces.unsharded_gradients = pieces.unit + (layout.reduce_fp32 ? 2.0 : 1.0) * pieces.unit;
  }
  add_root<N>(job, stage, pieces);
}

template void add_working_set<double>(const Job&, const Stage&, Pieces<double>&);
template void add_working_set<Traced>(const Job&, const Stage&, Pieces<Traced>&);

LayerRange chunk_range(const Job& job, std::int64_t chunk) {
  const Layout& layout = job.layout;
  const std::int64_t chunks = layout.pp * layout.vpp;
  const std::int64_t layers = job.model->layers();
  if (layout.first_layers == 0 && layout.last_layers == 0) {
    const std::int64_t each = (layers + chunks - 1) / chunks;
    return {chunk * each, each};
  }
  const std::int64_t given = (layout.first_layers > 0 ? 1 : 0) + (layout.last_layers > 0 ? 1 : 0);
  const std::int64_t each =
      chunks == given ? 0 : (layers - layout.first_layers - layout.last_layers) / (chunks - given);
  const std::int64_t first = layout.first_layers > 0 ? layout.first_layers : each;
  if (chunk == 0) return {0, first};
  const std::int64_t from = first + (chunk - 1) * each;
  return {from, chunk == chunks - 1 ? layers - from : each};
}

double largest_of(const Stage& stage, std::int64_t SplitCounts::*parameters) {
  double largest = 0;
  for (const StageKind& kind : stage.kinds) {
    largest = std::max(largest, as_double(kind.split.*parameters));
  }
  return largest;
}

std::vector<Stage> stages_of(const Job& job) {
  const Layout& layout = job.layout;
  std::vector<Stage> stages;
  for (std::int64_t index = 0; index < layout.pp; ++index) {
    Stage stage;
    stage.index = index;
    stage.first = index == 0;
    stage.last = index == layout.pp - 1;
    stage.in_flight = micro_batches_in_flight(layout, job.grad_accum, index);
    for (std::int64_t turn = 0; turn < layout.vpp; ++turn) {
      LayerRange range = chunk_range(job, turn * layout.pp + index);
      if (stage.last && turn == layout.vpp - 1) range.count += job.model->kept_predictions();
      add_range(*job.model, layout.tp, range.from, range.count, stage.kinds);
      if (!job.skipped.empty()) stage.skipped += skipped_parameters(job, range.from, range.count);
    }
    for (StageKind& kind : stage.kinds) add_kind(*job.model, kind, stage);
    add_root(job, stage);
    if (stage.first) {
      const TowerState tower = tower_state(job);
      stage.frozen_tower = tower.frozen;
      stage.trained_tower = tower.trained;
    }
    if (!job.full()) {
      // The stage's blocks as a model of its own, to count adapters on it.
      Architecture part = *job.model;
      part.runs.clear();
      for (const StageKind& kind : stage.kinds) part.runs.push_back({kind.block, kind.count});
      stage.adapters = count_adapters(part, job.adapters, stage.first, stage.last);
    }
    stages.push_back(std::move(stage));
  }
  return stages;
}

// ---- What a stage keeps for backward.

namespace {

/// Bytes per element of the hidden state behind the last block. Eager norms keep their input in
/// fp32. What trains keeps more: the norm its result before the weight, the head its input.
double final_norm_bytes(const Job& job) {
  if (!job.counts_tensors()) return job.fused_ops ? 4 : 6;
  // Earlier versions of transformers hold the head's input in the outputs that they return.
  if (!job.full()) return job.head_trains() || !job.drops_outputs() ? 6 : 4;
  return 4 + norm_output_bytes(job) + (job.trains_under_autocast() ? 2 : 0);
}

/// With full recompute one GPU peaks in the loss, on an allocator that keeps its segments:
/// transformers' plain loss, whose 16-bit logits are gone by then.
bool leaves_segments_idle(const Job& job) {
  return job.constants->value("allocator.idle_logits") != 0 && job.counts_tensors() &&
         job.recompute == Recompute::kFull && job.recompute_layers == 0 && job.layout.gpus() == 1 &&
         job.packed && !job.layout.expandable_segments && job.loss.starts_with("trainer") &&
         !job.loss.ends_with("inplace");
}

/// Per token, what the forward pass of a layer took before: widest where its projection back runs.
template <typename N>
N idle_layer_bytes(const Job& job, const Stage& stage) {
  N widest = 0.0;
  int number = 0;
  for (const StageKind& kind : stage.kinds) {
    const BlockScope<N> scope(job, kind.block, number++);
    N block = 0.0;
    if (kind.block.mlp) {
      const bool adapted = job.adapters.targets.contains(Projection::kDown) &&
                           job.adapter_dtype == AdapterDtype::kFp32Autocast;
      block = (adapted ? 14.0 : 8.0) * scope.in("f", kind.block.mlp->width);
    }
    if (kind.block.moe) {
      const Moe& moe = *kind.block.moe;
      block = larger(
          block, scope.in("k", moe.experts_per_token) *
                     (6.0 * hidden_size<N>(job) + 4.0 * scope.in("f_expert", moe.expert_width)));
    }
    if (job.attention == AttentionKernel::kEager && kind.block.attention) {
      const double each = job.model->model_type == "gpt_oss" ? 6 : 12;
      block = larger(block, each * scope.in("a", kind.block.attention->heads) *
                                input<N>("s", as_double(job.seq_len)));
    }
    widest = larger(widest, block);
  }
  return widest;
}

}  // namespace

template <typename N>
void add_activations(const Job& job, const Stage& stage, Pieces<N>& pieces) {
  const N t = input<N>("t", job.tokens_per_rank());
  const N h = hidden_size<N>(job);
  const N sp = input<N>("sp", sequence_split(job));
  N kept = 0.0;
  N saved = 0.0;  // of the blocks that are not recomputed, where only some are
  N widest_kept = 0.0;
  N widest = 0.0;
  N temporaries = 0.0;
  int number = 0;
  for (const StageKind& kind : stage.kinds) {
    const BlockActivations<N> block = block_activations<N>(job, kind.block, number);
    const BlockScope<N> scope(job, kind.block, number);
    if (job.recompute == Recompute::kFull && job.recompute_layers > 0) {
      const N again = scope.in("recomputed", job.repeated_share());
      saved = saved + scope.in("L", kind.count) * (1.0 - again) * block.saved;
      kept = kept + scope.in("L", kind.count) * again * block.kept;
    } else {
      kept = kept + scope.in("L", kind.count) * block.kept;
    }
    widest_kept = number == 0 ? block.kept : larger(widest_kept, block.kept);
    widest = number == 0 ? block.rebuilt : larger(widest, block.rebuilt);
    temporaries = number == 0 ? block.transient : larger(temporaries, block.transient);
    ++number;
  }
  kept = kept + saved;
  if (job.model->per_layer_vocab > 0) {
    // Every layer's embedding of each token lives until that layer's backward, before and behind
    // the norm.
    kept = kept + 4.0 * input<N>("per_layer", as_double(job.model->per_layer_columns()));
  }
  if (stage.in_flight != 1) kept = kept * input<N>("in_flight", stage.in_flight);
  if (job.activation_offload) {
    // An offloading hook leaves the two widest blocks in flight on the GPU.
    const N stays = smaller(kept, 2.0 * widest_kept);
    pieces.host_activations = (kept - stays) * t;
    kept = stays;
  }
  if (stage.first && job.constants->value("activation.embedding_output") != 0) {
    kept = kept + checkpoint_bytes<N>(job);
  }
  if (job.layout.fsdp_reentrant) {
    // The last block's is not there yet, and the first one's is in the block's own working set.
    std::int64_t others = -2;
    for (const StageKind& kind : stage.kinds) others += kind.count;
    others = std::max<std::int64_t>(0, others);
    pieces.held = input<N>("L_held", as_double(others)) * checkpoint_bytes<N>(job) * t;
  }
  if (stage.last) kept = kept + final_norm_bytes(job) * h / sp;
  pieces.kept = kept * t;
  if (leaves_segments_idle(job)) {
    pieces.idle_logits = 2.0 * input<N>("V", as_double(job.model->vocab)) * t;
    pieces.idle_layer = idle_layer_bytes<N>(job, stage) * t;
  }
  pieces.temporaries = temporaries * t + magnitude_workspace<N>(job, stage);
  if (job.recompute == Recompute::kNone) return;
  // Blocks that keep everything run backward first; what they held is free when one is rebuilt.
  pieces.block = value_of(saved) > 0 ? larger(N(0.0), (widest - saved) * t) : widest * t;
}

template void add_activations<double>(const Job&, const Stage&, Pieces<double>&);
template void add_activations<Traced>(const Job&, const Stage&, Pieces<Traced>&);

}  // namespace sizesheet
