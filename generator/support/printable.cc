// SPDX-License-Identifier: Apache-2.0
#include "support/printable.h"

#include <fmt/format.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <vector>

#include "support/text.h"
#include "support/utf8.h"

namespace sizesheet {
namespace {

/// What turns, joins, ends or hides text, and what no version of Unicode has given a meaning.
bool is_unsafe(char32_t character) {
  const auto code = static_cast<UChar32>(character);
  constexpr std::uint32_t kOthersAndEnds = U_GC_C_MASK | U_GC_ZL_MASK | U_GC_ZP_MASK;
  return (U_GET_GC_MASK(code) & kOthersAndEnds) != 0 ||
         u_hasBinaryProperty(code, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0;
}

/// Joiners and variations belong in a text where they change what is seen: in emoji, and behind
/// letters that join (as CONTEXTJ of RFC 5892 has it).
bool belongs_behind(char32_t previous, char32_t code) {
  const auto before = static_cast<UChar32>(previous);
  constexpr char32_t kNonJoiner = 0x200C;
  constexpr char32_t kJoiner = 0x200D;
  constexpr char32_t kTextStyle = 0xFE0E;
  constexpr char32_t kEmojiStyle = 0xFE0F;
  constexpr std::uint8_t kVirama = 9;
  const bool styles = code == kTextStyle || code == kEmojiStyle;
  if (!styles && code != kJoiner && code != kNonJoiner) return false;
  const bool ascii = before < 0x80;  // digits are emoji in keycaps
  if (!ascii && u_hasBinaryProperty(before, UCHAR_EMOJI) != 0) return code != kNonJoiner;
  if (styles) return false;
  if (previous == kEmojiStyle) return code == kJoiner;
  const int joins = u_getIntPropertyValue(before, UCHAR_JOINING_TYPE);
  return u_getCombiningClass(before) == kVirama || joins == U_JT_DUAL_JOINING ||
         joins == U_JT_RIGHT_JOINING || joins == U_JT_LEFT_JOINING;
}

}  // namespace

std::string plain_text(std::string_view raw) {
  std::string plain;
  for (std::size_t at = 0; at < raw.size();) {
    const std::size_t from = at;
    const auto code = next_character(raw, at);
    const std::string_view bytes = raw.substr(from, at - from);
    if (!code) {
      for (const char byte : bytes) {
        plain += fmt::format("\\x{{{:02X}}}", static_cast<unsigned char>(byte));
      }
    } else if (is_unsafe(*code)) {
      plain += fmt::format("\\u{{{:04X}}}", static_cast<std::uint32_t>(*code));
    } else {
      plain += bytes;
    }
  }
  return plain;
}

std::string in_quotes(std::string_view raw) { return "\"" + plain_text(raw) + "\""; }

std::string plain_lines(std::string_view raw) {
  std::vector<std::string> lines = split(raw, '\n');
  for (std::string& line : lines) line = plain_text(line);
  return join(lines, "\n");
}

std::string shown_path(const std::filesystem::path& path) {
  return plain_text(path.generic_string());
}

std::string unfit_character(std::string_view text) {
  // Most texts are plain ASCII, and an edition has millions of letters.
  if (std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7F; })) return "";
  char32_t before = ' ';
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code = next_character(text, at).value_or(before);
    if (is_unsafe(code) && !belongs_behind(before, code)) {
      return fmt::format("U+{:04X}", static_cast<std::uint32_t>(code));
    }
    before = code;
  }
  return "";
}

}  // namespace sizesheet
