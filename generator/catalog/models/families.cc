// SPDX-License-Identifier: Apache-2.0
// The table of families: what a config.json of each leaves unsaid. The defaults are those of the
// configuration and modelling classes of huggingface/transformers, or of the code beside the
// weights where it has none.

#include "catalog/models/families.h"

#include <algorithm>

#include "catalog/models/layered.h"

namespace sizesheet {
namespace {

using TraitList = std::vector<bool Traits::*>;

const TraitList kLinearBiases = {&Traits::qkv_bias, &Traits::output_bias, &Traits::mlp_bias};

/// Key-value heads default to the query heads, as LlamaConfig has it.
Family like_heads(Family family) {
  family.kv_like_heads = true;
  return family;
}

/// `plain` with `more` and without `fewer`.
Traits with_traits(Traits plain, const TraitList& more, const TraitList& fewer = {}) {
  for (bool Traits::*trait : more) plain.*trait = true;
  for (bool Traits::*trait : fewer) plain.*trait = false;
  return plain;
}

// ---- Families after Llama: RMSNorm, a gated MLP, rotary positions, mostly no biases.

using Sizes = std::map<std::string, std::int64_t>;

const Sizes kGemma2Sizes = {{"vocab_size", 256000},      {"hidden_size", 2304},
                            {"intermediate_size", 9216}, {"num_hidden_layers", 26},
                            {"num_attention_heads", 8},  {"num_key_value_heads", 4},
                            {"head_dim", 256},           {"max_position_embeddings", 8192}};

Family gemma(Sizes sizes, std::int64_t norms, const std::string& qk_norm, double logit_cap = 0) {
  sizes.insert(kGemma2Sizes.begin(), kGemma2Sizes.end());
  return {.traits = {.tied_head = true, .logit_cap = logit_cap},
          .norms = norms,
          .numbers = sizes,
          .flags = {kAttentionBias},
          .qk_norm = qk_norm,
          .activation = "gelu_pytorch_tanh"};
}

/// Its attention_bias covers queries, keys and values, never the output.
Family glm(std::int64_t norms, bool bias) {
  return {.traits = {.qkv_bias = bias},
          .norms = norms,
          .fused = {"gate_up_proj"},
          .numbers = {{"head_dim", 128}},
          .flags = {kQkvBias}};
}

const std::vector<FamilyRow> kLlamaRows = {
    {{"llama", "granite", "nemotron-nas"}, like_heads({.flags = {kAttentionBias, kMlpBias}})},
    {{"smollm3"}, like_heads({.traits = {.tied_head = true}, .flags = {kAttentionBias, kMlpBias}})},
    {{"minicpm"}, like_heads({.traits = {.tied_head = true}, .flags = {kAttentionBias}})},
    // Squared ReLU leaves the MLP with two matrices.
    {{"arcee"},
     like_heads(
         {.traits = {.gated = false}, .flags = {kAttentionBias, kMlpBias}, .activation = "relu2"})},
    {{"mistral", "ministral", "ministral3"}, {}},
    {{"qwen2", "qwen2_vl", "qwen2_vl_text", "qwen2_5_vl", "qwen2_5_vl_text"},
     {.traits = {.qkv_bias = true}}},
    {{"mimo"}, {.traits = {.qkv_bias = true}, .flags = {kQkvBias}, .predicts_alike = true}},
    // Qwen3Config has a head size of its own, whatever hidden_size is.
    {{"qwen3", "qwen3_vl_text"},
     {.numbers = {{"head_dim", 128}}, .flags = {kAttentionBias}, .qk_norm = "per_head"}},
    {{"gemma"},
     gemma({{"hidden_size", 3072},
            {"intermediate_size", 24576},
            {"num_hidden_layers", 28},
            {"num_attention_heads", 16},
            {"num_key_value_heads", 16}},
           2, "none")},
    {{"gemma2"}, gemma({}, 4, "none", kUsualLogitCap)},
    // The published configs of 4B and more leave out whatever equals Gemma3TextConfig's default.
    {{"gemma3", "gemma3_text"},
     gemma({{"vocab_size", 262208}, {"max_position_embeddings", 131072}}, 4, "per_head")},
    {{"phi3"}, like_heads({.fused = {"qkv_proj", "gate_up_proj"}})},
    {{"glm"}, glm(2, true)},
    {{"glm4"}, glm(4, false)},
    {{"glm4v_text"}, glm(4, true)},
    // The older spelling of GLM, whose code stands beside its weights.
    {{"chatglm"},
     {.fused = {"query_key_value", "gate_up_proj"},
      .names = {{"num_hidden_layers", "num_layers"},
                {"vocab_size", "padded_vocab_size"},
                {"intermediate_size", "ffn_hidden_size"},
                {"head_dim", "kv_channels"},
                {"max_position_embeddings", "seq_length"}},
      .flags = {{"add_qkv_bias", {&Traits::qkv_bias}},
                {"add_bias_linear", {&Traits::output_bias, &Traits::mlp_bias}}},
      .fixed = {{"rmsnorm", {true}, "LayerNorm here is"},
                {"post_layer_norm", {true}, "a model without its final norm is"},
                {"pre_seq_len", {nullptr}, "a trained prefix is"}}}},
    // The norms of the first OLMo have neither weight nor bias.
    {{"olmo"},
     like_heads({.traits = {.layer_norm = true, .norm_weight = false}, .flags = {kAttentionBias}})},
    {{"olmo2", "olmo3"}, like_heads({.flags = {kAttentionBias}, .qk_norm = "full"})},
    {{"internlm2"},
     like_heads(
         {.fused = {"qkv_proj"}, .flags = {{"bias", {&Traits::qkv_bias, &Traits::output_bias}}}})},
    {{"internlm3"},
     {.flags = {{"qkv_bias", {&Traits::qkv_bias}},
                {"bias", {&Traits::output_bias, &Traits::mlp_bias}}}}},
    {{"exaone"}, like_heads({.names = {{"num_hidden_layers", "num_layers"}}})},
    {{"exaone4"}, like_heads({.qk_norm = "per_head"})},
    {{"seed_oss"},
     {.traits = {.qkv_bias = true},
      .numbers = {{"head_dim", 128}},
      .flags = {kQkvBias, {"attention_out_bias", {&Traits::output_bias}}, kMlpBias}}},
    {{"ernie4_5"},
     {.traits = {.tied_head = true},
      .numbers = {{"head_dim", 128}},
      .flags = {{"use_bias", kLinearBiases}}}},
    {{"baichuan"},
     like_heads(
         {.fused = {"qkv_proj"}, .names = {{"max_position_embeddings", "model_max_length"}}})},
};

// ---- Families after GPT-2: LayerNorm, mostly a plain MLP and biases, some with a table of
// positions, one key-value head a query head.

const Traits kGpt = {.gated = false,
                     .layer_norm = true,
                     .norm_bias = true,
                     .qkv_bias = true,
                     .output_bias = true,
                     .mlp_bias = true};
const TraitList kTiedWithTable = {&Traits::tied_head, &Traits::learned_positions};
const std::vector<std::string> kFusedQkv = {"query_key_value"};
const Sizes kPositions2048 = {{"max_position_embeddings", 2048}};

Family gpt2(const Traits& traits, std::int64_t norms, const std::vector<std::string>& fused) {
  return like_heads({.traits = traits,
                     .norms = norms,
                     .fused = fused,
                     .names = {{"hidden_size", "n_embd"},
                               {"num_hidden_layers", "n_layer"},
                               {"num_attention_heads", "n_head"},
                               {"intermediate_size", "n_inner"},
                               {"max_position_embeddings", "n_positions"}},
                     .width_multiple = 4,
                     .activation = "gelu_new"});
}

/// Rotary positions, one norm for attention and MLP side by side, and a bias on the head.
Family gptj(const std::vector<std::string>& fused) {
  return gpt2(with_traits(kGpt, {&Traits::head_bias}, {&Traits::qkv_bias, &Traits::output_bias}), 1,
              fused);
}

const std::vector<FamilyRow> kGptRows = {
    // BigCode's models have one key-value head unless multi_query is false: see attention.cc.
    {{"gpt2", "gpt_bigcode"}, gpt2(with_traits(kGpt, kTiedWithTable), 2, kFusedQkv)},
    {{"gptj"}, gptj({})},
    {{"codegen"}, gptj(kFusedQkv)},
    // Its queries, keys and values have no bias, its output has.
    {{"gpt_neo"},
     like_heads(
         {.traits = with_traits(kGpt, kTiedWithTable, {&Traits::qkv_bias}),
          .names = {{"num_hidden_layers", "num_layers"}, {"num_attention_heads", "num_heads"}},
          .width_multiple = 4})},
    {{"gpt_neox"},
     like_heads({.traits = kGpt,
                 .fused = kFusedQkv,
                 .numbers = kPositions2048,
                 .flags = {kAttentionBias}})},
    // Its table of positions has two rows before the first position.
    {{"opt"},
     like_heads(
         {.traits = with_traits(kGpt, kTiedWithTable),
          .names = {{"intermediate_size", "ffn_dim"}},
          .flags = {{"enable_bias", kLinearBiases}},
          .fixed = {{"do_layer_norm_before", {true}, "norms after the layers are"},
                    {"_remove_final_layer_norm", {false}, "a model without its final norm is"},
                    {"layer_norm_elementwise_affine", {true}, "norms without weights are"}},
          .position_offset = 2,
          .activation = "relu"})},
    {{"bloom"},
     like_heads({.traits = with_traits(
                     kGpt, {&Traits::tied_head, &Traits::embedding_norm, &Traits::alibi}),
                 .fused = kFusedQkv,
                 .names = {{"hidden_size", "n_embed"},
                           {"num_hidden_layers", "n_layer"},
                           {"num_attention_heads", "n_head"},
                           {"max_position_embeddings", "seq_length"}},
                 .numbers = kPositions2048,
                 .width_multiple = 4})},
    // Norms and key-value heads of Falcon depend on each other's keys: see attention.cc.
    {{"falcon"},
     like_heads({.traits = with_traits(kGpt, {&Traits::tied_head}, kLinearBiases),
                 .norms = 1,
                 .fused = kFusedQkv,
                 .names = {{"num_hidden_layers", "n_layer"},
                           {"num_attention_heads", "n_head"},
                           {"intermediate_size", "ffn_hidden_size"}},
                 .numbers = kPositions2048,
                 .flags = {{"bias", kLinearBiases}},
                 .width_multiple = 4})},
    // ALiBi unless attn_config says otherwise; only then is learned_pos_emb looked at.
    {{"mpt"},
     like_heads(
         {.traits = {.gated = false, .layer_norm = true, .tied_head = true, .alibi = true},
          .fused = kFusedQkv,
          .names = {{"alibi", "attn_config/alibi"},
                    {"hidden_size", "d_model"},
                    {"num_hidden_layers", "n_layers"},
                    {"num_attention_heads", "n_heads"},
                    {"intermediate_size", "ffn_config/ffn_hidden_size"},
                    {"max_position_embeddings", "max_seq_len"}},
          .numbers = kPositions2048,
          .flags = {{"no_bias",
                     {&Traits::qkv_bias, &Traits::output_bias, &Traits::mlp_bias,
                      &Traits::norm_bias},
                     true}},
          .qk_norm = "full",
          .qk_norm_key = "attn_config/qk_ln",
          .fixed =
              {{"attn_config/attn_type",
                {"multihead_attention", "multiquery_attention", "grouped_query_attention"},
                "attention of another kind is"},
               {"ffn_config/ffn_type", {"mptmlp"}, "an MLP of another kind is"},
               {"attn_config/qk_gn", {false}, "norms of groups of heads are"},
               {"norm_type", {"layernorm", "low_precision_layernorm"}, "norms of another kind are"},
               {"block_overrides", {nullptr}, "blocks that differ are"}}})},
    // One norm before attention and MLP, which run side by side, and a bias on the head.
    {{"phi"},
     like_heads({.traits = with_traits(kGpt, {&Traits::head_bias}),
                 .norms = 1,
                 .fixed = {{"qk_layernorm", {false}, "norms of queries and keys with a bias are"}},
                 .activation = "gelu_new"})},
    // Phi-3 Small: LayerNorm and biases, but gated.
    {{"phi3small"},
     {.traits = with_traits(kGpt, {&Traits::gated, &Traits::tied_head}),
      .fused = {"query_key_value", "gate_up_proj"},
      .names = {{"intermediate_size", "ff_intermediate_size"}},
      .activation = "gegelu"}},
    {{"starcoder2"},
     {.traits = with_traits(kGpt, {&Traits::tied_head}),
      .flags = {{"use_bias", kLinearBiases}},
      .fixed = {{"norm_type", {"layer_norm", "layernorm"}, "norms of another kind are"},
                {"mlp_type", {"default"}, "an MLP of another kind is"}}}},
    // Norms of queries and keys have a weight for each head, no bias.
    {{"stablelm"},
     {.traits = {.layer_norm = true, .norm_bias = true},
      .flags = {{"use_qkv_bias", {&Traits::qkv_bias}}},
      .qk_norm = "full",
      .qk_norm_key = "qk_layernorm"}},
    // One LayerNorm a layer, without bias; norms of queries and keys have a weight for each head.
    {{"cohere"},
     like_heads({.traits = {.layer_norm = true, .tied_head = true},
                 .norms = 1,
                 .flags = {kAttentionBias},
                 .qk_norm = "full",
                 .qk_norm_key = "use_qk_norm"})},
    {{"cohere2"},
     like_heads({.traits = {.layer_norm = true, .tied_head = true},
                 .norms = 1,
                 .flags = {kAttentionBias}})},
    // Squared ReLU leaves the MLP with two matrices.
    {{"nemotron"},
     like_heads({.traits = {.gated = false, .layer_norm = true, .norm_bias = true},
                 .flags = {kAttentionBias, kMlpBias},
                 .activation = "relu2"})},
};

// ---- Families with routed experts, and the hybrid that may have them.

Family routed(Routing routing, Shared shared, Family family) {
  family.routing = routing;
  family.shared = shared;
  return family;
}

const std::vector<FamilyRow> kRoutedRows = {
    {{"mixtral"}, routed(Routing::kMlpWidth, Shared::kNone, {})},
    {{"qwen2_moe"},
     routed(Routing::kOwnWidth, Shared::kTotalWidth,
            {.traits = {.qkv_bias = true, .shared_gate = true},
             .flags = {{"qkv_bias", {&Traits::qkv_bias}}}})},
    // Its configuration class gives the head no size of its own, unlike Qwen3's.
    {{"qwen3_moe", "qwen3_vl_moe_text"},
     routed(
         Routing::kOwnWidth, Shared::kNone,
         {.flags = {kAttentionBias},
          .qk_norm = "per_head",
          .fixed = {{"use_qk_norm", {true}, "attention without norms of queries and keys is"}}})},
    // The first DeepSeek-MoE has ordinary attention.
    {{"deepseek"},
     routed(Routing::kMaybeRouted, Shared::kCopies, like_heads({.flags = {kAttentionBias}}))},
    {{"deepseek_v2", "deepseek_v3", "kimi_k2", "glm4_moe_lite"},
     routed(Routing::kMaybeRouted, Shared::kCopies,
            like_heads({.fixed = {kNoLatentBias}, .latent = true, .predicts_alike = true}))},
    {{"glm4_moe"},
     routed(Routing::kOwnWidth, Shared::kCopies,
            {.numbers = {{"head_dim", 128}},
             .flags = {kQkvBias},
             .qk_norm = "per_head",
             .qk_norm_key = "use_qk_norm"})},
    // LayerNorm with bias, and biases on attention and head where the config says so.
    {{"phimoe"},
     routed(Routing::kMlpWidth, Shared::kNone,
            {.traits = {.layer_norm = true, .norm_bias = true},
             .flags = {kAttentionBias, {"lm_head_bias", {&Traits::head_bias}}}})},
    // Its norms of queries and keys span all heads.
    {{"minimax_m2"},
     routed(Routing::kMlpWidth, Shared::kNone,
            {.qk_norm = "full",
             .qk_norm_key = "use_qk_norm",
             .fixed = {{"qk_norm_type", {"per_layer"}, "norms of another kind are"}}})},
    {{"granitemoe"},
     routed(Routing::kMlpWidth, Shared::kNone, like_heads({.flags = {kAttentionBias}}))},
    {{"granitemoeshared"},
     routed(Routing::kMlpWidth, Shared::kTotalWidth, like_heads({.flags = {kAttentionBias}}))},
    {{"olmoe"},
     routed(Routing::kMlpWidth, Shared::kNone,
            like_heads({.flags = {kAttentionBias}, .qk_norm = "full"}))},
    {{"gpt_oss"},
     routed(Routing::kMlpWidth, Shared::kNone,
            {.traits = {.qkv_bias = true, .output_bias = true, .sinks = true, .expert_bias = true},
             .numbers = {{"head_dim", 64}},
             .flags = {kAttentionBias}})},
    // The norm of queries and keys (use_qk_norm) has no weights.
    {{"llama4_text"},
     routed(Routing::kMlpWidth, Shared::kLikeExpert,
            like_heads({.flags = {kAttentionBias},
                        .fixed = {{"use_qk_norm", {true, false}, "norms of another kind are"}}}))},
    // LayerNorm without bias; its keys stand in two objects of their own.
    {{"dbrx"},
     routed(Routing::kMlpWidth, Shared::kNone,
            {.traits = {.layer_norm = true},
             .fused = kFusedQkv,
             .names = {{"hidden_size", "d_model"},
                       {"num_hidden_layers", "n_layers"},
                       {"num_attention_heads", "n_heads"},
                       {"num_key_value_heads", "attn_config/kv_n_heads"},
                       {"intermediate_size", "ffn_config/ffn_hidden_size"},
                       {"max_position_embeddings", "max_seq_len"}}})},
    // One part a layer behind one norm, named by hybrid_override_pattern.
    {{"nemotron_h"},
     routed(Routing::kMaybeRouted, Shared::kCopies,
            {.traits = {.gated = false},
             .norms = 1,
             .flags = {kAttentionBias, kMlpBias},
             .fixed = {{"use_bias", {false}, "biases on the projections of Mamba are"},
                       {"mamba_proj_bias", {false}, "biases on the projections of Mamba are"}},
             .activation = "relu2"})},
};

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> all = [] {
    std::vector<Family> list;
    for (const auto* rows : {&kLlamaRows, &kGptRows, &kRoutedRows, &layered_rows()}) {
      for (const FamilyRow& row : *rows) {
        for (const std::string& type : row.model_types) {
          list.push_back(row.family);
          list.back().model_type = type;
        }
      }
    }
    std::ranges::sort(list, [](const Family& left, const Family& right) {
      return left.model_type < right.model_type;
    });
    return list;
  }();
  return all;
}

}  // namespace sizesheet
