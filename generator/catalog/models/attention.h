// SPDX-License-Identifier: Apache-2.0
// Heads and routed experts as config.json files name them.
#pragma once

#include <cstdint>
#include <optional>

namespace sizesheet {

class FamilyKeys;
struct Attention;
struct MoePlan;
struct Traits;

Attention read_attention(FamilyKeys& keys, const Traits& traits, std::int64_t hidden);

/// Norm layers in a block.
std::int64_t read_norms(FamilyKeys& keys);

/// The experts of the model; nullopt when it has none. `mlp_width` is its intermediate_size, or 0.
std::optional<MoePlan> read_moe(FamilyKeys& keys, const Traits& traits, std::int64_t mlp_width);

}  // namespace sizesheet
