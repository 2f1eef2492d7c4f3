// SPDX-License-Identifier: Apache-2.0
// Group relative policy optimisation as a request states it: what is generated, where, and which
// reference the policy is held to. Plain data.
#pragma once

#include <cstdint>

#include "support/named.h"

namespace sizesheet {

enum class GenerationPlace { kColocated, kServer };
inline constexpr NameTable<GenerationPlace, 2> kPlaces{
    {{GenerationPlace::kColocated, "colocated"}, {GenerationPlace::kServer, "server"}}};
/// The policy that the KL term compares with: none, the base with its adapters switched off, or a
/// copy of the weights.
enum class Reference { kNone, kAdapterOff, kCopy };
inline constexpr NameTable<Reference, 3> kReferences{{{Reference::kNone, "none"},
                                                      {Reference::kAdapterOff, "adapter-off"},
                                                      {Reference::kCopy, "copy"}}};

struct GrpoSpec {
  std::int64_t group_size = 8;  ///< completions of one prompt
  std::int64_t prompt_length = 512;
  std::int64_t completion_length = 1024;
  GenerationPlace place = GenerationPlace::kColocated;
  std::int64_t generation_tp = 1;
  std::int64_t generation_gpus = 0;  ///< of a server; 0: the trainer's own
  bool nf4_weights = false;          ///< the engine keeps the base in NF4, else in 16 bits
  double kv_bytes = 2;               ///< of one cached value
  double memory_fraction = 0.3;      ///< of the card, for everything the engine holds
  std::int64_t max_concurrent = 8;   ///< sequences that one engine generates at once
  bool sleep = true;                 ///< weights and cache leave the card while it trains
  Reference reference = Reference::kNone;

  bool colocated() const { return place == GenerationPlace::kColocated; }
  std::int64_t sequence() const { return prompt_length + completion_length; }
};

}  // namespace sizesheet
