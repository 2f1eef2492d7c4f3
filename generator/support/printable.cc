// SPDX-License-Identifier: Apache-2.0
#include "support/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "support/text.h"

namespace sizesheet {
namespace {

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

/// Controls, and what turns, joins or hides text: marks of direction, blanks of no width, tags.
constexpr std::array kUnsafe{
    Range{0x00, 0x1F},     Range{0x7F, 0x9F},     Range{0xAD, 0xAD},     Range{0x61C, 0x61C},
    Range{0x180E, 0x180E}, Range{0x200B, 0x200F}, Range{0x2028, 0x202E}, Range{0x2060, 0x206F},
    Range{0xFE00, 0xFE0F}, Range{0xFEFF, 0xFEFF}, Range{0xFFF9, 0xFFFB}, Range{0xE0000, 0xE0FFF},
};

/// Controls, ends of lines, and overrides of direction.
constexpr std::array kUnfit{Range{0x00, 0x1F}, Range{0x7F, 0x9F}, Range{0x2028, 0x202E},
                            Range{0x2066, 0x2069}};

bool is_in(std::span<const Range> ranges, std::uint32_t code) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const Range& range) { return code >= range.first && code <= range.last; });
}

/// Bytes of the character that begins `text`; 0 where none does.
std::size_t first_length(std::string_view text) {
  const std::size_t most = std::min<std::size_t>(4, text.size());
  for (std::size_t length = 1; length <= most; ++length) {
    if (is_utf8(text.substr(0, length))) return length;
  }
  return 0;
}

std::uint32_t code_of(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return lead;
  std::uint32_t code = lead & (0x7FU >> character.size());
  for (const char byte : character.substr(1)) {
    code = (code << 6U) | (static_cast<unsigned char>(byte) & 0x3FU);
  }
  return code;
}

}  // namespace

std::string plain_text(std::string_view raw) {
  std::string plain;
  while (!raw.empty()) {
    const std::size_t length = first_length(raw);
    if (length == 0) {
      plain += fmt::format("\\x{{{:02X}}}", static_cast<unsigned char>(raw.front()));
    } else if (const std::uint32_t code = code_of(raw.substr(0, length)); is_in(kUnsafe, code)) {
      plain += fmt::format("\\u{{{:04X}}}", code);
    } else {
      plain += raw.substr(0, length);
    }
    raw.remove_prefix(std::max<std::size_t>(1, length));
  }
  return plain;
}

std::string plain_lines(std::string_view raw) {
  std::vector<std::string> lines = split(raw, '\n');
  for (std::string& line : lines) line = plain_text(line);
  return join(lines, "\n");
}

std::string unfit_character(std::string_view text) {
  // Most texts are plain ASCII, and an edition has millions of letters.
  if (std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7F; })) return "";
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(1, first_length(text));
    const std::uint32_t code = code_of(text.substr(0, length));
    if (is_in(kUnfit, code)) return fmt::format("U+{:04X}", code);
    text.remove_prefix(length);
  }
  return "";
}

}  // namespace sizesheet
