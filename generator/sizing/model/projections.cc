// SPDX-License-Identifier: Apache-2.0
#include "sizing/model/projections.h"

#include <algorithm>
#include <map>

#include "sizing/model/parameters.h"

namespace sizesheet {
namespace {

constexpr std::array<std::string_view, 30> kProjectionNames = {"down_proj",
                                                               "embed_tokens",
                                                               "fc1_latent_proj",
                                                               "fc2_latent_proj",
                                                               "g_proj",
                                                               "gate_proj",
                                                               "in_proj",
                                                               "in_proj_a",
                                                               "in_proj_b",
                                                               "in_proj_ba",
                                                               "in_proj_qkv",
                                                               "in_proj_qkvz",
                                                               "in_proj_z",
                                                               "k_proj",
                                                               "kv_a_proj",
                                                               "kv_b_proj",
                                                               "lm_head",
                                                               "o_proj",
                                                               "out_proj",
                                                               "per_layer_input_gate",
                                                               "per_layer_projection",
                                                               "q_a_proj",
                                                               "q_b_proj",
                                                               "q_proj",
                                                               "router",
                                                               "shared_down_proj",
                                                               "shared_gate_proj",
                                                               "shared_up_proj",
                                                               "up_proj",
                                                               "v_proj"};
static_assert(kProjectionNames.size() == static_cast<std::size_t>(Projection::kValue) + 1);
static_assert(std::is_sorted(kProjectionNames.begin(), kProjectionNames.end()));

}  // namespace

std::string_view name_of(Projection projection) {
  return kProjectionNames[static_cast<std::size_t>(projection)];
}

std::optional<Projection> projection_named(std::string_view name) {
  const auto found = std::lower_bound(kProjectionNames.begin(), kProjectionNames.end(), name);
  if (found == kProjectionNames.end() || *found != name) return std::nullopt;
  return static_cast<Projection>(found - kProjectionNames.begin());
}

std::vector<std::string> names_of(const Projections& projections) {
  std::vector<std::string> names;
  for (const std::string_view name : kProjectionNames) {
    if (projections.contains(*projection_named(name))) names.emplace_back(name);
  }
  return names;
}

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
