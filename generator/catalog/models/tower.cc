// SPDX-License-Identifier: Apache-2.0
#include "catalog/models/tower.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "catalog/files/entry.h"
#include "catalog/files/loader.h"
#include "catalog/models/families.h"
#include "catalog/models/family_keys.h"
#include "support/described.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kWidest = 1 << 17;

/// A size that has a key of its own, and the most that it may be: no count overflows then.
struct TowerSize {
  const char* key;
  std::int64_t Tower::*member;
  std::int64_t most;
};
constexpr std::array<TowerSize, 9> kSizes{
    {{"hidden_size", &Tower::hidden_size, kWidest},
     {"intermediate_size", &Tower::intermediate_size, kWidest},
     {"num_hidden_layers", &Tower::num_hidden_layers, 1000},
     {"num_attention_heads", &Tower::num_attention_heads, 4096},
     {"patch_size", &Tower::patch_size, 1024},
     {"image_size", &Tower::image_size, 1 << 16},
     {"merge_size", &Tower::merge_size, 16},
     {"temporal_patch_size", &Tower::temporal_patch_size, 64},
     {"position_rows", &Tower::position_rows, 1LL << 32}}};

/// Where the sizes of a tower stand in a published config.
struct TowerPlace {
  FamilyKeys& keys;     ///< of its vision_config
  ObjectReader& whole;  ///< the config around it
  std::int64_t text;    ///< hidden size of the language model

  std::int64_t number(const char* key, std::int64_t usual) {
    return keys.integer_or(key, usual, {1, kWidest});
  }
};

/// Two matrices with biases, one behind the other.
std::int64_t two_linears(std::int64_t in, std::int64_t middle, std::int64_t out) {
  return in * middle + middle + middle * out + out;
}

/// Width of the patches that become one token, one behind the other.
std::int64_t merged(const Tower& tower) {
  return tower.hidden_size * tower.merge_size * tower.merge_size;
}

/// What the keys that all kinds share do not say: sizes that follow, and the projector.
using Finish = void (*)(TowerPlace place, Tower& tower);

void finish_clip(TowerPlace place, Tower& tower) {
  tower.projector_parameters = two_linears(tower.hidden_size, place.text, place.text);
  // Of one row that ends each line of tiles.
  if (place.whole.raw("model_type") == "llava_next") tower.projector_parameters += place.text;
}

void finish_gemma3(TowerPlace place, Tower& tower) {
  const auto tokens = place.whole.integer_or("mm_tokens_per_image", 256, {1, kWidest});
  const double ratio = static_cast<double>(tower.position_rows) / static_cast<double>(tokens);
  tower.merge_size = std::max<std::int64_t>(1, std::llround(std::sqrt(ratio)));
  tower.projector_parameters = tower.hidden_size * (1 + place.text);
}

void finish_paligemma(TowerPlace place, Tower& tower) {
  tower.projector_parameters = (tower.hidden_size + 1) * place.text;
}

void finish_idefics3(TowerPlace place, Tower& tower) {
  tower.merge_size = place.whole.integer_or("scale_factor", 2, {1, 16});
  tower.projector_parameters = merged(tower) * place.text;
}

/// A norm and two linears behind the last layer.
void finish_qwen25(TowerPlace place, Tower& tower) {
  tower.projector_parameters = tower.hidden_size * (tower.norm_bias ? 2 : 1) +
                               two_linears(merged(tower), merged(tower), place.text);
}

/// Its hidden_size is that of the text.
void finish_qwen2(TowerPlace place, Tower& tower) {
  tower.hidden_size = place.number("embed_dim", 1280);
  tower.intermediate_size = tower.hidden_size * place.keys.integer_or("mlp_ratio", 4, {1, 64});
  finish_qwen25(place, tower);
}

/// Other mergers hand what earlier layers see to the text's.
void finish_qwen3(TowerPlace place, Tower& tower) {
  finish_qwen25(place, tower);
  const Json& deep = place.keys.raw("deepstack_visual_indexes");
  const std::int64_t more = deep.is_array() ? std::min<std::int64_t>(std::ssize(deep), 1000) : 0;
  const std::int64_t wide = merged(tower);
  tower.projector_parameters += more * (2 * wide + two_linears(wide, wide, place.text));
}

void finish_gemma4(TowerPlace place, Tower& tower) {
  tower.position_rows *= 2;  // a row of each axis
  tower.projector_parameters = tower.hidden_size * place.text;
}

void finish_kimi(TowerPlace place, Tower& tower) {
  tower.position_rows =
      place.number("init_pos_emb_height", 64) * place.number("init_pos_emb_width", 64);
  finish_qwen25(place, tower);
}

void finish_llama4(TowerPlace place, Tower& tower) {
  const std::int64_t in = place.number("projector_input_dim", 4096);
  const std::int64_t out = place.number("projector_output_dim", 4096);
  tower.projector_parameters = merged(tower) * in + in * out + out * place.text;
}

void finish_pixtral(TowerPlace place, Tower& tower) {
  tower.most_pixels = tower.image_size * tower.image_size;
  tower.image_size = 0;
  tower.merge_size = place.whole.integer_or("spatial_merge_size", 2, {1, 16});
  tower.projector_parameters = tower.hidden_size + merged(tower) * tower.hidden_size +
                               (tower.hidden_size + place.text) * place.text;
}

void finish_minimax(TowerPlace place, Tower& tower) {
  tower.image_size = 0;
  const auto middle = place.whole.integer_or("projector_hidden_size", place.text, {1, kWidest});
  const std::int64_t together = place.text * tower.merge_size * tower.merge_size;
  tower.projector_parameters = two_linears(tower.hidden_size, middle, place.text) +
                               two_linears(together, middle, place.text);
}

/// Two convolutions that halve each side, and a matrix.
void finish_step(TowerPlace place, Tower& tower) {
  const std::int64_t w = tower.hidden_size;
  const double ratio = place.keys.reader().number_or("mlp_ratio", 4, {0.01, 100});
  tower.intermediate_size = std::llround(static_cast<double>(w) * ratio);
  tower.projector_parameters = 9 * w * 2 * w + 2 * w + 72 * w * w + 4 * w + 4 * w * place.text;
}

struct TowerKind {
  std::vector<std::string> model_types;  ///< of the config as a whole
  std::string own_type;                  ///< of its vision_config; "": any
  std::map<std::string, std::string> names;
  Tower usual;
  Finish finish;
  bool squares = false;  ///< has a row for each patch of an image_size, which must be known
};

const std::map<std::string, std::string> kQwenNames = {
    {"num_hidden_layers", "depth"},
    {"num_attention_heads", "num_heads"},
    {"merge_size", "spatial_merge_size"},
    {"position_rows", "num_position_embeddings"}};

const Tower kSiglip{.hidden_size = 1152,
                    .intermediate_size = 4304,
                    .num_hidden_layers = 27,
                    .num_attention_heads = 16,
                    .patch_size = 14,
                    .image_size = 224,
                    .outer_norms = 1,
                    .patch_bias = true};

const Tower kQwen2{.num_hidden_layers = 32,
                   .num_attention_heads = 16,
                   .patch_size = 14,
                   .merge_size = 2,
                   .least_pixels = 56L * 56,
                   .most_pixels = 28L * 28 * 16384,
                   .temporal_patch_size = 2};

const Tower kQwen25 = [] {
  Tower tower = kQwen2;
  tower.hidden_size = 1280;
  tower.intermediate_size = 3420;
  tower.gated_mlp = true;
  tower.norm_bias = false;
  return tower;
}();

const std::vector<TowerKind> kTowerKinds = {
    {{"llava", "llava_next"},
     "clip_vision_model",
     {},
     {.hidden_size = 1024,
      .intermediate_size = 4096,
      .num_hidden_layers = 24,
      .num_attention_heads = 16,
      .patch_size = 14,
      .image_size = 336,
      .outer_norms = 2,
      .class_token = true},
     finish_clip,
     true},
    {{"gemma3"}, "siglip_vision_model", {}, kSiglip, finish_gemma3, true},
    {{"paligemma"}, "siglip_vision_model", {}, kSiglip, finish_paligemma, true},
    {{"idefics3", "smolvlm"}, "", {}, kSiglip, finish_idefics3, true},
    {{"qwen2_vl"}, "", kQwenNames, kQwen2, finish_qwen2},
    {{"qwen2_5_vl"}, "", kQwenNames, kQwen25, finish_qwen25},
    {{"qwen3_vl", "qwen3_vl_moe", "qwen3_5", "qwen3_5_moe"},
     "",
     kQwenNames,
     {.merge_size = 2,
      .least_pixels = 256L * 256,
      .most_pixels = 4096L * 4096,
      .temporal_patch_size = 2,
      .patch_bias = true},
     finish_qwen3},
    {{"gemma4"},
     "gemma4_vision",
     {{"merge_size", "pooling_kernel_size"}, {"position_rows", "position_embedding_size"}},
     {.norms_per_layer = 4,
      .gated_mlp = true,
      .linear_bias = false,
      .norm_bias = false,
      .qk_norm = true},
     finish_gemma4},
    {{"kimi_k25"},
     "",
     {{"hidden_size", "vt_hidden_size"},
      {"intermediate_size", "vt_intermediate_size"},
      {"num_hidden_layers", "vt_num_hidden_layers"},
      {"num_attention_heads", "vt_num_attention_heads"}},
     {.merge_size = 2, .outer_norms = 1, .patch_bias = true},
     finish_kimi},
    {{"llama4"},
     "",
     {},
     {.merge_size = 2, .outer_norms = 2, .class_token = true},
     finish_llama4,
     true},
    {{"mistral3"},
     "pixtral",
     {},
     {.outer_norms = 1, .gated_mlp = true, .linear_bias = false, .norm_bias = false},
     finish_pixtral},
    {{"minimax_m3_vl"},
     "",
     {{"merge_size", "img_token_compression_config/spatial_merge_size"},
      {"temporal_patch_size", "img_token_compression_config/temporal_patch_size"}},
     {.outer_norms = 1},
     finish_minimax},
    {{"step3p7"},
     "",
     {{"hidden_size", "width"}, {"num_hidden_layers", "layers"}, {"num_attention_heads", "heads"}},
     {.merge_size = 4, .outer_norms = 1, .layer_scale = true},
     finish_step,
     true}};

const TowerKind* kind_of(ObjectReader& reader) {
  const Json& type = reader.raw("model_type");
  if (!type.is_string()) return nullptr;
  for (const TowerKind& kind : kTowerKinds) {
    if (contains(kind.model_types, type.get<std::string>())) return &kind;
  }
  return nullptr;
}

/// A config may leave sizes to its class, which are not known here.
bool is_whole(const Tower& tower) {
  return tower.hidden_size > 0 && tower.num_hidden_layers > 0 && tower.num_attention_heads > 0 &&
         tower.patch_size > 0 && tower.intermediate_size > 0;
}

std::optional<Tower> published_tower(ObjectReader& reader, std::int64_t text) {
  const TowerKind* kind = kind_of(reader);
  if (kind == nullptr || !reader.raw("vision_config").is_object()) return std::nullopt;
  ObjectReader inner = reader.object("vision_config");
  const Json& own = inner.raw("model_type");
  if (!kind->own_type.empty() && own != kind->own_type) return std::nullopt;
  const Family family{.names = kind->names};
  FamilyKeys keys(inner, family);
  Tower tower = kind->usual;
  for (const TowerSize& size : kSizes) {
    tower.*size.member = keys.integer_or(size.key, tower.*size.member, {1, size.most});
  }
  if (tower.patch_size == 0 || (kind->squares && tower.image_size == 0)) return std::nullopt;
  if (kind->squares) {
    const std::int64_t side = tower.image_size / tower.patch_size;
    tower.position_rows = side * side + (tower.class_token ? 1 : 0);
  }
  kind->finish({keys, reader, text}, tower);
  if (!is_whole(tower)) return std::nullopt;
  return tower;
}

}  // namespace

std::optional<Tower> read_tower(ObjectReader& reader, std::int64_t text_hidden) {
  if (!reader.has("vision")) return published_tower(reader, text_hidden);
  ObjectReader inner = reader.object("vision");
  EntryRules rules{.counts = {1, kWidest}};
  const auto optional = [&rules](const char* key, const auto&) { rules.may_lack.insert(key); };
  Tower usual;
  fields(optional, usual);
  for (const char* key : {"hidden_size", "intermediate_size", "num_hidden_layers",
                          "num_attention_heads", "patch_size", "projector_parameters"}) {
    rules.may_lack.erase(key);
  }
  for (const TowerSize& size : kSizes) {
    rules.bounds[size.key] = {1, static_cast<double>(size.most)};
  }
  constexpr double kMost = 1e12;
  for (const char* key : {"least_pixels", "most_pixels", "projector_parameters"}) {
    rules.bounds[key] = {1, kMost};
  }
  return read_entry<Tower>(inner, rules);
}

Json tower_json(const Tower& tower) {
  Json json = as_json(tower);
  const Json usual = as_json(Tower{});
  for (const auto& [key, value] : usual.items()) {
    if (json.at(key) == value) json.erase(key);
  }
  return json;
}

}  // namespace sizesheet
