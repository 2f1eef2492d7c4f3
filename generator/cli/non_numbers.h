// SPDX-License-Identifier: Apache-2.0
// NaN and Infinity, which many programs write and JSON does not know: found, so that a refusal can
// name the key that holds one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sizesheet {

/// The first of them in a line, and the line with null in the place of each.
struct NonNumber {
  std::string key;    ///< the last string before it: the key where it is a member's value
  std::string token;  ///< "NaN", "Infinity", "-Infinity"
  std::string mended;
};

std::optional<NonNumber> find_non_number(std::string_view line);

}  // namespace sizesheet
