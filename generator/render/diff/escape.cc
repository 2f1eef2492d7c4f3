// SPDX-License-Identifier: Apache-2.0
#include "render/diff/escape.h"

#include <algorithm>

#include "support/printable.h"

namespace sizesheet {
namespace {

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
