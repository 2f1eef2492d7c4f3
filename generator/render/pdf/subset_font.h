// SPDX-License-Identifier: Apache-2.0
// Cuts a font down to the characters of one page, with HarfBuzz. libharu only blanks the outlines
// it does not need and keeps every table, which for four faces is 100 KB of nothing.
#pragma once

#include <set>
#include <string>

namespace sizesheet::pdf {

/// A font of `font`'s outlines for `characters` alone, without hints and layout tables but with a
/// program for them that does nothing, which libharu needs. Its name table holds `family`, the
/// style "Regular" and `postscript_name`: libharu makes a style "Bold" part of the font's name and
/// asks readers to embolden what is bold already. Same input, same bytes. Throws InputError naming
/// `file` when the bytes are no such font.
std::string subset_font(const std::string& font, const std::string& file,
                        const std::set<char32_t>& characters, const std::string& family,
                        const std::string& postscript_name);

}  // namespace sizesheet::pdf
