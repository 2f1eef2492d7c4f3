// SPDX-License-Identifier: Apache-2.0
#include "catalog/models/attention.h"

#include <algorithm>

#include "catalog/models/architecture.h"
#include "catalog/models/families.h"
#include "catalog/models/family_keys.h"
#include "support/json.h"

namespace sizesheet {
namespace {

constexpr Bounds<std::int64_t> kRank{0, 1 << 16};
constexpr Bounds<std::int64_t> kHeads{1, 65536};

std::optional<LatentAttention> read_latent(FamilyKeys& keys) {
  ObjectReader& reader = keys.reader();
  std::optional<ObjectReader> nested = reader.optional_object("mla");
  if (!nested && !keys.family().latent) {
    if (reader.has("kv_lora_rank") && !keys.family().model_type.empty()) {
      reader.mismatch("kv_lora_rank", "no latent attention in " + keys.family().model_type);
    }
    return std::nullopt;
  }
  ObjectReader& from = nested ? *nested : reader;
  LatentAttention latent;
  latent.query_rank = from.integer_or("q_lora_rank", 0, kRank);
  latent.kv_rank = from.integer("kv_lora_rank", {1, kRank.high});
  latent.nope_dim = from.integer("qk_nope_head_dim", {1, kRank.high});
  latent.rope_dim = from.integer("qk_rope_head_dim", {1, kRank.high});
  latent.value_dim = from.integer("v_head_dim", {1, kRank.high});
  if (!nested && !from.mentions("q_lora_rank")) {
    from.fault("q_lora_rank", "expected an integer or null, got nothing");
  }
  if (nested) nested->done();
  return latent;
}

/// The key that holds the number of key-value heads; "" where the family says there is one, and
/// num_attention_heads where it says there are as many.
std::string kv_key(FamilyKeys& keys) {
  const std::string& type = keys.family().model_type;
  if (keys.reader().has("num_key_value_heads")) return "num_key_value_heads";
  if (type == "falcon") {  // num_kv_heads stands in many configs that do not use it
    const bool newer = keys.flag_or("new_decoder_architecture", false);
    const bool one = keys.flag_or("multi_query", true) && !newer;
    return one ? "" : keys.has("num_kv_heads") ? "num_kv_heads" : "num_attention_heads";
  }
  if (type == "gpt_bigcode") return keys.flag_or("multi_query", true) ? "" : "num_attention_heads";
  if (type == "chatglm") {
    return keys.flag_or("multi_query_attention", false) ? "multi_query_group_num"
                                                        : "num_attention_heads";
  }
  if (type == "mpt") {
    const std::string kind = keys.text_or("attn_config/attn_type", "multihead_attention");
    if (kind == "multiquery_attention") return "";
    return kind == "grouped_query_attention" ? "attn_config/kv_n_heads" : "num_attention_heads";
  }
  return "num_key_value_heads";
}

std::int64_t read_kv_heads(FamilyKeys& keys, std::int64_t heads) {
  const std::string key = kv_key(keys);
  if (key.empty()) return 1;
  if (key == "num_attention_heads") return heads;
  const bool may_be_left_out = key == "num_key_value_heads" && keys.family().kv_like_heads;
  const std::int64_t kv_heads =
      may_be_left_out ? keys.integer_or(key, heads, kHeads) : keys.integer(key, kHeads);
  if (keys.sound("num_attention_heads") && keys.sound(key) && heads % kv_heads != 0) {
    keys.fault(key, "expected a divisor of " + keys.name("num_attention_heads") + " " +
                        std::to_string(heads) + ", got " + std::to_string(kv_heads));
  }
  return kv_heads;
}

std::int64_t read_head_dim(FamilyKeys& keys, std::int64_t hidden, std::int64_t heads) {
  if (keys.reader().has("attention_head_dim")) {
    const std::int64_t dim = keys.reader().integer("attention_head_dim", kHeads);
    if (keys.has("head_dim") && keys.integer("head_dim", kHeads) != dim) {
      keys.fault("head_dim", "expected the same as attention_head_dim, " + std::to_string(dim) +
                                 ", got " + shown(keys.raw("head_dim")));
    }
    return dim;
  }
  const bool given = keys.has("head_dim") || keys.family().numbers.contains("head_dim");
  if (given) return keys.integer("head_dim", kHeads);
  const bool counted = keys.sound("hidden_size") && keys.sound("num_attention_heads");
  if (counted && hidden % heads != 0) {
    keys.fault("num_attention_heads",
               "expected a divisor of " + keys.name("hidden_size") + " " + std::to_string(hidden) +
                   " where head_dim is left out, got " + std::to_string(heads));
  }
  return std::max<std::int64_t>(1, hidden / heads);
}

constexpr Bounds<std::int64_t> kExpertWidth{1, 1 << 24};
constexpr Bounds<std::int64_t> kWidthOrNone{0, 1 << 24};
constexpr Bounds<std::int64_t> kExperts{1, 65536};
constexpr Bounds<std::int64_t> kLayers{0, 10000};

const std::vector<std::string> kExpertKeys{"num_local_experts", "n_routed_experts", "num_experts",
                                           "moe_num_experts", "ffn_config/moe_num_experts"};
const std::vector<std::string> kPerTokenKeys{"num_experts_per_tok", "experts_per_token",
                                             "moe_top_k", "top_k_experts", "ffn_config/moe_top_k"};
const std::vector<std::string> kSharedKeys{"n_shared_experts",
                                           "num_shared_experts",
                                           "moe_shared_expert_intermediate_size",
                                           "shared_expert_intermediate_size",
                                           "shared_intermediate_size",
                                           "share_expert_dim"};

/// The first of several names that the document uses; "" when it uses none.
std::string used_key(FamilyKeys& keys, const std::vector<std::string>& names) {
  const auto used = std::ranges::find_if(names, [&](const auto& name) { return keys.has(name); });
  return used == names.end() ? "" : *used;
}

/// The same of names that mean one number, which must not differ.
std::string one_key(FamilyKeys& keys, const std::vector<std::string>& names) {
  const std::string used = used_key(keys, names);
  for (const std::string& other : names) {
    if (other == used || !keys.has(other) || keys.raw(other) == keys.raw(used)) continue;
    keys.fault(other, "expected the same as " + used + ", " + shown(keys.raw(used)) + ", got " +
                          shown(keys.raw(other)));
  }
  return used;
}

std::set<std::int64_t> read_layers(ObjectReader& reader, const std::string& key) {
  const std::vector<std::int64_t> list = reader.integers(key, kLayers);
  return {list.begin(), list.end()};
}

MoePlan read_catalog_keys(ObjectReader reader) {
  MoePlan plan;
  Moe& moe = plan.moe;
  moe.experts = reader.integer("num_experts", kExperts);
  const std::int64_t most = reader.sound("num_experts") ? moe.experts : kExperts.high;
  moe.experts_per_token = reader.integer("experts_per_token", {1, most});
  moe.expert_width = reader.integer("moe_intermediate_size", kExpertWidth);
  moe.shared_width = reader.integer_or("shared_expert_intermediate_size", 0, kWidthOrNone);
  moe.latent_size = reader.integer_or("latent_size", 0, kWidthOrNone);
  moe.gated = reader.flag_or("gated", true);
  moe.router_bias = reader.flag_or("router_bias", false);
  moe.expert_bias = reader.flag_or("expert_bias", false);
  moe.shared_gate = reader.flag_or("shared_gate", false);
  plan.first_dense = reader.integer_or("first_k_dense", 0, kLayers);
  plan.step = reader.integer_or("moe_layer_step", 1, {1, kLayers.high});
  plan.dense_width = reader.optional_integer("dense_intermediate_size", kExpertWidth);
  if (reader.has("dense_layers")) plan.dense_layers = read_layers(reader, "dense_layers");
  reader.done();
  return plan;
}

/// Width of all shared experts of a layer together.
std::int64_t shared_width(FamilyKeys& keys, std::int64_t expert_width) {
  ObjectReader& reader = keys.reader();
  switch (keys.family().shared) {
    case Shared::kNone:
      for (const std::string& key : kSharedKeys) {
        if (!reader.has(key) || reader.raw(key) == 0) continue;
        reader.mismatch(key, "no shared experts in " + keys.family().model_type);
      }
      return 0;
    case Shared::kLikeExpert:
      return expert_width;
    case Shared::kTotalWidth: {
      const std::string key = used_key(keys, kSharedKeys);
      return reader.integer(key.empty() ? "shared_expert_intermediate_size" : key, kWidthOrNone);
    }
    case Shared::kCopies:
      break;
  }
  if (!reader.mentions("n_shared_experts") && !reader.mentions("num_shared_experts")) {
    reader.fault("n_shared_experts", "expected an integer or null, got nothing");
  }
  const char* key = reader.has("num_shared_experts") ? "num_shared_experts" : "n_shared_experts";
  const std::int64_t copies = reader.integer_or(key, 0, {0, 1024});
  for (const char* each : {"moe_shared_expert_intermediate_size", "shared_intermediate_size"}) {
    if (reader.has(each)) return copies * reader.integer(each, kExpertWidth);
  }
  return copies * expert_width;
}

/// One word a layer, as newer configs have it.
void read_layer_types(ObjectReader& reader, MoePlan& plan) {
  std::int64_t layer = 0;
  for (const std::string& word : reader.texts("mlp_layer_types")) {
    if (word == "dense") plan.dense_layers.insert(layer);
    if (word != "dense" && word != "sparse" && reader.sound("mlp_layer_types")) {
      reader.mismatch("mlp_layer_types", "dense and sparse", word);
    }
    ++layer;
  }
  const std::int64_t layers = reader.integer_or("num_hidden_layers", layer, kLayers);
  if (layers != layer && reader.sound("mlp_layer_types")) {
    reader.mismatch("mlp_layer_types", std::to_string(layers) + " words, one a layer", layer);
  }
}

/// Which layers have a plain MLP instead, in each family's way to say it.
void read_places(FamilyKeys& keys, MoePlan& plan) {
  ObjectReader& reader = keys.reader();
  const std::string& type = keys.family().model_type;
  if (reader.has("mlp_layer_types")) return read_layer_types(reader, plan);
  const bool leading = keys.family().latent || type == "deepseek" || type == "glm4_moe";
  if (leading) plan.first_dense = reader.integer("first_k_dense_replace", kLayers);
  if (keys.has("num_dense_layers")) plan.first_dense = keys.integer("num_dense_layers", kLayers);
  const std::string step = one_key(keys, {"interleave_moe_layer_step", "decoder_sparse_step"});
  if (!step.empty()) plan.step = reader.integer(step, {1, kLayers.high});
  if (reader.has("mlp_only_layers")) plan.dense_layers = read_layers(reader, "mlp_only_layers");
  const std::int64_t layers = keys.integer_or("num_hidden_layers", 0, kLayers);
  if (reader.has("moe_layers")) {
    const auto routed = read_layers(reader, "moe_layers");
    plan.step = 1;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
      if (!routed.contains(layer)) plan.dense_layers.insert(layer);
    }
  }
  if (reader.raw("moe_layer_freq").is_array()) {  // one 0 or 1 a layer
    std::int64_t layer = 0;
    for (const std::int64_t routed : reader.integers("moe_layer_freq", {0, 1})) {
      if (routed == 0) plan.dense_layers.insert(layer);
      ++layer;
    }
    if (layer != layers && reader.sound("moe_layer_freq")) {
      reader.mismatch("moe_layer_freq", std::to_string(layers) + " of 0 and 1, one a layer", layer);
    }
    std::int64_t first = 0;
    while (plan.dense_layers.contains(first)) ++first;
    if (!leading && reader.integer_or("first_k_dense_replace", first, kLayers) != first) {
      reader.mismatch("first_k_dense_replace",
                      std::to_string(first) + ", as moe_layer_freq begins with as many of 0");
    }
  } else if (reader.has("moe_layer_freq")) {  // counted from the first layer, unlike those above
    const std::int64_t every = reader.integer("moe_layer_freq", {1, kLayers.high});
    for (std::int64_t layer = plan.first_dense; layer < layers; ++layer) {
      if (layer % every != 0) plan.dense_layers.insert(layer);
    }
  }
}

/// A dense model of a routed family says so by null; the pattern of a hybrid says it as well.
void require_mention(FamilyKeys& keys) {
  ObjectReader& reader = keys.reader();
  if (keys.family().layers != nullptr) return;
  const bool told =
      std::ranges::any_of(kExpertKeys, [&](const auto& key) { return reader.mentions(key); });
  if (told || reader.has("hybrid_override_pattern") || reader.has("layers_block_type") ||
      keys.family().model_type.empty())
    return;
  reader.fault("n_routed_experts", "expected an integer or null, got nothing");
}

std::optional<MoePlan> read_published_keys(FamilyKeys& keys, const Traits& traits,
                                           std::int64_t mlp_width) {
  const Routing routing = keys.family().routing;
  const std::string used = one_key(keys, kExpertKeys);
  if (routing == Routing::kNone) {
    if (!used.empty() && keys.raw(used) != 0) {
      keys.fault(used, "expected no routed experts in " + keys.family().model_type + ", got " +
                           shown(keys.raw(used)));
    }
    return std::nullopt;
  }
  const bool off = keys.has("enable_moe_block") && !keys.flag_or("enable_moe_block", true);
  const bool none = used.empty() || keys.raw(used) == 0;
  if (off || (routing == Routing::kMaybeRouted && used.empty()) ||
      (routing == Routing::kMaybeMlpWidth && none)) {
    for (const std::string& key : kPerTokenKeys) static_cast<void>(keys.raw(key));  // of none
    if (!off && routing == Routing::kMaybeRouted) require_mention(keys);
    return std::nullopt;
  }
  const bool by_mlp_width = routing == Routing::kMlpWidth || routing == Routing::kMaybeMlpWidth;
  MoePlan plan;
  Moe& moe = plan.moe;
  moe.experts = keys.integer(used.empty() ? "num_experts" : used, kExperts);
  const std::string per_token = one_key(keys, kPerTokenKeys);
  const std::int64_t most = used.empty() || !keys.sound(used) ? kExperts.high : moe.experts;
  moe.experts_per_token =
      keys.integer(per_token.empty() ? "num_experts_per_tok" : per_token, {1, most});
  moe.expert_width = by_mlp_width ? std::max<std::int64_t>(mlp_width, 1)
                                  : keys.integer("moe_intermediate_size", kExpertWidth);
  if (by_mlp_width && mlp_width == 0) keys.integer("intermediate_size", kExpertWidth);
  const Json own_width = by_mlp_width ? keys.raw("moe_intermediate_size") : Json();
  if (!own_width.is_null() && mlp_width > 0 && own_width != mlp_width) {
    keys.fault("moe_intermediate_size", "expected the same as intermediate_size, " +
                                            std::to_string(mlp_width) + ", got " +
                                            shown(own_width));
  }
  moe.shared_width = shared_width(keys, moe.expert_width);
  moe.latent_size = keys.integer_or("moe_latent_size", 0, kWidthOrNone);
  moe.gated = traits.gated;
  moe.router_bias = moe.expert_bias = traits.expert_bias;
  moe.shared_gate = traits.shared_gate;
  const std::string dense = one_key(keys, {"intermediate_size_mlp", "dense_intermediate_size"});
  if (!dense.empty()) plan.dense_width = keys.reader().integer(dense, kExpertWidth);
  read_places(keys, plan);
  return plan;
}

}  // namespace

Attention read_attention(FamilyKeys& keys, const Traits& traits, std::int64_t hidden) {
  Attention attention;
  attention.heads = keys.integer("num_attention_heads", kHeads);
  attention.kv_heads = read_kv_heads(keys, attention.heads);
  attention.latent = read_latent(keys);
  attention.head_dim = attention.latent ? attention.latent->nope_dim + attention.latent->rope_dim
                                        : read_head_dim(keys, hidden, attention.heads);
  attention.qkv_bias = traits.qkv_bias;
  attention.output_bias = traits.output_bias;
  attention.sinks = traits.sinks;
  attention.qk_norm = traits.qk_norm;
  return attention;
}

std::int64_t read_norms(FamilyKeys& keys) {
  std::int64_t usual = keys.family().norms;
  const std::string& type = keys.family().model_type;
  if (type == "stablelm" && keys.flag_or("use_parallel_residual", false)) usual = 1;
  if (type == "falcon") {
    // One norm for attention and MLP side by side, two where the newer layout or a sequential layer
    // has them.
    usual = 2;
    const bool newer = keys.flag_or("new_decoder_architecture", false);
    if (keys.flag_or("parallel_attn", true)) {
      usual = newer ? 2 : 1;
      usual = keys.integer_or("num_ln_in_parallel_attn", usual, {1, 2});
    }
  }
  return keys.integer_or("norms_per_layer", usual, {1, 8});
}

std::optional<MoePlan> read_moe(FamilyKeys& keys, const Traits& traits, std::int64_t mlp_width) {
  if (keys.reader().has("moe")) return read_catalog_keys(keys.reader().object("moe"));
  // An entry that spells out its shape has its experts under "moe" or has none.
  if (keys.reader().has("norms_per_layer") && keys.reader().has("gated_mlp")) return std::nullopt;
  return read_published_keys(keys, traits, mlp_width);
}

}  // namespace sizesheet
