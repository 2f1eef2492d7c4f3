// SPDX-License-Identifier: Apache-2.0
// Which characters the codes of a font stand for: what a reader copies and searches by. libharu
// writes the operator of another kind of map there, so that readers have to guess.
#pragma once

#include <set>
#include <string>

namespace sizesheet::pdf {

/// A ToUnicode map for codes that are the characters themselves, all below U+10000.
std::string to_unicode_map(const std::set<char32_t>& characters);

}  // namespace sizesheet::pdf
