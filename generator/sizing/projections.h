// SPDX-License-Identifier: Apache-2.0
// The projections that a model may have, by the names that requests use for them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/enum_set.h"

namespace sizesheet {

/// In the order of their names.
enum class Projection : std::uint8_t {
  kDown,
  kEmbedding,
  kLatentIn,
  kLatentOut,
  kGate,
  kMambaIn,
  kKey,
  kKvDown,  ///< into the latent space of keys and values
  kKvUp,
  kHead,
  kOutput,  ///< of attention
  kMambaOut,
  kQueryDown,  ///< into the latent space of queries
  kQueryUp,
  kQuery,
  kRouter,
  kSharedDown,
  kSharedGate,
  kSharedUp,
  kUp,
  kValue
};

using Projections = EnumSet<Projection>;

/// "q_proj", "lm_head" …
std::string_view name_of(Projection projection);

std::optional<Projection> projection_named(std::string_view name);

/// Sorted.
std::vector<std::string> names_of(const Projections& projections);

}  // namespace sizesheet
