// SPDX-License-Identifier: Apache-2.0
// The four faces of the page: where they are, how wide their characters, what text can be printed,
// and which characters of them go into the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "render/pdf/page_layout.h"

struct hb_font_t;

namespace sizesheet::pdf {

/// What a page needs of a TrueType font: which characters it has, and how wide they are. libharu
/// draws nothing and reports nothing for a missing glyph, so it must be known before drawing.
class TtfFont {
 public:
  /// `file` names the font in messages. Throws InputError when the bytes are no TrueType font with
  /// glyf outlines and a character map.
  TtfFont(const std::string& bytes, const std::string& file);

  /// Glyph of a character; 0 when the font lacks it. Beyond U+FFFF always 0, as libharu draws it.
  std::uint16_t glyph(char32_t character) const;
  /// In thousandths of the em; absent when the font lacks the character.
  std::optional<int> width(char32_t character) const;

 private:
  std::shared_ptr<hb_font_t> font_;
};

/// Width of a character in thousandths of the em, as libharu writes it into the file; absent when
/// the face lacks the character.
using GlyphWidth = std::function<std::optional<int>(Face, char32_t)>;

/// Where Debian's fonts-roboto-unhinted puts them.
inline constexpr const char* kFontDirectory = "/usr/share/fonts/truetype/roboto/unhinted";

class Faces {
 public:
  /// Reads all four from the first directory that has them, at any depth. Throws InputError naming
  /// the missing file, where it was looked for, and the package that holds it.
  explicit Faces(const std::vector<std::filesystem::path>& directories = {
                     kFontDirectory, "/usr/share/fonts", "/usr/local/share/fonts"});

  const std::string& path(Face face) const { return of(face).path; }
  /// The whole font file.
  const std::string& bytes(Face face) const { return of(face).bytes; }
  /// Refers to this object.
  GlyphWidth widths() const;

 private:
  struct Loaded {
    std::string path;
    std::string bytes;
    TtfFont font;
  };
  const Loaded& of(Face face) const { return faces_.at(static_cast<std::size_t>(face)); }

  std::vector<Loaded> faces_;
};

/// libharu only blanks the outlines it does not need and keeps every table, which for four faces is
/// 100 KB of nothing. A font of `font`'s outlines for `characters` alone, without hints and layout
/// tables but with a program for them that does nothing, which libharu needs. Its name table holds
/// `family`, the style "Regular" and `postscript_name`: libharu makes a style "Bold" part of the
/// font's name and asks readers to embolden what is bold already. Same input, same bytes. Throws
/// InputError naming `file` when the bytes are no such font.
std::string subset_font(const std::string& font, const std::string& file,
                        const std::set<char32_t>& characters, const std::string& family,
                        const std::string& postscript_name);

/// A ToUnicode map for codes that are the characters themselves, all below U+10000: what a reader
/// copies and searches by. libharu writes the operator of another kind of map there, so that
/// readers have to guess.
std::string to_unicode_map(const std::set<char32_t>& characters);

// ---- The fonts that go into the file, each with the characters that stand on the page.

using UsedCharacters = std::map<Face, std::set<char32_t>>;

struct EmbeddedFont {
  std::string file;  ///< that it was made from, for messages
  std::string bytes;
  std::set<char32_t> characters;
};
using EmbeddedFonts = std::map<Face, EmbeddedFont>;

/// A face without text is absent.
UsedCharacters used_characters(const PageLayout& layout);

/// Throws InputError naming the font that lacks a character: libharu would draw nothing and say
/// nothing.
EmbeddedFonts embedded_fonts(const Faces& faces, const UsedCharacters& used);

// ---- Text against the font and the room.

inline constexpr double kWidthTolerance = 1e-6;  ///< a text exactly as wide as its room fits

struct Printable {
  std::string text;
  std::u32string missing;  ///< what was replaced, each once
};

/// White space collapsed (no-break spaces stay), characters the face lacks and malformed bytes
/// (U+FFFD) replaced by '?'.
Printable printable(std::string_view text, Face face, const GlyphWidth& glyphs);

/// "U+65E5, U+672C"; at most four.
std::string code_names(std::u32string_view characters);
/// The beginning of a text, for messages.
std::string excerpt(std::string_view text);

/// Width in points; characters the face lacks count nothing.
double text_width(std::string_view text, const Style& style, const GlyphWidth& glyphs);

/// The text, or as much of its beginning as fits with "…"; "" when not even that fits.
std::string ellipsized(const std::string& text, const Style& style, double width,
                       const GlyphWidth& glyphs);

/// Lines of at most `width`; breaks at blanks, and inside a word only when it is wider than a line.
std::vector<std::string> wrapped(const std::string& text, const Style& style, double width,
                                 const GlyphWidth& glyphs);

}  // namespace sizesheet::pdf
