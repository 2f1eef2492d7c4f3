// SPDX-License-Identifier: Apache-2.0
// The fonts that go into the file: of each face of the page, the characters that stand there.
#pragma once

#include <map>
#include <set>
#include <string>

#include "render/pdf/faces.h"
#include "render/pdf/page_layout.h"

namespace sizesheet::pdf {

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

}  // namespace sizesheet::pdf
