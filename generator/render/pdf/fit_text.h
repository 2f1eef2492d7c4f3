// SPDX-License-Identifier: Apache-2.0
// Text against the font and the room: what can be printed, how wide it is, how it is cut and
// wrapped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/pdf/faces.h"
#include "render/pdf/page_layout.h"

namespace sizesheet::pdf {

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
