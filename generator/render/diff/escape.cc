// SPDX-License-Identifier: Apache-2.0
#include "render/diff/escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

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

bool unsafe(std::uint32_t code) {
  return std::any_of(kUnsafe.begin(), kUnsafe.end(),
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

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

/// Where character `count` begins.
std::size_t place_of(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  while (at < text.size() && count > 0) {
    ++at;
    while (at < text.size() && continues(text[at])) ++at;
    --count;
  }
  return at;
}

/// The point of "www.", in any case.
bool after_www(std::string_view text, std::size_t at) {
  if (text[at] != '.' || at < 3) return false;
  const std::string_view before = text.substr(at - 3, 3);
  return std::all_of(before.begin(), before.end(),
                     [](char letter) { return letter == 'w' || letter == 'W'; });
}

}  // namespace

std::string plain_text(std::string_view raw) {
  std::string plain;
  while (!raw.empty()) {
    const std::size_t length = first_length(raw);
    if (length == 0) {
      plain += fmt::format("\\x{{{:02X}}}", static_cast<unsigned char>(raw.front()));
    } else if (const std::uint32_t code = code_of(raw.substr(0, length)); unsafe(code)) {
      plain += fmt::format("\\u{{{:04X}}}", code);
    } else {
      plain += raw.substr(0, length);
    }
    raw.remove_prefix(std::max<std::size_t>(1, length));
  }
  return plain;
}

std::string markdown_text(std::string_view raw) {
  constexpr std::string_view kMarkup = "&<>|`*_[]~\\${}";
  constexpr std::string_view kMentions =
      "@#";  // of people and issues; a blank of no width ends them
  const std::string plain = plain_text(raw);
  std::string escaped;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const char letter = plain[i];
    const bool begins_link = plain.compare(i, 2, ":/") == 0 || after_www(plain, i);
    const bool mentions = kMentions.find(letter) != std::string_view::npos;
    if (begins_link || mentions || kMarkup.find(letter) != std::string_view::npos) {
      escaped += "&#" + std::to_string(static_cast<unsigned char>(letter)) + ";";
    } else {
      escaped += letter;
    }
    if (mentions) escaped += "&#8203;";
  }
  return escaped;
}

std::string markdown_code(std::string_view raw) {
  return raw.empty() ? "" : "<code>" + markdown_text(raw) + "</code>";
}

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return !continues(byte); }));
}

std::string elided(std::string_view text, std::size_t width) {
  const std::size_t length = width_of(text);
  if (length <= width) return std::string(text);
  const std::size_t head = width / 2;
  const std::size_t tail = width - head - 1;
  return std::string(text.substr(0, place_of(text, head))) + "…" +
         std::string(text.substr(place_of(text, length - tail)));
}

std::string padded_right(const std::string& text, std::size_t width) {
  const std::size_t length = width_of(text);
  return text + std::string(width > length ? width - length : 0, ' ');
}

std::string padded_left(const std::string& text, std::size_t width) {
  const std::size_t length = width_of(text);
  return std::string(width > length ? width - length : 0, ' ') + text;
}

}  // namespace sizesheet
