// SPDX-License-Identifier: Apache-2.0
#include "sizing/projections.h"

#include <algorithm>
#include <array>

namespace sizesheet {
namespace {

constexpr std::array<std::string_view, 21> kProjectionNames = {
    "down_proj", "embed_tokens",     "fc1_latent_proj",  "fc2_latent_proj", "gate_proj",
    "in_proj",   "k_proj",           "kv_a_proj",        "kv_b_proj",       "lm_head",
    "o_proj",    "out_proj",         "q_a_proj",         "q_b_proj",        "q_proj",
    "router",    "shared_down_proj", "shared_gate_proj", "shared_up_proj",  "up_proj",
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

}  // namespace sizesheet
