// SPDX-License-Identifier: Apache-2.0
// Vision towers: as an entry of the catalog says one, and as published configs do. Each kind's
// count follows the modelling code of its family (huggingface/transformers
// src/transformers/models/<type>; Kimi-K2.5, MiniMax-M3 and Step 3.7: NVIDIA-NeMo/Automodel
// nemo_automodel/components/models) and is met by a published total.
#pragma once

#include <cstdint>
#include <optional>

#include "support/json.h"

namespace sizesheet {

/// A vision tower, a transformer over the patches of an image, and the projector that maps what it
/// sees to the width of the language model. Counts, widths and pixels.
struct Tower {
  std::int64_t hidden_size = 0;
  std::int64_t intermediate_size = 0;
  std::int64_t num_hidden_layers = 0;
  std::int64_t num_attention_heads = 0;
  std::int64_t patch_size = 0;    ///< pixels of a side
  std::int64_t merge_size = 1;    ///< patches of a side that become one token of text
  std::int64_t image_size = 0;    ///< every image is brought to this side; 0: it keeps its own
  std::int64_t least_pixels = 0;  ///< a smaller image is enlarged to them
  std::int64_t most_pixels = 0;   ///< a larger one is shrunk to them; 0: none is
  std::int64_t temporal_patch_size = 1;
  std::int64_t position_rows = 0;  ///< of the trained table, the class token's among them
  std::int64_t norms_per_layer = 2;
  std::int64_t outer_norms = 0;  ///< before and behind the layers
  bool gated_mlp = false;
  bool linear_bias = true;
  bool norm_bias = true;  ///< LayerNorm; false: RMSNorm
  bool patch_bias = false;
  bool class_token = false;
  bool qk_norm = false;
  bool layer_scale = false;
  std::int64_t projector_parameters = 0;

  bool operator==(const Tower&) const = default;
};
BOOST_DESCRIBE_STRUCT(Tower, (),
                      (hidden_size, intermediate_size, num_hidden_layers, num_attention_heads,
                       patch_size, merge_size, image_size, least_pixels, most_pixels,
                       temporal_patch_size, position_rows, norms_per_layer, outer_norms, gated_mlp,
                       linear_bias, norm_bias, patch_bias, class_token, qk_norm, layer_scale,
                       projector_parameters))

/// The tower that an entry's "vision" says, else the one of a published "vision_config"; nullopt
/// where there is none, and where the model type's towers are not counted.
std::optional<Tower> read_tower(ObjectReader& reader, std::int64_t text_hidden);

/// The members of a tower that are not as most towers have them, in their order.
Json tower_json(const Tower& tower);

}  // namespace sizesheet
