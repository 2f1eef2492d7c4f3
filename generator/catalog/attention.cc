// SPDX-License-Identifier: Apache-2.0
#include "catalog/attention.h"

#include <algorithm>
#include <optional>

namespace sizesheet {
namespace {

constexpr Bounds<std::int64_t> kRank{0, 1 << 16};
constexpr Bounds<std::int64_t> kHeads{1, 65536};

std::optional<LatentAttention> read_latent(FamilyKeys& keys) {
  ObjectReader& reader = keys.reader();
  std::optional<ObjectReader> nested = reader.optional_object("mla");
  if (!nested && !keys.family().latent) {
    if (reader.has("kv_lora_rank") && !keys.family().model_type.empty()) {
      reader.fault("kv_lora_rank", "expected no latent attention in " + keys.family().model_type +
                                       ", got " + shown(reader.raw("kv_lora_rank")));
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
    const bool one =
        keys.flag_or("multi_query", true) && !keys.flag_or("new_decoder_architecture", false);
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
  if (!keys.has("head_dim") && keys.reader().has("attention_head_dim")) {
    return keys.reader().integer("attention_head_dim", kHeads);
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

/// Falcon: one norm for attention and MLP side by side, two where the newer layout or a
/// sequential layer has them.
std::int64_t falcon_norms(FamilyKeys& keys) {
  if (!keys.flag_or("parallel_attn", true)) return 2;
  const std::int64_t usual = keys.flag_or("new_decoder_architecture", false) ? 2 : 1;
  return keys.integer_or("num_ln_in_parallel_attn", usual, {1, 2});
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

std::int64_t read_norms(FamilyKeys& keys, const Traits& traits) {
  std::int64_t usual = traits.norms;
  if (keys.family().model_type == "falcon") usual = falcon_norms(keys);
  if (keys.family().model_type == "stablelm" && keys.flag_or("use_parallel_residual", false)) {
    usual = 1;
  }
  return keys.integer_or("norms_per_layer", usual, {1, 8});
}

}  // namespace sizesheet
