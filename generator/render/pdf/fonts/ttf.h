// SPDX-License-Identifier: Apache-2.0
// A TrueType font read, cut down to the characters of one page, and its codes named.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

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

}  // namespace sizesheet::pdf
