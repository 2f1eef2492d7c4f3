// SPDX-License-Identifier: Apache-2.0
// The vision tower of a run: its parameters, what an image becomes, and what its layers keep. The
// tower stands whole on every rank of the first pipeline stage.

#include <algorithm>
#include <cmath>

#include "sizing/memory/pieces.h"

namespace sizesheet {
namespace {

/// The layers of a tower as a model of its own that knows no words.
Architecture tower_layers(const Tower& tower) {
  Attention attention;
  attention.heads = attention.kv_heads = tower.num_attention_heads;
  attention.head_dim = tower.hidden_size / tower.num_attention_heads;
  attention.qkv_bias = attention.output_bias = tower.linear_bias;
  if (tower.qk_norm) attention.qk_norm = "per_head";
  Block block;
  block.attention = attention;
  block.mlp = Mlp{tower.intermediate_size, tower.gated_mlp, tower.linear_bias};
  block.norms = tower.norms_per_layer;
  Architecture layers;
  layers.hidden = tower.hidden_size;
  layers.learned_positions = tower.position_rows;
  layers.layer_norm = layers.norm_bias = tower.norm_bias;
  layers.runs = {{block, tower.num_hidden_layers}};
  return layers;
}

}  // namespace

std::int64_t patch_parameters(const Tower& tower) {
  return 3 * tower.temporal_patch_size * tower.patch_size * tower.patch_size * tower.hidden_size;
}

TowerCounts count_tower(const Tower& tower) {
  const Architecture layers = tower_layers(tower);
  const std::int64_t w = tower.hidden_size;
  const std::int64_t beside = (tower.patch_bias ? w : 0) + (tower.class_token ? w : 0) +
                              (tower.layer_scale ? 2 * w * tower.num_hidden_layers : 0);
  // As a model of its own the layers have one norm behind them.
  const std::int64_t norms = (tower.outer_norms - 1) * final_norm_parameters(layers);
  return {count_parameters(layers).total() + norms + patch_parameters(tower) + beside,
          tower.projector_parameters};
}

ImageSize image_size(const Tower& tower, std::int64_t height, std::int64_t width) {
  if (tower.image_size > 0) {
    const std::int64_t side = tower.image_size / tower.patch_size;
    const std::int64_t tokens = side / tower.merge_size;
    return {side * side + (tower.class_token ? 1 : 0), tokens * tokens};
  }
  const double high = as_double(height);
  const double wide = as_double(width);
  const double edge = as_double(tower.patch_size * tower.merge_size);
  const auto sides = [&](double shrink, double (*round)(double)) {
    return std::pair{std::max(1.0, round(high / shrink / edge)),
                     std::max(1.0, round(wide / shrink / edge))};
  };
  auto [rows, columns] = sides(1, std::nearbyint);
  const double pixels = rows * columns * edge * edge;
  if (tower.most_pixels > 0 && pixels > as_double(tower.most_pixels)) {
    std::tie(rows, columns) =
        sides(std::sqrt(high * wide / as_double(tower.most_pixels)), std::floor);
  } else if (pixels < as_double(tower.least_pixels)) {
    std::tie(rows, columns) =
        sides(std::sqrt(high * wide / as_double(tower.least_pixels)), std::ceil);
  }
  const auto tokens = static_cast<std::int64_t>(rows * columns);
  return {tokens * tower.merge_size * tower.merge_size, tokens};
}

TowerState tower_state(const Job& job) {
  if (!job.vision) return {};
  const TowerCounts counts = count_tower(*job.model->tower);
  const TowerTraining training = job.vision->training;
  const double all = as_double(counts.total());
  const double trained = training == TowerTraining::kWhole       ? all
                         : training == TowerTraining::kProjector ? as_double(counts.projector)
                                                                 : 0;
  // Beside adapters a trained module is a copy, and the frozen one stays.
  return {job.full() ? all - trained : all, trained};
}

Job tower_job(const Job& job) {
  Job tower = trained_in_16_bits(job);
  tower.model = std::make_shared<const Architecture>(tower_layers(*job.model->tower));
  tower.kbit_prep = false;
  tower.recompute_layers = 0;
  // Torch has LayerNorm as one kernel, which keeps what a fused one keeps.
  tower.fused_ops = job.fused_ops || job.model->tower->norm_bias;
  tower.layout = Layout{};
  tower.seq_len = std::max<std::int64_t>(1, job.vision->each.patches);
  tower.sample_length.reset();
  tower.samples.reset();
  return tower;
}

template <typename N>
void add_tower_activations(const Job& job, const Stage& stage, Pieces<N>& pieces) {
  const Vision& vision = *job.vision;
  const N t = input<N>("t_patches", patches_per_rank(job));
  const N w = input<N>("w_tower", as_double(job.model->tower->hidden_size));
  // Frozen in front of everything that trains, a tower builds no graph: its output stays. The
  // projector's middle is taken to be as wide as what it reads, before and behind its activation.
  N kept = (vision.training == TowerTraining::kFrozen ? 2.0 : 6.0) * w;
  if (vision.training == TowerTraining::kWhole) {
    const Job tower = tower_job(job);
    const auto layer = block_activations<double>(tower, tower.model->runs.front().block, 0);
    kept = kept + input<N>("L_tower", as_double(job.model->tower->num_hidden_layers)) *
                      input<N>("kept_tower", layer.kept);
    pieces.temporaries =
        larger(pieces.temporaries, input<N>("transient_tower", layer.transient) * t);
    if (job.recompute != Recompute::kNone) {
      pieces.block = larger(pieces.block, input<N>("rebuilt_tower", layer.rebuilt) * t);
    }
  }
  if (stage.in_flight != 1) kept = kept * input<N>("in_flight", stage.in_flight);
  pieces.kept = pieces.kept + kept * t;
}

template void add_tower_activations<double>(const Job&, const Stage&, Pieces<double>&);
template void add_tower_activations<Traced>(const Job&, const Stage&, Pieces<Traced>&);

}  // namespace sizesheet
