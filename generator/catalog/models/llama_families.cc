// SPDX-License-Identifier: Apache-2.0
// Families after Llama, and the table of all.

#include <algorithm>

#include "catalog/models/families.h"

namespace sizesheet {

// ---- Families after Llama: RMSNorm, a gated MLP, rotary positions, mostly no biases.

FlagKey all_attention_bias(const std::string& key) {
  return {key, {&Traits::qkv_bias, &Traits::output_bias}};
}

FlagKey qkv_bias(const std::string& key) { return {key, {&Traits::qkv_bias}}; }

FlagKey mlp_bias(const std::string& key) { return {key, {&Traits::mlp_bias}}; }

namespace {

/// Key-value heads default to the query heads, as LlamaConfig has it.
Family like_llama(const std::string& model_type) {
  return {
      .model_type = model_type, .flags = {all_attention_bias(), mlp_bias()}, .kv_like_heads = true};
}

Family like_mistral(const std::string& model_type) { return {.model_type = model_type}; }

Family qwen2(const std::string& model_type) {
  return {.model_type = model_type, .traits = {.qkv_bias = true}};
}

/// Qwen3Config has a head size of its own, whatever hidden_size is.
Family qwen3(const std::string& model_type) {
  return {.model_type = model_type,
          .traits = {.qk_norm = "per_head"},
          .numbers = {{"head_dim", 128}},
          .flags = {all_attention_bias()}};
}

Family gemma(const std::string& model_type, const std::map<std::string, std::int64_t>& numbers) {
  return {.model_type = model_type,
          .traits = {.tied_head = true},
          .numbers = numbers,
          .flags = {all_attention_bias()},
          .activation = "gelu_pytorch_tanh"};
}

Family gemma1() {
  return gemma("gemma", {{"vocab_size", 256000},
                         {"hidden_size", 3072},
                         {"intermediate_size", 24576},
                         {"num_hidden_layers", 28},
                         {"num_attention_heads", 16},
                         {"num_key_value_heads", 16},
                         {"head_dim", 256},
                         {"max_position_embeddings", 8192}});
}

Family gemma2() {
  Family family = gemma("gemma2", {{"vocab_size", 256000},
                                   {"hidden_size", 2304},
                                   {"intermediate_size", 9216},
                                   {"num_hidden_layers", 26},
                                   {"num_attention_heads", 8},
                                   {"num_key_value_heads", 4},
                                   {"head_dim", 256},
                                   {"max_position_embeddings", 8192}});
  family.traits.norms = 4;
  return family;
}

/// The published configs of 4B and more leave out whatever equals Gemma3TextConfig's default.
Family gemma3(const std::string& model_type) {
  Family family = gemma(model_type, {{"vocab_size", 262208},
                                     {"hidden_size", 2304},
                                     {"intermediate_size", 9216},
                                     {"num_hidden_layers", 26},
                                     {"num_attention_heads", 8},
                                     {"num_key_value_heads", 4},
                                     {"head_dim", 256},
                                     {"max_position_embeddings", 131072}});
  family.traits.norms = 4;
  family.traits.qk_norm = "per_head";
  return family;
}

Family phi3() {
  return {.model_type = "phi3", .fused = {"qkv_proj", "gate_up_proj"}, .kv_like_heads = true};
}

Family granite() {
  Family family = like_llama("granite");
  return family;
}

/// Its attention_bias covers queries, keys and values, never the output.
Family glm(const std::string& model_type, std::int64_t norms, bool bias) {
  return {.model_type = model_type,
          .traits = {.norms = norms, .qkv_bias = bias},
          .fused = {"gate_up_proj"},
          .numbers = {{"head_dim", 128}},
          .flags = {qkv_bias()}};
}

/// The older spelling of GLM, whose code stands beside its weights.
Family chatglm() {
  Family family = glm("chatglm", 2, false);
  family.fused = {"query_key_value", "gate_up_proj"};
  family.names = {{"num_hidden_layers", {"num_layers"}},
                  {"vocab_size", {"padded_vocab_size"}},
                  {"intermediate_size", {"ffn_hidden_size"}},
                  {"head_dim", {"kv_channels"}},
                  {"max_position_embeddings", {"seq_length"}}};
  family.numbers = {};
  family.flags = {qkv_bias("add_qkv_bias"),
                  {"add_bias_linear", {&Traits::output_bias, &Traits::mlp_bias}}};
  family.fixed = {{"rmsnorm", {true}, "LayerNorm here is"},
                  {"post_layer_norm", {true}, "a model without its final norm is"},
                  {"pre_seq_len", {nullptr}, "a trained prefix is"}};
  return family;
}

Family olmo2(const std::string& model_type) {
  Family family = like_llama(model_type);
  family.traits.qk_norm = "full";
  family.flags = {all_attention_bias()};
  return family;
}

/// The norms of the first OLMo have neither weight nor bias.
Family olmo1() {
  Family family = like_llama("olmo");
  family.traits.layer_norm = true;
  family.traits.norm_weight = false;
  family.flags = {all_attention_bias()};
  return family;
}

Family internlm2() {
  Family family = like_llama("internlm2");
  family.fused = {"qkv_proj"};
  family.flags = {all_attention_bias("bias")};
  return family;
}

Family internlm3() {
  Family family = like_mistral("internlm3");
  family.flags = {qkv_bias("qkv_bias"), {"bias", {&Traits::output_bias, &Traits::mlp_bias}}};
  return family;
}

Family exaone(const std::string& model_type) {
  Family family = like_llama(model_type);
  family.names = {{"num_hidden_layers", {"num_layers"}}};
  family.flags = {};
  return family;
}

Family exaone4() {
  Family family = like_llama("exaone4");
  family.traits.qk_norm = "per_head";
  family.flags = {};
  return family;
}

Family seed_oss() {
  Family family = like_mistral("seed_oss");
  family.traits.qkv_bias = true;
  family.numbers = {{"head_dim", 128}};
  family.flags = {qkv_bias(), {"attention_out_bias", {&Traits::output_bias}}, mlp_bias()};
  return family;
}

Family ernie() {
  Family family = like_mistral("ernie4_5");
  family.traits.tied_head = true;
  family.flags = {{"use_bias", {&Traits::qkv_bias, &Traits::output_bias, &Traits::mlp_bias}}};
  family.numbers = {{"head_dim", 128}};
  return family;
}

/// Squared ReLU leaves the MLP with two matrices.
Family arcee() {
  Family family = like_llama("arcee");
  family.traits.gated = false;
  family.activation = "relu2";
  return family;
}

Family tied(Family family) {
  family.traits.tied_head = true;
  return family;
}

Family baichuan() {
  Family family = like_llama("baichuan");
  family.fused = {"qkv_proj"};
  family.names = {{"max_position_embeddings", {"model_max_length"}}};
  family.flags = {};
  return family;
}

Family nas() {
  Family family = like_llama("nemotron-nas");
  return family;
}

}  // namespace

std::vector<Family> llama_families() {
  Family minicpm = tied(like_llama("minicpm"));
  minicpm.flags = {all_attention_bias()};
  return {like_llama("llama"),
          granite(),
          nas(),
          tied(like_llama("smollm3")),
          minicpm,
          arcee(),
          like_mistral("mistral"),
          like_mistral("ministral"),
          like_mistral("ministral3"),
          qwen2("qwen2"),
          qwen2("qwen2_vl"),
          qwen2("qwen2_vl_text"),
          qwen2("qwen2_5_vl"),
          qwen2("qwen2_5_vl_text"),
          qwen3("qwen3"),
          qwen3("qwen3_vl_text"),
          gemma1(),
          gemma2(),
          gemma3("gemma3"),
          gemma3("gemma3_text"),
          phi3(),
          glm("glm", 2, true),
          glm("glm4", 4, false),
          glm("glm4v_text", 4, true),
          chatglm(),
          olmo1(),
          olmo2("olmo2"),
          olmo2("olmo3"),
          internlm2(),
          internlm3(),
          exaone("exaone"),
          exaone4(),
          seed_oss(),
          ernie(),
          baichuan()};
}

namespace {

std::vector<Family> collect() {
  std::vector<Family> all = llama_families();
  for (const auto& part : {gpt_families(), routed_families()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  std::sort(all.begin(), all.end(), [](const Family& left, const Family& right) {
    return left.model_type < right.model_type;
  });
  return all;
}

const std::vector<Family>& families() {
  static const std::vector<Family> all = collect();
  return all;
}

const std::map<std::string, std::string>& not_modelled() {
  static const std::map<std::string, std::string> reasons = {
      {"albert", "its layers share their weights"},
      {"bamba", "its hybrid of Mamba-2 and attention is not counted"},
      {"bert", "it is an encoder"},
      {"deepseek_v32", "the indexer of its sparse attention is not counted"},
      {"falcon_h1", "its hybrid of Mamba-2 and attention is not counted"},
      {"falcon_mamba", "Mamba-1 layers are not counted"},
      {"gemma3n", "its per-layer embeddings and shared keys are not counted"},
      {"gemma3n_text", "its per-layer embeddings and shared keys are not counted"},
      {"granitemoehybrid", "its hybrid of Mamba-2 and attention is not counted"},
      {"jamba", "Mamba-1 layers are not counted"},
      {"lfm2", "its convolution layers are not counted"},
      {"mamba", "Mamba-1 layers are not counted"},
      {"mamba2", "a model without attention is not counted"},
      {"minicpm3", "its latent attention is not counted"},
      {"mllama", "its cross-attention layers are not counted"},
      {"mllama_text_model", "its cross-attention layers are not counted"},
      {"phi4mm", "its vision and speech adapters are not counted"},
      {"qwen3_next", "its linear attention is not counted"},
      {"recurrent_gemma", "its recurrent layers are not counted"},
      {"rwkv", "its recurrent layers are not counted"},
      {"t5", "it is an encoder with a decoder"},
      {"zamba", "its shared attention layers are not counted"},
      {"zamba2", "its shared attention layers are not counted"},
  };
  return reasons;
}

}  // namespace

const Family* family_of(const std::string& model_type) {
  const auto& all = families();
  const auto family = std::find_if(
      all.begin(), all.end(), [&](const Family& each) { return each.model_type == model_type; });
  return family == all.end() ? nullptr : &*family;
}

std::vector<std::string> known_model_types() {
  std::vector<std::string> names;
  for (const Family& family : families()) names.push_back(family.model_type);
  return names;
}

std::string why_not_modelled(const std::string& model_type) {
  const auto reason = not_modelled().find(model_type);
  return reason == not_modelled().end() ? "" : reason->second;
}

const std::vector<std::string>& wrapper_model_types() {
  static const std::vector<std::string> types = {
      "aya_vision", "gemma3",     "glm4v",        "idefics3",  "llama4",
      "llava",      "llava_next", "mistral3",     "paligemma", "qwen2_5_vl",
      "qwen2_vl",   "qwen3_vl",   "qwen3_vl_moe", "smolvlm",   "video_llava"};
  return types;
}

}  // namespace sizesheet
