// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/fit_text.h"

#include <unicode/uchar.h>

#include <cstdio>

#include "support/text.h"
#include "support/utf8.h"

namespace sizesheet::pdf {

namespace {

constexpr char32_t kMalformed = 0xFFFD;
constexpr char32_t kBlank = 0x20;
constexpr char32_t kComma = 0x2C;
constexpr char32_t kQuestionMark = 0x3F;
constexpr std::size_t kQuoted = 60;  // characters of a text that a message repeats
constexpr std::size_t kNamed = 4;    // lacking characters that a message names

bool is_blank(char32_t c) { return c <= 0x20 || c == 0x7F || c == 0x2028 || c == 0x2029; }

/// Marks without a width of their own that steer other systems: nothing is lost without them.
bool is_invisible(char32_t c) {
  return u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0;
}

std::string code_name(char32_t c) {
  char name[16];
  std::snprintf(name, sizeof name, "U+%04X", static_cast<unsigned>(c));
  return name;
}

std::u32string collapsed(std::u32string_view characters) {
  std::u32string out;
  for (const char32_t c : characters) {
    if (is_invisible(c)) continue;
    if (!is_blank(c)) {
      out += c;
    } else if (!out.empty() && out.back() != kBlank) {
      out += kBlank;
    }
  }
  if (!out.empty() && out.back() == kBlank) out.pop_back();
  return out;
}

/// Splits a word that is wider than a line; the last piece may be narrower.
std::vector<std::string> pieces_of(const std::string& word, const Style& style, double width,
                                   const GlyphWidth& glyphs) {
  std::vector<std::string> pieces;
  std::u32string piece;
  for (const char32_t c : decode(word)) {
    if (!piece.empty() && text_width(encode(piece + c), style, glyphs) > width + kWidthTolerance) {
      pieces.push_back(encode(piece));
      piece.clear();
    }
    piece += c;
  }
  if (!piece.empty()) pieces.push_back(encode(piece));
  return pieces;
}

}  // namespace

Printable printable(std::string_view text, Face face, const GlyphWidth& glyphs) {
  std::u32string kept;
  Printable out;
  for (const char32_t c : collapsed(decode(text))) {
    const bool lacking = c == kMalformed || !glyphs(face, c);
    kept += lacking ? kQuestionMark : c;
    if (lacking && out.missing.find(c) == std::u32string::npos) out.missing += c;
  }
  out.text = encode(kept);
  return out;
}

std::string code_names(std::u32string_view characters) {
  std::vector<std::string> names;
  for (const char32_t c : characters.substr(0, kNamed)) names.push_back(code_name(c));
  if (characters.size() > kNamed) names.emplace_back("…");
  return join(names, ", ");
}

std::string excerpt(std::string_view text) {
  const std::u32string characters = decode(text);
  if (characters.size() <= kQuoted) return encode(characters);
  return encode(characters.substr(0, kQuoted)) + "…";
}

double text_width(std::string_view text, const Style& style, const GlyphWidth& glyphs) {
  std::int64_t thousandths = 0;
  for (const char32_t c : decode(text)) thousandths += glyphs(style.face, c).value_or(0);
  return static_cast<double>(thousandths) * style.size / 1000;
}

std::string ellipsized(const std::string& text, const Style& style, double width,
                       const GlyphWidth& glyphs) {
  if (text_width(text, style, glyphs) <= width + kWidthTolerance) return text;
  std::u32string kept = decode(text);
  while (!kept.empty()) {
    kept.pop_back();
    while (!kept.empty() && (kept.back() == kBlank || kept.back() == kComma)) kept.pop_back();
    std::string cut = encode(kept) + "…";
    if (text_width(cut, style, glyphs) <= width + kWidthTolerance) return kept.empty() ? "" : cut;
  }
  return "";
}

std::vector<std::string> wrapped(const std::string& text, const Style& style, double width,
                                 const GlyphWidth& glyphs) {
  std::vector<std::string> lines;
  std::string line;
  for (const std::string& word : split(text, ' ')) {
    if (word.empty()) continue;
    const std::string longer = line.empty() ? word : line + " " + word;
    if (text_width(longer, style, glyphs) <= width + kWidthTolerance) {
      line = longer;
      continue;
    }
    if (!line.empty()) lines.push_back(line);
    const std::vector<std::string> pieces = pieces_of(word, style, width, glyphs);
    lines.insert(lines.end(), pieces.begin(), pieces.end() - 1);
    line = pieces.back();
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

}  // namespace sizesheet::pdf
