// SPDX-License-Identifier: Apache-2.0
#include "catalog/family.h"

#include <algorithm>

#include "catalog/families.h"

namespace sizesheet {
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
