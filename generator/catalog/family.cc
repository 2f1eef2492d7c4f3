// SPDX-License-Identifier: Apache-2.0
#include "catalog/family.h"

#include <algorithm>

namespace sizesheet {
namespace {

/// A family like Llama: RMSNorm, gated MLP, no bias, separate head.
Family like_llama(const std::string& model_type) { return {.model_type = model_type}; }

/// The older families: LayerNorm with bias, a plain MLP, biases everywhere.
Family like_gpt(const std::string& model_type) {
  return {.model_type = model_type,
          .gated = false,
          .norm_bias = true,
          .qkv_bias = true,
          .output_bias = true,
          .mlp_bias = true};
}

Family gpt_neox() {
  Family family = like_gpt("gpt_neox");
  family.fused = {"query_key_value"};
  return family;
}

/// One norm before attention and MLP, which run side by side. The bias of its head is not counted.
Family phi() {
  Family family = like_gpt("phi");
  family.norms = 1;
  return family;
}

Family starcoder2() {
  Family family = like_gpt("starcoder2");
  family.tied_head = true;
  return family;
}

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      like_llama("llama"),
      like_llama("mistral"),
      like_llama("mixtral"),
      like_llama("granite"),
      like_llama("granitemoe"),
      like_llama("deepseek_v2"),
      like_llama("deepseek_v3"),
      like_llama("nemotron-nas"),
      {.model_type = "llama4_text", .shared_like_expert = true},
      {.model_type = "qwen2", .qkv_bias = true},
      {.model_type = "qwen2_moe", .qkv_bias = true, .shared_gate = true},
      {.model_type = "qwen3", .qk_norm = "per_head"},
      {.model_type = "qwen3_moe", .qk_norm = "per_head"},
      {.model_type = "olmo2", .qk_norm = "full"},
      {.model_type = "gemma", .tied_head = true},
      {.model_type = "gemma2", .norms = 4, .tied_head = true},
      {.model_type = "gemma3", .norms = 4, .tied_head = true, .qk_norm = "per_head"},
      {.model_type = "gemma3_text", .norms = 4, .tied_head = true, .qk_norm = "per_head"},
      {.model_type = "phi3", .fused = {"qkv_proj", "gate_up_proj"}},
      {.model_type = "gpt_oss",
       .qkv_bias = true,
       .output_bias = true,
       .sinks = true,
       .expert_bias = true},
      {.model_type = "nemotron", .gated = false, .norm_bias = true},
      {.model_type = "nemotron_h", .gated = false, .norms = 1},
      {.model_type = "falcon",
       .gated = false,
       .norm_bias = true,
       .norms = 1,
       .tied_head = true,
       .fused = {"query_key_value"}},
      gpt_neox(),
      phi(),
      starcoder2(),
  };
  return all;
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

}  // namespace sizesheet
