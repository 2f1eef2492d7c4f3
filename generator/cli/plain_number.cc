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

}  // namespace sizesheet
