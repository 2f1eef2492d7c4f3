// SPDX-License-Identifier: Apache-2.0
#include "support/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>

namespace sizesheet {
namespace {

constexpr std::string_view kMinus = "−";
constexpr int kMostPlaces = 30;

/// Commas between groups of three of the digits before the point.
std::string grouped(std::string_view digits) {
  const std::size_t whole = std::min(digits.find('.'), digits.size());
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && i < whole && (whole - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

/// to_chars rounds a tie to the even digit, people round it up. A binary fraction with at most n
/// binary places has at most n decimal ones, so a tie shows as a last decimal 5 that is exact.
std::string fixed(double size, int decimals) {
  char buffer[400];
  const auto print = [&](double value, int places) {
    const auto end = std::to_chars(std::begin(buffer), std::end(buffer), value,
                                   std::chars_format::fixed, places);
    return std::string(std::begin(buffer), end.ptr);
  };
  const double shifted = std::ldexp(size, decimals + 1);
  const bool exact = shifted == std::floor(shifted);
  if (exact && print(size, decimals + 1).back() == '5') {
    size = std::nextafter(size, std::numeric_limits<double>::infinity());
  }
  return print(size, decimals);
}

}  // namespace

std::string format_number(double value, int decimals) {
  if (!std::isfinite(value)) return std::string(kAbsent);
  const std::string digits = fixed(std::fabs(value), std::min(std::max(decimals, 0), kMostPlaces));
  const bool zero = digits.find_first_not_of("0.") == std::string::npos;
  return (value < 0 && !zero ? std::string(kMinus) : "") + grouped(digits);
}

std::string format_integer(std::int64_t value) {
  const std::string digits = std::to_string(value);
  if (value >= 0) return grouped(digits);
  return std::string(kMinus) + grouped(std::string_view(digits).substr(1));
}

std::string format_gib(std::int64_t bytes, int decimals) {
  return format_number(static_cast<double>(bytes) / kGiB, decimals);
}

std::string format_parameters(std::int64_t count) {
  // The limits lie where the smaller unit would round up to 1,000.
  if (count >= 999500000) return format_number(static_cast<double>(count) / 1e9, 1) + " bn";
  if (count >= 9950000) return format_number(static_cast<double>(count) / 1e6, 0) + " M";
  if (count >= 1000000) return format_number(static_cast<double>(count) / 1e6, 1) + " M";
  return format_integer(count);
}

std::string shortest(double value) {
  if (value == 0) return "0";  // also for -0
  // Plain digits wherever a person would write them; 5e+08 is shorter but nobody reads it.
  const bool plain = std::abs(value) >= 1e-6 && std::abs(value) < 1e16;
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  char buffer[64];
  const auto end = std::to_chars(std::begin(buffer), std::end(buffer), value, format);
  return {std::begin(buffer), end.ptr};
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += separator;
    text += parts[i];
  }
  return text;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char letter : text) {
    if (letter == separator) {
      parts.emplace_back();
    } else {
      parts.back() += letter;
    }
  }
  return parts;
}

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

}  // namespace sizesheet
