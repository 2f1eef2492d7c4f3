// SPDX-License-Identifier: Apache-2.0
#include "catalog/moe_keys.h"

#include <initializer_list>
#include <string>

namespace sizesheet {
namespace {

constexpr Bounds<std::int64_t> kWidth{1, 1 << 24};
constexpr Bounds<std::int64_t> kWidthOrNone{0, 1 << 24};
constexpr Bounds<std::int64_t> kExperts{1, 65536};
constexpr Bounds<std::int64_t> kLayers{0, 10000};

/// The first of several names that the document uses; "" when it uses none.
std::string used_key(ObjectReader& reader, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (reader.has(name)) return name;
  }
  return "";
}

std::int64_t integer_of(ObjectReader& reader, std::initializer_list<const char*> names,
                        std::int64_t fallback, Bounds<std::int64_t> bounds) {
  const std::string key = used_key(reader, names);
  return key.empty() ? fallback : reader.integer(key, bounds);
}

MoePlan read_catalog_keys(ObjectReader reader) {
  MoePlan plan;
  Moe& moe = plan.moe;
  moe.experts = reader.integer("num_experts", kExperts);
  const std::int64_t most = reader.sound("num_experts") ? moe.experts : kExperts.high;
  moe.experts_per_token = reader.integer("experts_per_token", {1, most});
  moe.expert_width = reader.integer("moe_intermediate_size", kWidth);
  moe.shared_width = reader.integer_or("shared_expert_intermediate_size", 0, kWidthOrNone);
  moe.latent_size = reader.integer_or("latent_size", 0, kWidthOrNone);
  moe.gated = reader.flag_or("gated", true);
  moe.router_bias = reader.flag_or("router_bias", false);
  moe.expert_bias = reader.flag_or("expert_bias", false);
  moe.shared_gate = reader.flag_or("shared_gate", false);
  plan.first_dense = reader.integer_or("first_k_dense", 0, kLayers);
  plan.step = reader.integer_or("moe_layer_step", 1, {1, kLayers.high});
  plan.dense_width = reader.optional_integer("dense_intermediate_size", kWidth);
  reader.done();
  return plan;
}

/// Width of all shared experts of a layer together.
std::int64_t published_shared_width(ObjectReader& reader, const Family& family,
                                    std::int64_t expert_width) {
  const std::int64_t copies =
      integer_of(reader, {"n_shared_experts", "num_shared_experts"}, -1, {0, 1024});
  const std::string each = used_key(reader, {"moe_shared_expert_intermediate_size"});
  if (!each.empty()) return (copies < 0 ? 1 : copies) * reader.integer(each, kWidthOrNone);
  const std::string total =
      used_key(reader, {"shared_expert_intermediate_size", "shared_intermediate_size"});
  if (!total.empty()) return reader.integer(total, kWidthOrNone);
  if (copies >= 0) return copies * expert_width;
  return family.shared_like_expert ? expert_width : 0;
}

std::optional<MoePlan> read_published_keys(ObjectReader& reader, const Family& family,
                                           std::int64_t mlp_width) {
  MoePlan plan;
  Moe& moe = plan.moe;
  moe.experts = integer_of(reader, {"num_local_experts", "n_routed_experts", "num_experts"}, 0,
                           {0, kExperts.high});
  if (moe.experts == 0) return std::nullopt;
  const std::string per_token = used_key(reader, {"num_experts_per_tok", "experts_per_token"});
  moe.experts_per_token =
      reader.integer(per_token.empty() ? "num_experts_per_tok" : per_token, {1, moe.experts});
  const bool as_mlp = !reader.has("moe_intermediate_size") && mlp_width > 0;
  moe.expert_width = as_mlp ? mlp_width : reader.integer("moe_intermediate_size", kWidth);
  moe.shared_width = published_shared_width(reader, family, moe.expert_width);
  moe.latent_size = integer_of(reader, {"moe_latent_size"}, 0, kWidthOrNone);
  moe.gated = family.gated;
  moe.router_bias = moe.expert_bias = family.expert_bias;
  moe.shared_gate = family.shared_gate;
  plan.first_dense = integer_of(reader, {"first_k_dense_replace"}, 0, kLayers);
  plan.step =
      integer_of(reader, {"interleave_moe_layer_step", "decoder_sparse_step", "moe_layer_freq"}, 1,
                 {1, kLayers.high});
  plan.dense_width = reader.optional_integer("intermediate_size_mlp", kWidth);
  const Json& dense_layers = reader.raw("mlp_only_layers");
  if (!dense_layers.is_null() && dense_layers != Json::array()) {
    reader.fault("mlp_only_layers", "expected [], got " + shown(dense_layers));
  }
  return plan;
}

}  // namespace

std::optional<MoePlan> read_moe(ObjectReader& reader, const Family& family,
                                std::int64_t mlp_width) {
  if (reader.has("moe")) return read_catalog_keys(reader.object("moe"));
  return read_published_keys(reader, family, mlp_width);
}

}  // namespace sizesheet
