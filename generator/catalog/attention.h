// SPDX-License-Identifier: Apache-2.0
// Heads, head sizes and latent ranks as config.json files name them.
#pragma once

#include <cstdint>

#include "catalog/family_keys.h"
#include "catalog/model.h"

namespace sizesheet {

Attention read_attention(FamilyKeys& keys, const Traits& traits, std::int64_t hidden);

/// Norm layers in a block.
std::int64_t read_norms(FamilyKeys& keys, const Traits& traits);

}  // namespace sizesheet
