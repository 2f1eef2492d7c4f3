// SPDX-License-Identifier: Apache-2.0
// How a job stands against its card, and the words for it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sizing/job/layout_shape.h"
#include "support/described.h"

namespace sizesheet {

/// How a job stands against its card, best first; unknown: no GPU was named.
enum class Verdict { kFits, kTight, kNo, kNotModelled, kUnknown };

struct VerdictFacts {
  Verdict value;
  std::string_view id;
  const char* answer;  ///< in a list of rows
  const char* words;   ///< in a sentence
  const char* mark;
};

/// Of every verdict, in the order of Verdict.
inline constexpr std::array<VerdictFacts, 5> kVerdicts{
    {{Verdict::kFits, "fits", "fits", "fits", "●"},
     {Verdict::kTight, "tight", "tight", "tight", "▲"},
     {Verdict::kNo, "no", "no", "does not fit", "○"},
     {Verdict::kNotModelled, "refused", "not modelled", "not modelled", "–"},
     {Verdict::kUnknown, "", "not modelled", "not modelled", "–"}}};

constexpr const auto& table_of(Verdict /*of*/) { return kVerdicts; }

/// Those of kUnknown where there is no such verdict.
constexpr const VerdictFacts& verdict_named(std::string_view id) {
  const auto found = std::ranges::find(kVerdicts, id, &VerdictFacts::id);
  return found == kVerdicts.end() ? kVerdicts.back() : *found;
}

constexpr bool holds(Verdict verdict) { return verdict <= Verdict::kTight; }

/// Whether bytes stay within a card up to the upper end of their range, `device_high`. nullopt: no
/// card is named, or no range is known.
constexpr std::optional<bool> is_certain(std::int64_t device_high, std::int64_t capacity) {
  if (device_high <= 0 || capacity <= 0) return std::nullopt;
  return device_high <= capacity;
}

/// How a job stands that fits, but not up to the upper end of its range. The verdict stays kFits.
inline constexpr VerdictFacts kNotCertain{Verdict::kFits, "fits", "fits, not certain",
                                          "fits, not certain", "◐"};

/// Behind a verdict or a count that holds but is not certain, where there is no room for words.
inline constexpr const char* kDoubtMark = "?";

/// "not certain: up to 81.3 of 79.2 GiB; run two training steps first": what has to follow a
/// verdict that holds where `is_certain` says no. "" elsewhere.
std::string doubt_words(Verdict verdict, std::int64_t device_high, std::int64_t capacity);

/// The verdict in a sentence, with its doubt: "fits", "tight, not certain: up to 81.3 of 79.2 GiB;
/// run two training steps first", "does not fit".
std::string standing_words(Verdict verdict, std::int64_t device_high, std::int64_t capacity);

/// A layout with the bytes on one GPU, and what they are held against.
struct SizedLayout {
  LayoutShape layout = {};
  std::int64_t device = 0;
  std::int64_t device_high = 0;  ///< upper end of its range; 0: no range is known
  std::int64_t capacity = 0;     ///< 0: no GPU was named
  Verdict verdict = Verdict::kUnknown;
  std::optional<bool> certain = {};  ///< is_certain

  static constexpr Key kKeys[] = {{"device", "device_bytes"},
                                  {"device_high", "device_high_bytes"},
                                  {"capacity", "capacity_bytes"}};
};
BOOST_DESCRIBE_STRUCT(SizedLayout, (), (layout, device, device_high, capacity, verdict, certain))

/// A count of GPUs and how it stands.
struct CountCheck {
  std::int64_t gpus = 0;
  Verdict verdict = Verdict::kUnknown;
  std::int64_t device = 0;       ///< bytes needed
  std::int64_t device_high = 0;  ///< upper end of their range; 0: no range is known
  std::optional<bool> certain;   ///< is_certain
  std::int64_t over = 0;         ///< device - capacity when positive, else 0
  std::string peak_phase;
  std::string largest_term;
};
BOOST_DESCRIBE_STRUCT(CountCheck, (),
                      (gpus, verdict, device, device_high, certain, over, peak_phase, largest_term))

}  // namespace sizesheet
