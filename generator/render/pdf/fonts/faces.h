// SPDX-License-Identifier: Apache-2.0
// Faces found and embedded, and text against the font and the room.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "render/pdf/fonts/ttf.h"
#include "render/pdf/page/page_layout.h"

namespace sizesheet::pdf {

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
