// SPDX-License-Identifier: Apache-2.0
// What the engine asks of ICU, from tables that the machine's own ICU wrote at build time
// (cmake/calculator/unicode_ranges.cc): a page cannot carry the whole of it.

#include <unicode/uchar.h>
#include <unicode_ranges.h>

#include <algorithm>
#include <iterator>

namespace {

template <std::size_t kCount>
bool is_in(const CharacterRange (&ranges)[kCount], UChar32 code) {
  const auto behind = std::upper_bound(
      std::begin(ranges), std::end(ranges), code,
      [](UChar32 wanted, const CharacterRange& one) { return wanted < one.first; });
  return behind != std::begin(ranges) && code <= std::prev(behind)->last;
}

}  // namespace

/// Only whether a character is one of the others or ends a line is asked.
int8_t u_charType(UChar32 code) {
  return is_in(kOthersAndEnds, code) ? U_UNASSIGNED : U_OTHER_LETTER;
}

UBool u_hasBinaryProperty(UChar32 code, UProperty property) {
  return property == UCHAR_EMOJI ? is_in(kEmoji, code) : is_in(kIgnorable, code);
}

int32_t u_getIntPropertyValue(UChar32 code, UProperty /*joining*/) {
  return is_in(kJoining, code) ? U_JT_DUAL_JOINING : U_JT_NON_JOINING;
}

uint8_t u_getCombiningClass(UChar32 code) { return is_in(kViramas, code) ? 9 : 0; }
