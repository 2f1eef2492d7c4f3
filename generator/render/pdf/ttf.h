// SPDX-License-Identifier: Apache-2.0
// Reads what a page needs from a TrueType font: which characters it has, and how wide they are.
// libharu draws nothing and reports nothing for a missing glyph, so it must be known before
// drawing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sizesheet::pdf {

class TtfFont {
 public:
  /// `file` names the font in messages. Throws InputError when the bytes are no TrueType font with
  /// glyf outlines and a character map of format 4.
  TtfFont(const std::string& bytes, const std::string& file);

  /// Glyph of a character; 0 when the font lacks it. Beyond U+FFFF always 0, as libharu draws it.
  std::uint16_t glyph(char32_t character) const;
  /// Advance in font units; a glyph beyond the table has the last advance.
  int advance(std::uint16_t glyph) const;
  int units_per_em() const { return units_per_em_; }

 private:
  struct Range {
    char32_t first;
    char32_t last;
    std::vector<std::uint16_t> glyphs;
  };

  int units_per_em_ = 0;
  std::vector<Range> ranges_;
  std::vector<std::uint16_t> advances_;

  friend class TtfReader;
};

}  // namespace sizesheet::pdf
