// SPDX-License-Identifier: Apache-2.0
#include "cli/non_numbers.h"

#include <array>

namespace sizesheet {

namespace {

constexpr std::array<std::string_view, 3> kTokens = {"NaN", "Infinity", "-Infinity"};

std::string_view token_at(std::string_view line, std::size_t at) {
  for (const std::string_view token : kTokens) {
    if (line.substr(at, token.size()) == token) return token;
  }
  return "";
}

/// The text from the quote at `at` to its closing quote, or to the end of the line.
std::string_view string_at(std::string_view line, std::size_t at) {
  std::size_t end = at + 1;
  while (end < line.size() && line[end] != '"') end += line[end] == '\\' ? 2 : 1;
  return line.substr(at, end + 1 - at);
}

}  // namespace

std::optional<NonNumber> find_non_number(std::string_view line) {
  NonNumber found;
  std::string_view last;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == '"') {
      last = string_at(line, at);
      found.mended += last;
      at += last.size();
      continue;
    }
    const std::string_view token = token_at(line, at);
    if (!token.empty() && found.token.empty()) {
      found.key = last.size() < 2 ? "" : last.substr(1, last.size() - 2);
      found.token = token;
    }
    found.mended += token.empty() ? line.substr(at, 1) : "null";
    at += token.empty() ? 1 : token.size();
  }
  return found.token.empty() ? std::nullopt : std::optional<NonNumber>(found);
}

}  // namespace sizesheet
