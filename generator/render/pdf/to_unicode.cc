// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/to_unicode.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace sizesheet::pdf {

namespace {

constexpr std::size_t kMostInBlock = 100;  // limit of the format

std::string code(char32_t character) {
  char text[16];
  std::snprintf(text, sizeof text, "<%04X>", static_cast<unsigned>(character));
  return text;
}

}  // namespace

std::string to_unicode_map(const std::set<char32_t>& characters) {
  std::string map =
      "/CIDInit /ProcSet findresource begin\n"
      "12 dict begin\n"
      "begincmap\n"
      "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
      "/CMapName /Adobe-Identity-UCS def\n"
      "/CMapType 2 def\n"
      "1 begincodespacerange\n"
      "<0000> <FFFF>\n"
      "endcodespacerange\n";
  const std::vector<char32_t> all(characters.begin(), characters.end());
  for (std::size_t from = 0; from < all.size(); from += kMostInBlock) {
    const std::size_t to = std::min(all.size(), from + kMostInBlock);
    map += std::to_string(to - from) + " beginbfchar\n";
    for (std::size_t i = from; i < to; ++i) map += code(all[i]) + " " + code(all[i]) + "\n";
    map += "endbfchar\n";
  }
  return map +
         "endcmap\n"
         "CMapName currentdict /CMap defineresource pop\n"
         "end\n"
         "end\n";
}

}  // namespace sizesheet::pdf
