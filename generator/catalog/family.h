// SPDX-License-Identifier: Apache-2.0
// What a model_type stands for where its config.json says nothing: the defaults of each family.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sizesheet {

struct Family {
  std::string model_type;
  bool gated = true;
  bool norm_bias = false;  ///< LayerNorm, which has a bias
  std::int64_t norms = 2;  ///< norm layers in a block
  bool qkv_bias = false;
  bool output_bias = false;
  bool mlp_bias = false;
  bool tied_head = false;
  std::string qk_norm = "none";
  std::vector<std::string> fused = {};  ///< fused linears of the checkpoint
  bool sinks = false;
  bool expert_bias = false;  ///< biases on router and experts
  bool shared_gate = false;
  bool shared_like_expert = false;  ///< one shared expert as wide as a routed one
};

/// The family, or nullptr when the model type is not known here.
const Family* family_of(const std::string& model_type);

std::vector<std::string> known_model_types();

}  // namespace sizesheet
