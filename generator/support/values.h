// SPDX-License-Identifier: Apache-2.0
// Values as people write them: one reader for each kind, which options, requests and
// specifications share. A comma is taken only between groups of three digits; where it may be a
// decimal comma the value is refused, and the message names both readings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/json.h"

namespace sizesheet {

/// A word that a value may end in, in small letters, and what it multiplies the value by.
struct ValueUnit {
  const char* word;
  double factor;
};

/// A kind of value. The units are those of the figure that is read: tokens, hours, dollars, GiB.
struct ValueKind {
  const char* id;        ///< how the help names it: HOURS
  const char* words;     ///< what a message expects: "hours"
  const char* examples;  ///< "24, 1.5h, 3d or 90m"
  bool whole;            ///< no fraction is left once the unit is applied
  Bounds<double> bounds;
  std::vector<ValueUnit> units;
  enum class Money { kNone, kDollars, kPerHour, kPerKwh } money = Money::kNone;
};

const ValueKind& count_kind();    ///< GPUs, sequences, threads
const ValueKind& length_kind();   ///< tokens of a sequence: 8192, 8,192, 8k (of 1,024)
const ValueKind& tokens_kind();   ///< 50M, 1.5B, 5e7
const ValueKind& hours_kind();    ///< 24, 24h, 1.5d, 1w, 90m
const ValueKind& dollars_kind();  ///< 500, $1,500, 1k, 500 USD
const ValueKind& rate_kind();     ///< dollars per GPU-hour: 2.49, $2.49/h
const ValueKind& energy_kind();   ///< dollars per kWh: 0.12, $0.12/kWh
const ValueKind& years_kind();    ///< 3, 2.5y, 36 months
const ValueKind& share_kind();    ///< 10%, 0.1; from 0 to 1
const ValueKind& memory_kind();   ///< GiB: 24, 24GB, 24 GiB, 24576MiB. GB are those of a data sheet
const ValueKind& number_kind();   ///< a figure of another unit, not negative

/// Runs of one kind that somebody asks about.
inline constexpr Bounds<double> kRunsPerMonth = {0.01, 1e6};

/// A value, or what is wrong with the text that it was to be read from.
struct ReadValue {
  std::optional<double> value;
  std::string fault;  ///< "" where there is a value
};

ReadValue read_value(std::string_view text, const ValueKind& kind);
/// The same with other bounds than those of the kind.
ReadValue read_value(std::string_view text, const ValueKind& kind, Bounds<double> bounds);

/// Lengths with commas or blanks between them, each once. Where a comma may separate groups of
/// digits, the list is refused. Throws InputError, which `place` begins.
std::vector<std::int64_t> lengths_in(const std::string& place, const std::string& text);

/// "" for a day YYYY-MM-DD, else what is wrong with it.
std::string why_no_day(std::string_view text);

}  // namespace sizesheet
