// SPDX-License-Identifier: Apache-2.0
// Families with routed experts, and the hybrid that may have them.
#include "catalog/families.h"

namespace sizesheet {
namespace {

Family routed(const std::string& model_type, Routing routing, Shared shared) {
  return {.model_type = model_type, .routing = routing, .shared = shared};
}

Family qwen2_moe() {
  Family family = routed("qwen2_moe", Routing::kOwnWidth, Shared::kTotalWidth);
  family.traits.qkv_bias = true;
  family.traits.shared_gate = true;
  family.flags = {qkv_bias("qkv_bias")};
  return family;
}

/// Its configuration class gives the head no size of its own, unlike Qwen3's.
Family qwen3_moe(const std::string& model_type) {
  Family family = routed(model_type, Routing::kOwnWidth, Shared::kNone);
  family.traits.qk_norm = "per_head";
  family.flags = {all_attention_bias()};
  family.fixed = {{"use_qk_norm", {true}, "attention without norms of queries and keys is"}};
  return family;
}

Family deepseek(const std::string& model_type) {
  Family family = routed(model_type, Routing::kMaybeRouted, Shared::kCopies);
  family.latent = true;
  family.kv_like_heads = true;
  family.fixed = {{"attention_bias", {false}, "biases in latent attention are"}};
  return family;
}

/// The first DeepSeek-MoE has ordinary attention.
Family deepseek1() {
  Family family = routed("deepseek", Routing::kMaybeRouted, Shared::kCopies);
  family.kv_like_heads = true;
  family.flags = {all_attention_bias()};
  return family;
}

Family glm4_moe() {
  Family family = routed("glm4_moe", Routing::kOwnWidth, Shared::kCopies);
  family.numbers = {{"head_dim", 128}};
  family.flags = {qkv_bias()};
  family.qk_norm_key = "use_qk_norm";
  family.qk_norm_kind = "per_head";
  return family;
}

/// LayerNorm with bias, and biases on attention and head where the config says so.
Family phimoe() {
  Family family = routed("phimoe", Routing::kMlpWidth, Shared::kNone);
  family.traits.layer_norm = family.traits.norm_bias = true;
  family.flags = {all_attention_bias(), {"lm_head_bias", {&Traits::head_bias}}};
  return family;
}

Family granitemoe(const std::string& model_type, Shared shared) {
  Family family = routed(model_type, Routing::kMlpWidth, shared);
  family.kv_like_heads = true;
  family.flags = {all_attention_bias()};
  return family;
}

Family olmoe() {
  Family family = routed("olmoe", Routing::kMlpWidth, Shared::kNone);
  family.traits.qk_norm = "full";
  family.kv_like_heads = true;
  family.flags = {all_attention_bias()};
  return family;
}

Family gpt_oss() {
  Family family = routed("gpt_oss", Routing::kMlpWidth, Shared::kNone);
  family.traits.qkv_bias = family.traits.output_bias = true;
  family.traits.sinks = family.traits.expert_bias = true;
  family.numbers = {{"head_dim", 64}};
  family.flags = {all_attention_bias()};
  return family;
}

/// The norm of queries and keys (use_qk_norm) has no weights.
Family llama4() {
  Family family = routed("llama4_text", Routing::kMlpWidth, Shared::kLikeExpert);
  family.kv_like_heads = true;
  family.flags = {all_attention_bias()};
  family.fixed = {{"use_qk_norm", {true, false}, "norms of another kind are"}};
  return family;
}

/// LayerNorm without bias; its keys stand in two objects of their own.
Family dbrx() {
  Family family = routed("dbrx", Routing::kMlpWidth, Shared::kNone);
  family.traits.layer_norm = true;
  family.fused = {"query_key_value"};
  family.names = {{"hidden_size", {"d_model"}},
                  {"num_hidden_layers", {"n_layers"}},
                  {"num_attention_heads", {"n_heads"}},
                  {"num_key_value_heads", {"attn_config/kv_n_heads"}},
                  {"intermediate_size", {"ffn_config/ffn_hidden_size"}},
                  {"max_position_embeddings", {"max_seq_len"}}};
  return family;
}

/// One part a layer behind one norm, named by hybrid_override_pattern.
Family nemotron_h() {
  Family family = routed("nemotron_h", Routing::kMaybeRouted, Shared::kCopies);
  family.traits.gated = false;
  family.traits.norms = 1;
  family.flags = {all_attention_bias(), mlp_bias()};
  family.fixed = {{"use_bias", {false}, "biases on the projections of Mamba are"},
                  {"mamba_proj_bias", {false}, "biases on the projections of Mamba are"}};
  family.activation = "relu2";
  return family;
}

}  // namespace

std::vector<Family> routed_families() {
  return {routed("mixtral", Routing::kMlpWidth, Shared::kNone),
          qwen2_moe(),
          qwen3_moe("qwen3_moe"),
          qwen3_moe("qwen3_vl_moe_text"),
          deepseek1(),
          deepseek("deepseek_v2"),
          deepseek("deepseek_v3"),
          deepseek("kimi_k2"),
          glm4_moe(),
          phimoe(),
          granitemoe("granitemoe", Shared::kNone),
          granitemoe("granitemoeshared", Shared::kTotalWidth),
          olmoe(),
          gpt_oss(),
          llama4(),
          dbrx(),
          nemotron_h()};
}

}  // namespace sizesheet
