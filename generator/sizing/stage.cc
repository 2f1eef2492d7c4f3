// SPDX-License-Identifier: Apache-2.0
#include "sizing/stage.h"

#include <algorithm>

namespace sizesheet {
namespace {

/// With more tensor-parallel ranks than key-value heads, each rank holds one head of its own copy.
Block on_ranks(const Block& block, std::int64_t tp) {
  if (!block.attention || block.attention->latent || block.attention->kv_heads >= tp) return block;
  Block repeated = block;
  repeated.attention->kv_heads = tp;
  return repeated;
}

void add_blocks(const Block& block, std::int64_t count, std::vector<StageKind>& kinds) {
  const auto same = [&](const StageKind& kind) { return kind.block == block; };
  const auto found = std::find_if(kinds.begin(), kinds.end(), same);
  if (found != kinds.end()) {
    found->count += count;
  } else {
    kinds.push_back({block, count, {}});
  }
}

/// Blocks [from, from + count) of the model, joined by kind.
void add_range(const Architecture& model, std::int64_t tp, std::int64_t from, std::int64_t count,
               std::vector<StageKind>& kinds) {
  std::int64_t start = 0;
  for (const BlockRun& run : model.runs) {
    const std::int64_t low = std::max(start, from);
    const std::int64_t high = std::min(start + run.count, from + count);
    if (low < high) add_blocks(on_ranks(run.block, tp), high - low, kinds);
    start += run.count;
  }
}

void add_kind(const Architecture& model, StageKind& kind, Stage& stage) {
  kind.split = split_parameters(model, kind.block);
  const double count = static_cast<double>(kind.count);
  stage.matrix += count * static_cast<double>(kind.split.matrix);
  stage.matrix_bias += count * static_cast<double>(kind.split.matrix_bias);
  stage.replicated += count * static_cast<double>(kind.split.replicated);
  stage.expert += count * static_cast<double>(kind.split.expert);
  stage.norms += count * static_cast<double>(kind.block.norms * final_norm_parameters(model));
  for (const Linear& linear : linears(model, kind.block)) {
    const double copies = count * static_cast<double>(linear.copies);
    stage.rows += copies * static_cast<double>(linear.out);
    stage.columns += copies * static_cast<double>(linear.in);
    if (linear.name == Projection::kRouter) continue;
    const double size = static_cast<double>(linear.in) * static_cast<double>(linear.out);
    stage.largest_matrix = std::max(stage.largest_matrix, size);
  }
}

void add_root(const Job& job, Stage& stage) {
  const Architecture& model = *job.model;
  const double embedding = static_cast<double>(embedding_parameters(model));
  const double copied = model.tied_head ? static_cast<double>(model.vocab * model.hidden) : 0;
  const double head = static_cast<double>(head_parameters(model)) + copied;
  const double norm = static_cast<double>(final_norm_parameters(model));
  const bool copy_of_tied = model.tied_head && !stage.first;
  const bool head_here = stage.last && (!model.tied_head || copy_of_tied);
  const double head_bias = stage.last && !head_here ? head - copied : 0;
  stage.root = (stage.first ? embedding : 0) + (head_here ? head : head_bias);
  stage.root_matrices = (stage.first ? 1 : 0) + (head_here ? 1 : 0);
  if (stage.last) {
    stage.replicated += norm;
    stage.norms += norm;
  }
  const bool tied_trained = model.tied_head && job.trained_whole.contains("lm_head");
  if (stage.first && (job.trained_whole.contains("embed_tokens") || tied_trained)) {
    stage.trained_root += embedding;
  }
  if (head_here && job.trained_whole.contains("lm_head")) stage.trained_root += head;
  if (job.trained_whole.contains("norm")) stage.trained_replicated = stage.norms;
}

/// The stage's blocks as a model of its own, to count adapters on it.
AdapterCounts stage_adapters(const Job& job, const Stage& stage) {
  Architecture part = *job.model;
  part.runs.clear();
  for (const StageKind& kind : stage.kinds) part.runs.push_back({kind.block, kind.count});
  return count_adapters(part, job.adapters, stage.first, stage.last);
}

}  // namespace

double micro_batches_in_flight(const Layout& layout, std::int64_t grad_accum, std::int64_t stage) {
  if (layout.pp == 1) return 1;
  const std::int64_t after = layout.pp - stage - 1;
  if (layout.vpp == 1) return static_cast<double>(std::min(grad_accum, after + 1));
  const std::int64_t chunks = 2 * after + (layout.vpp - 1) * layout.pp + 1;
  return static_cast<double>(std::min(grad_accum * layout.vpp, chunks)) /
         static_cast<double>(layout.vpp);
}

std::vector<Stage> stages_of(const Job& job) {
  const Layout& layout = job.layout;
  const std::int64_t chunks = layout.pp * layout.vpp;
  const std::int64_t chunk = (job.model->layers() + chunks - 1) / chunks;
  std::vector<Stage> stages;
  for (std::int64_t index = 0; index < layout.pp; ++index) {
    Stage stage;
    stage.index = index;
    stage.first = index == 0;
    stage.last = index == layout.pp - 1;
    stage.in_flight = micro_batches_in_flight(layout, job.grad_accum, index);
    for (std::int64_t turn = 0; turn < layout.vpp; ++turn) {
      add_range(*job.model, layout.tp, (turn * layout.pp + index) * chunk, chunk, stage.kinds);
    }
    for (StageKind& kind : stage.kinds) add_kind(*job.model, kind, stage);
    add_root(job, stage);
    if (!job.full()) stage.adapters = stage_adapters(job, stage);
    stages.push_back(std::move(stage));
  }
  return stages;
}

}  // namespace sizesheet
