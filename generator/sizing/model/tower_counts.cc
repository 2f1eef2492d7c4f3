// SPDX-License-Identifier: Apache-2.0
#include "sizing/model/tower_counts.h"

#include <algorithm>
#include <cmath>

#include "catalog/models/architecture.h"
#include "catalog/models/tower.h"
#include "sizing/model/parameters.h"
#include "support/whole_numbers.h"

namespace sizesheet {

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

}  // namespace sizesheet
