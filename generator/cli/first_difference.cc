// SPDX-License-Identifier: Apache-2.0
#include "cli/first_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "support/json.h"
#include "support/text.h"
#include "support/utf8.h"

namespace sizesheet {
namespace {

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

/// The rest of the line from a little before `at`, quoted and cut; "the end" after the last line.
std::string excerpt(std::string_view text, std::size_t at) {
  constexpr std::size_t kBefore = 12;
  if (at >= text.size()) return "the end";
  const std::size_t newline = text.rfind('\n', at == 0 ? 0 : at - 1);
  const std::size_t line = at == 0 || newline == std::string_view::npos ? 0 : newline + 1;
  std::size_t from = at - std::min(at - line, kBefore);
  while (from > line && continues_character(text[from])) --from;
  return shown(Json(text.substr(from, text.find('\n', at) - from)));
}

std::string byte_words(const std::string& text, std::size_t at) {
  if (at >= text.size()) return "the end";
  return fmt::format("0x{:02x}", static_cast<unsigned char>(text[at]));
}

/// Of the character that holds the byte at `at`.
std::string place_words(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t newline = before.rfind('\n');
  const std::string_view line =
      newline == std::string_view::npos ? before : before.substr(newline + 1);
  const auto letters =
      std::count_if(line.begin(), line.end(), [](char byte) { return !continues_character(byte); });
  return "line " + format_integer(lines + 1) + ", column " + format_integer(letters + 1);
}

}  // namespace

std::string first_difference(const std::string& expected, const std::string& got) {
  if (expected == got) return "";
  const auto [there, here] =
      std::mismatch(expected.begin(), expected.end(), got.begin(), got.end());
  auto at = static_cast<std::size_t>(there - expected.begin());
  if (!is_utf8(expected) || !is_utf8(got)) {
    return "byte " + format_integer(static_cast<std::int64_t>(at) + 1) + ": expected " +
           byte_words(expected, at) + ", got " + byte_words(got, at);
  }
  while (at > 0 && at < expected.size() && continues_character(expected[at])) --at;
  return place_words(expected, at) + ": expected " + excerpt(expected, at) + ", got " +
         excerpt(got, at);
}

}  // namespace sizesheet
