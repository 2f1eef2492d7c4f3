// SPDX-License-Identifier: Apache-2.0
// Numbers and words as people read them. No locale is ever consulted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sizesheet {

inline constexpr double kGiB = 1073741824.0;
inline constexpr std::string_view kAbsent = "–";  // unknown, never 0

/// Fixed point with `decimals` places, thousands separated by commas, minus as U+2212, never "−0".
std::string format_number(double value, int decimals);
/// Thousands separated by commas, minus as U+2212.
std::string format_integer(std::int64_t value);
/// Bytes as GiB with `decimals` places (no unit).
std::string format_gib(std::int64_t bytes, int decimals);
/// "8.0 bn", "70.6 bn", "355 M": a parameter count for people.
std::string format_parameters(std::int64_t count);
/// Fewest digits that read back as the same double ("0.1", "1e+300"); for exports.
std::string shortest(double value);

std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::vector<std::string> split(std::string_view text, char separator);
bool starts_with(std::string_view text, std::string_view prefix);

/// An ASCII digit, whatever the locale.
inline bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

}  // namespace sizesheet
