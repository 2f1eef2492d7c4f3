// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/fonts/ttf.h"

#include <hb-subset.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <new>
#include <utility>

#include "render/pdf/fonts/room.h"
#include "support/error.h"

namespace sizesheet::pdf {
namespace {

constexpr hb_tag_t kName = HB_TAG('n', 'a', 'm', 'e');
constexpr hb_tag_t kProgram = HB_TAG('p', 'r', 'e', 'p');

/// Tables for shaping, which libharu does not do, and for screens.
constexpr hb_tag_t kDropped[] = {
    HB_TAG('G', 'S', 'U', 'B'), HB_TAG('G', 'P', 'O', 'S'), HB_TAG('G', 'D', 'E', 'F'),
    HB_TAG('k', 'e', 'r', 'n'), HB_TAG('g', 'a', 's', 'p'), HB_TAG('h', 'd', 'm', 'x'),
    HB_TAG('V', 'D', 'M', 'X'), HB_TAG('L', 'T', 'S', 'H'), HB_TAG('v', 'h', 'e', 'a'),
    HB_TAG('v', 'm', 't', 'x'), HB_TAG('D', 'S', 'I', 'G')};

template <typename Object>
using Owned = std::unique_ptr<Object, void (*)(Object*)>;
using Blob = Owned<hb_blob_t>;
using FontFace = Owned<hb_face_t>;

Blob blob_of(const std::string& bytes) {
  return {hb_blob_create(bytes.data(), static_cast<unsigned>(bytes.size()),
                         HB_MEMORY_MODE_DUPLICATE, nullptr, nullptr),
          &hb_blob_destroy};
}

Blob blob_of(hb_face_t* face) { return {hb_face_reference_blob(face), &hb_blob_destroy}; }

std::string bytes_of(const Blob& blob) {
  unsigned size = 0;
  const char* data = hb_blob_get_data(blob.get(), &size);
  return {data, size};
}

std::string u16(std::size_t value) {
  return {static_cast<char>(value >> 8U & 0xFFU), static_cast<char>(value & 0xFFU)};
}

/// ASCII as UTF-16BE.
std::string wide(const std::string& ascii) {
  std::string out;
  for (const char c : ascii) out += {'\0', c};
  return out;
}

/// A name table of format 0 with family (1), style (2) and PostScript name (6) for Windows.
std::string name_table(const std::string& family, const std::string& postscript_name) {
  const std::pair<std::size_t, std::string> entries[] = {
      {1, wide(family)}, {2, wide("Regular")}, {6, wide(postscript_name)}};
  std::string records;
  std::string texts;
  for (const auto& [id, text] : entries) {
    records += u16(3) + u16(1) + u16(0x409) + u16(id) + u16(text.size()) + u16(texts.size());
    texts += text;
  }
  return u16(0) + u16(std::size(entries)) + u16(6 + records.size()) + records + texts;
}

/// `made`, a face that HarfBuzz just made, with another name table and a program that does nothing:
/// it chooses an axis. libharu writes the program last, empty where there is none, and then looks
/// for its first byte; where that byte would begin a new block of its memory, it fails. Only a face
/// that was read has a list of its tables.
FontFace completed(hb_face_t* made, const std::string& name) {
  const FontFace read(hb_face_create(blob_of(made).get(), 0), &hb_face_destroy);
  hb_face_t* face = read.get();
  FontFace built(hb_face_builder_create(), &hb_face_destroy);
  std::vector<hb_tag_t> tags(hb_face_get_table_tags(face, 0, nullptr, nullptr));
  auto count = static_cast<unsigned>(tags.size());
  hb_face_get_table_tags(face, 0, &count, tags.data());
  for (const hb_tag_t tag : tags) {
    const Blob table =
        tag == kName ? blob_of(name) : Blob(hb_face_reference_table(face, tag), &hb_blob_destroy);
    hb_face_builder_add_table(built.get(), tag, table.get());
  }
  hb_face_builder_add_table(built.get(), kProgram, blob_of(std::string(2, '\0')).get());
  return built;
}

/// HarfBuzz returns nothing for a bad font and also when memory is short. The second case throws
/// std::bad_alloc here.
InputError bad_font(const std::string& file, const std::string& why) {
  require_room_for_a_font();
  return InputError(file + ": not a font this program can use: " + why);
}

/// HarfBuzz passes over a table that is not whole, and takes other kinds of font: both are refused.
void check_tables(const std::string& bytes, const std::string& file) {
  const auto number = [&](std::size_t at, std::size_t size) {
    if (at + size > bytes.size()) throw bad_font(file, "it ends too early");
    std::size_t value = 0;
    for (const char byte : bytes.substr(at, size)) {
      value = value * 256 + static_cast<unsigned char>(byte);
    }
    return value;
  };
  if (number(0, 4) != 0x00010000) throw bad_font(file, "it does not begin as a TrueType font");
  std::set<std::string> tables;
  const std::size_t count = number(4, 2);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t record = 12 + 16 * i;
    const std::size_t end = number(record + 8, 4) + number(record + 12, 4);
    if (end > bytes.size()) throw bad_font(file, "it ends too early");
    tables.insert(bytes.substr(record, 4));
  }
  for (const char* needed : {"cmap", "glyf", "head", "hhea", "hmtx"}) {
    if (!tables.contains(needed)) throw bad_font(file, "it has no table " + std::string(needed));
  }
}

constexpr std::size_t kMostInBlock = 100;  // limit of the format

std::string code(char32_t character) {
  char text[16];
  std::snprintf(text, sizeof text, "<%04X>", static_cast<unsigned>(character));
  return text;
}

}  // namespace

TtfFont::TtfFont(const std::string& bytes, const std::string& file) {
  check_tables(bytes, file);
  const FontFace face(hb_face_create(blob_of(bytes).get(), 0), &hb_face_destroy);
  const Owned<hb_set_t> characters(hb_set_create(), &hb_set_destroy);
  hb_face_collect_unicodes(face.get(), characters.get());
  hb_codepoint_t first = HB_SET_VALUE_INVALID;
  hb_set_next(characters.get(), &first);
  font_ = {hb_font_create(face.get()), &hb_font_destroy};
  if (glyph(first) == 0) throw bad_font(file, "it has no Unicode character map of format 4");
}

std::uint16_t TtfFont::glyph(char32_t character) const {
  hb_codepoint_t glyph = 0;
  if (character <= 0xFFFF) {
    hb_font_get_nominal_glyph(font_.get(), static_cast<hb_codepoint_t>(character), &glyph);
  }
  return static_cast<std::uint16_t>(glyph);
}

std::optional<int> TtfFont::width(char32_t character) const {
  const std::uint16_t found = glyph(character);
  if (found == 0) return std::nullopt;
  const unsigned em = hb_face_get_upem(hb_font_get_face(font_.get()));
  // Cut, as libharu cuts it.
  return hb_font_get_glyph_h_advance(font_.get(), found) * 1000 / static_cast<int>(em);
}

std::string subset_font(const std::string& font, const std::string& file,
                        const std::set<char32_t>& characters, const std::string& family,
                        const std::string& postscript_name) {
  const FontFace whole(hb_face_create(blob_of(font).get(), 0), &hb_face_destroy);
  if (hb_face_get_glyph_count(whole.get()) == 0) throw bad_font(file, "it has no glyphs");
  const Owned<hb_subset_input_t> input(hb_subset_input_create_or_fail(), &hb_subset_input_destroy);
  if (!input) throw std::bad_alloc();
  hb_subset_input_set_flags(input.get(), HB_SUBSET_FLAGS_NO_HINTING);
  for (const char32_t c : characters) {
    hb_set_add(hb_subset_input_unicode_set(input.get()), static_cast<hb_codepoint_t>(c));
  }
  hb_set_t* dropped = hb_subset_input_set(input.get(), HB_SUBSET_SETS_DROP_TABLE_TAG);
  for (const hb_tag_t tag : kDropped) hb_set_add(dropped, tag);
  const FontFace cut(hb_subset_or_fail(whole.get(), input.get()), &hb_face_destroy);
  if (!cut) throw bad_font(file, "it cannot be cut down");
  return bytes_of(blob_of(completed(cut.get(), name_table(family, postscript_name)).get()));
}

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
