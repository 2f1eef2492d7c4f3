// SPDX-License-Identifier: Apache-2.0
// Routed experts as the catalog and as published config.json files name them.
#pragma once

#include <cstdint>
#include <optional>

#include "catalog/blocks.h"
#include "catalog/family_keys.h"

namespace sizesheet {

/// The experts of the model; nullopt when it has none. `mlp_width` is its intermediate_size, or 0.
std::optional<MoePlan> read_moe(FamilyKeys& keys, const Traits& traits, std::int64_t mlp_width);

}  // namespace sizesheet
