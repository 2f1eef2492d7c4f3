// SPDX-License-Identifier: Apache-2.0
#include "cli/plain_number.h"

#include <charconv>
#include <cmath>

#include "support/json.h"

namespace sizesheet {

std::string why_no_number(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc{} && last == end && std::isfinite(value)) return "";
  return "expected a number, got " + shown(text);
}

std::string why_no_count(const std::string& text) {
  const std::string digits = text.starts_with('-') ? text.substr(1) : text;
  const bool whole = !digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos;
  if (whole && (digits == "0" || digits.front() != '0')) return "";
  return "expected a whole number, got " + shown(text);
}

}  // namespace sizesheet
