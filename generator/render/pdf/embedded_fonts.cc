// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/embedded_fonts.h"

#include "render/pdf/fit_text.h"
#include "render/pdf/subset_font.h"
#include "render/pdf/ttf.h"
#include "support/error.h"
#include "support/utf8.h"

namespace sizesheet::pdf {

namespace {

struct FontName {
  const char* family;
  const char* postscript;
};

/// libharu takes two fonts of one PostScript name for one font.
FontName name_of(Face face) {
  switch (face) {
    case Face::kRegular:
      return {"Roboto", "Roboto-Regular"};
    case Face::kBold:
      return {"Roboto", "Roboto-Bold"};
    case Face::kCondensed:
      return {"Roboto Condensed", "RobotoCondensed-Regular"};
    case Face::kCondensedBold:
      return {"Roboto Condensed", "RobotoCondensed-Bold"};
  }
  return {"", ""};
}

/// What was cut must still have every character, as wide as before.
void check_cut(const EmbeddedFont& font, Face face, const GlyphWidth& widths) {
  const TtfFont cut(font.bytes, font.file);
  for (const char32_t c : font.characters) {
    const std::uint16_t glyph = cut.glyph(c);
    const bool same =
        glyph != 0 && cut.advance(glyph) * 1000 / cut.units_per_em() == widths(face, c);
    if (!same) {
      throw InputError(font.file + ": no glyph for " + code_names(std::u32string(1, c)) +
                       " that can be embedded");
    }
  }
}

}  // namespace

UsedCharacters used_characters(const PageLayout& layout) {
  UsedCharacters used;
  for (const Mark& mark : layout.marks) {
    const auto* run = std::get_if<TextRun>(&mark);
    if (!run) continue;
    for (const char32_t c : decode(run->text)) used[run->style.face].insert(c);
  }
  return used;
}

EmbeddedFonts embedded_fonts(const Faces& faces, const UsedCharacters& used) {
  EmbeddedFonts fonts;
  const GlyphWidth widths = faces.widths();
  for (const auto& [face, characters] : used) {
    const auto [family, postscript] = name_of(face);
    const std::string& file = faces.path(face);
    EmbeddedFont font{file, subset_font(faces.bytes(face), file, characters, family, postscript),
                      characters};
    check_cut(font, face, widths);
    fonts.emplace(face, std::move(font));
  }
  return fonts;
}

}  // namespace sizesheet::pdf
