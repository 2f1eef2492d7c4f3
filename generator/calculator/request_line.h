// SPDX-License-Identifier: Apache-2.0
// A line of JSON that asks, and the line that answers it, refusals too: for programs that send
// many, and for the calculator on a page.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "support/json.h"
#include "support/object_text.h"

namespace sizesheet {

struct RequestLine {
  std::int64_t number = 0;
  std::string text;
};

struct LineAnswer {
  std::string text;
  bool ok = false;
};

inline constexpr std::size_t kLongestLine = std::size_t{1} << 20U;

/// Answers one question with an object; `id` and `ok` are set here. Throws InputError to refuse it.
using JsonLineHandler = std::function<ObjectText(const Json& request, std::int64_t line_number)>;

/// Its answer, without an end of line.
LineAnswer answer_line(const RequestLine& line, const JsonLineHandler& handler);

/// What is written as a number and is none: the first of them in a line, and the line with null in
/// the place of each.
struct NonNumber {
  std::string key;    ///< the last string before it: the key where it is a member's value
  std::string token;  ///< "NaN", "Infinity", "-Infinity"
  std::string mended;
};

std::optional<NonNumber> find_non_number(std::string_view line);

}  // namespace sizesheet
