// SPDX-License-Identifier: Apache-2.0
// Families after GPT, and those with routed experts.

#include "catalog/models/families.h"

namespace sizesheet {

// ---- Families after GPT-2: LayerNorm, mostly a plain MLP and biases, some with a table of
// positions.

namespace {

const std::vector<bool Traits::*> kLinearBiases = {&Traits::qkv_bias, &Traits::output_bias,
                                                   &Traits::mlp_bias};

/// LayerNorm with bias, a plain MLP, biases everywhere, one key-value head a query head.
Family like_gpt(const std::string& model_type) {
  return {.model_type = model_type,
          .traits = {.gated = false,
                     .layer_norm = true,
                     .norm_bias = true,
                     .qkv_bias = true,
                     .output_bias = true,
                     .mlp_bias = true},
          .kv_like_heads = true,
          .activation = "gelu"};
}

Family gpt2(const std::string& model_type) {
  Family family = like_gpt(model_type);
  family.traits.tied_head = true;
  family.traits.learned_positions = true;
  family.fused = {"query_key_value"};
  family.names = {{"hidden_size", {"n_embd"}},
                  {"num_hidden_layers", {"n_layer"}},
                  {"num_attention_heads", {"n_head"}},
                  {"intermediate_size", {"n_inner"}},
                  {"max_position_embeddings", {"n_positions"}}};
  family.width_multiple = 4;
  family.activation = "gelu_new";
  return family;
}

/// Rotary positions, one norm for attention and MLP side by side, and a bias on the head.
Family gptj(const std::string& model_type) {
  Family family = gpt2(model_type);
  family.traits.norms = 1;
  family.traits.tied_head = family.traits.learned_positions = false;
  family.traits.qkv_bias = family.traits.output_bias = false;
  family.traits.head_bias = true;
  family.fused = {};
  if (model_type == "codegen") family.fused = {"query_key_value"};
  return family;
}

/// Its queries, keys and values have no bias, its output has.
Family gpt_neo() {
  Family family = like_gpt("gpt_neo");
  family.traits.tied_head = true;
  family.traits.learned_positions = true;
  family.traits.qkv_bias = false;
  family.names = {{"num_hidden_layers", {"num_layers"}}, {"num_attention_heads", {"num_heads"}}};
  family.width_multiple = 4;
  return family;
}

Family gpt_neox() {
  Family family = like_gpt("gpt_neox");
  family.fused = {"query_key_value"};
  family.numbers = {{"max_position_embeddings", 2048}};
  family.flags = {all_attention_bias()};
  return family;
}

/// Its table of positions has two rows before the first position.
Family opt() {
  Family family = like_gpt("opt");
  family.traits.tied_head = true;
  family.traits.learned_positions = true;
  family.position_offset = 2;
  family.names = {{"intermediate_size", {"ffn_dim"}}};
  family.flags = {{"enable_bias", kLinearBiases}};
  family.fixed = {{"do_layer_norm_before", {true}, "norms after the layers are"},
                  {"_remove_final_layer_norm", {false}, "a model without its final norm is"},
                  {"layer_norm_elementwise_affine", {true}, "norms without weights are"}};
  family.activation = "relu";
  return family;
}

Family bloom() {
  Family family = like_gpt("bloom");
  family.traits.tied_head = true;
  family.traits.embedding_norm = true;
  family.fused = {"query_key_value"};
  family.names = {{"hidden_size", {"n_embed"}},
                  {"num_hidden_layers", {"n_layer"}},
                  {"num_attention_heads", {"n_head"}},
                  {"max_position_embeddings", {"seq_length"}}};
  family.numbers = {{"max_position_embeddings", 2048}};
  family.width_multiple = 4;
  return family;
}

/// Norms and key-value heads of Falcon depend on each other's keys: see attention.cc.
Family falcon() {
  Family family = like_gpt("falcon");
  family.traits.qkv_bias = family.traits.output_bias = family.traits.mlp_bias = false;
  family.traits.norms = 1;
  family.traits.tied_head = true;
  family.fused = {"query_key_value"};
  family.names = {{"num_hidden_layers", {"n_layer"}},
                  {"num_attention_heads", {"n_head"}},
                  {"intermediate_size", {"ffn_hidden_size"}}};
  family.numbers = {{"max_position_embeddings", 2048}};
  family.flags = {{"bias", kLinearBiases}};
  family.width_multiple = 4;
  return family;
}

/// ALiBi unless attn_config says otherwise; only then is learned_pos_emb looked at.
Family mpt() {
  Family family = like_gpt("mpt");
  family.traits.qkv_bias = family.traits.output_bias = family.traits.mlp_bias = false;
  family.traits.norm_bias = false;
  family.traits.tied_head = true;
  family.fused = {"query_key_value"};
  family.names = {{"hidden_size", {"d_model"}},
                  {"num_hidden_layers", {"n_layers"}},
                  {"num_attention_heads", {"n_heads"}},
                  {"intermediate_size", {"ffn_config/ffn_hidden_size"}},
                  {"max_position_embeddings", {"max_seq_len"}}};
  family.numbers = {{"max_position_embeddings", 2048}};
  family.flags = {{"no_bias",
                   {&Traits::qkv_bias, &Traits::output_bias, &Traits::mlp_bias, &Traits::norm_bias},
                   true}};
  family.qk_norm_key = "attn_config/qk_ln";
  family.qk_norm_kind = "full";
  family.fixed = {
      {"attn_config/attn_type",
       {"multihead_attention", "multiquery_attention", "grouped_query_attention"},
       "attention of another kind is"},
      {"ffn_config/ffn_type", {"mptmlp"}, "an MLP of another kind is"},
      {"attn_config/qk_gn", {false}, "norms of groups of heads are"},
      {"norm_type", {"layernorm", "low_precision_layernorm"}, "norms of another kind are"},
      {"block_overrides", {nullptr}, "blocks that differ are"}};
  return family;
}

/// One norm before attention and MLP, which run side by side, and a bias on the head.
Family phi() {
  Family family = like_gpt("phi");
  family.traits.norms = 1;
  family.traits.head_bias = true;
  family.fixed = {{"qk_layernorm", {false}, "norms of queries and keys with a bias are"}};
  family.activation = "gelu_new";
  return family;
}

/// Phi-3 Small: LayerNorm and biases, but gated.
Family phi3small() {
  Family family = like_gpt("phi3small");
  family.traits.gated = true;
  family.traits.tied_head = true;
  family.fused = {"query_key_value", "gate_up_proj"};
  family.names = {{"intermediate_size", {"ff_intermediate_size"}}};
  family.kv_like_heads = false;
  family.activation = "gegelu";
  return family;
}

/// Code models: one key-value head unless multi_query is false.
Family gpt_bigcode() {
  Family family = gpt2("gpt_bigcode");
  return family;
}

Family starcoder2() {
  Family family = like_gpt("starcoder2");
  family.traits.tied_head = true;
  family.flags = {{"use_bias", kLinearBiases}};
  family.fixed = {{"norm_type", {"layer_norm", "layernorm"}, "norms of another kind are"},
                  {"mlp_type", {"default"}, "an MLP of another kind is"}};
  family.kv_like_heads = false;
  return family;
}

/// Norms of queries and keys have a weight for each head, no bias.
Family stablelm() {
  return {.model_type = "stablelm",
          .traits = {.layer_norm = true, .norm_bias = true},
          .flags = {qkv_bias("use_qkv_bias")},
          .qk_norm_key = "qk_layernorm",
          .qk_norm_kind = "full"};
}

/// One LayerNorm a layer, without bias; norms of queries and keys have a weight for each head.
Family cohere(const std::string& model_type) {
  Family family = {.model_type = model_type,
                   .traits = {.layer_norm = true, .norms = 1, .tied_head = true},
                   .flags = {all_attention_bias()},
                   .kv_like_heads = true};
  if (model_type == "cohere") {
    family.qk_norm_key = "use_qk_norm";
    family.qk_norm_kind = "full";
  }
  return family;
}

/// Squared ReLU leaves the MLP with two matrices.
Family nemotron() {
  return {.model_type = "nemotron",
          .traits = {.gated = false, .layer_norm = true, .norm_bias = true},
          .flags = {all_attention_bias(), mlp_bias()},
          .kv_like_heads = true,
          .activation = "relu2"};
}

}  // namespace

std::vector<Family> gpt_families() {
  return {gpt2("gpt2"), gptj("gptj"), gptj("codegen"),  gpt_neo(),
          gpt_neox(),   opt(),        bloom(),          falcon(),
          mpt(),        phi(),        phi3small(),      gpt_bigcode(),
          starcoder2(), stablelm(),   cohere("cohere"), cohere("cohere2"),
          nemotron()};
}

// ---- Families with routed experts, and the hybrid that may have them.

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
