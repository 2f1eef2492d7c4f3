// SPDX-License-Identifier: Apache-2.0
#include "sizing/memory/verdict.h"

#include "support/named.h"
#include "support/text.h"

namespace sizesheet {

std::string doubt_words(Verdict verdict, std::int64_t device_high, std::int64_t capacity) {
  if (!holds(verdict) || is_certain(device_high, capacity).value_or(true)) return "";
  // As many decimals as tell the two apart.
  constexpr int kMostDecimals = 9;
  int decimals = 1;
  const auto gib = [&](std::int64_t bytes) { return format_gib(bytes, decimals); };
  while (gib(device_high) == gib(capacity) && decimals < kMostDecimals) ++decimals;
  return "not certain: up to " + gib(device_high) + " of " + gib(capacity) +
         " GiB; run two training steps first";
}

std::string standing_words(Verdict verdict, std::int64_t device_high, std::int64_t capacity) {
  const std::string doubt = doubt_words(verdict, device_high, capacity);
  return facts_of(verdict).words + (doubt.empty() ? "" : ", " + doubt);
}

}  // namespace sizesheet
