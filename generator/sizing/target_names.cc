// SPDX-License-Identifier: Apache-2.0
#include "sizing/target_names.h"

#include <map>

namespace sizesheet {

std::vector<std::string> projections_behind(const std::string& alias) {
  static const std::vector<std::string> kQkv{"q_proj", "k_proj", "v_proj"};
  static const std::vector<std::string> kGateUp{"gate_proj", "up_proj"};
  static const std::map<std::string, std::vector<std::string>> kAliases = {
      {"qkv_proj", kQkv},
      {"query_key_value", kQkv},
      {"Wqkv", kQkv},
      {"c_attn", kQkv},
      {"linear_qkv", kQkv},
      {"wq", {"q_proj"}},
      {"wk", {"k_proj"}},
      {"wv", {"v_proj"}},
      {"wo", {"o_proj"}},
      {"dense", {"o_proj"}},
      {"linear_proj", {"o_proj"}},
      {"output_proj", {"o_proj"}},
      {"gate_up_proj", kGateUp},
      {"linear_fc1", kGateUp},
      {"fc1", {"up_proj"}},
      {"c_fc", {"up_proj"}},
      {"dense_h_to_4h", {"up_proj"}},
      {"fc2", {"down_proj"}},
      {"linear_fc2", {"down_proj"}},
      {"dense_4h_to_h", {"down_proj"}},
      {"w1", {"gate_proj"}},
      {"w2", {"down_proj"}},
      {"w3", {"up_proj"}},
      {"kv_a_proj_with_mqa", {"kv_a_proj"}},
      {"output", {"lm_head"}},
  };
  const auto found = kAliases.find(alias);
  return found == kAliases.end() ? std::vector<std::string>{} : found->second;
}

}  // namespace sizesheet
