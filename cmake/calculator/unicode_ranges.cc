// SPDX-License-Identifier: Apache-2.0
// Writes the characters that generator/calculator/web/wasm_platform.cc tells apart, as ranges, from the
// ICU of the machine that builds: what the program answers natively, the page answers too.
#include <unicode/uchar.h>

#include <cstdio>

namespace {

template <typename Holds>
void write_ranges(const char* name, const Holds& holds) {
  std::printf("inline constexpr CharacterRange %s[] = {", name);
  for (UChar32 code = 0; code <= UCHAR_MAX_VALUE; ++code) {
    if (!holds(code)) continue;
    const UChar32 first = code;
    while (code < UCHAR_MAX_VALUE && holds(code + 1)) ++code;
    std::printf("{0x%X, 0x%X},", static_cast<unsigned>(first), static_cast<unsigned>(code));
  }
  std::printf("};\n");
}

}  // namespace

int main() {
  std::printf("#pragma once\n#include <cstdint>\n");
  std::printf("struct CharacterRange { std::int32_t first; std::int32_t last; };\n");
  write_ranges("kOthersAndEnds", [](UChar32 code) {
    return (U_GET_GC_MASK(code) & (U_GC_C_MASK | U_GC_ZL_MASK | U_GC_ZP_MASK)) != 0;
  });
  write_ranges("kIgnorable", [](UChar32 code) {
    return u_hasBinaryProperty(code, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0;
  });
  write_ranges("kEmoji",
               [](UChar32 code) { return u_hasBinaryProperty(code, UCHAR_EMOJI) != 0; });
  write_ranges("kJoining", [](UChar32 code) {
    const int joins = u_getIntPropertyValue(code, UCHAR_JOINING_TYPE);
    return joins == U_JT_DUAL_JOINING || joins == U_JT_RIGHT_JOINING || joins == U_JT_LEFT_JOINING;
  });
  write_ranges("kViramas", [](UChar32 code) { return u_getCombiningClass(code) == 9; });
}
