// SPDX-License-Identifier: Apache-2.0
// A TrueType font read, cut down to the characters of one page, and its codes named.

#include <hb-subset.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "render/pdf/fonts/fonts.h"
#include "support/error.h"

namespace sizesheet::pdf {

/// Big-endian numbers at byte offsets, with every access checked.
class TtfBytes {
 public:
  TtfBytes(const std::string& bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  std::size_t u16(std::size_t at) const { return byte(at) * 256 + byte(at + 1); }
  std::size_t u32(std::size_t at) const { return u16(at) * 65'536 + u16(at + 2); }
  std::string text(std::size_t at, std::size_t size) const {
    if (at + size > bytes_.size()) fail("it ends too early");
    return bytes_.substr(at, size);
  }
  std::size_t size() const { return bytes_.size(); }
  [[noreturn]] void fail(const std::string& why) const {
    throw InputError(file_ + ": not a font this program can use: " + why);
  }

 private:
  std::size_t byte(std::size_t at) const {
    if (at >= bytes_.size()) fail("it ends too early");
    return static_cast<unsigned char>(bytes_[at]);
  }

  const std::string& bytes_;
  const std::string& file_;
};

namespace {

constexpr std::size_t kWindowsUnicode = (3U << 16U) | 1U;  // platform and encoding of a cmap table

std::map<std::string, std::size_t> table_offsets(const TtfBytes& bytes) {
  const std::size_t version = bytes.u32(0);
  if (version != 0x00010000) bytes.fail("it does not begin as a TrueType font");
  std::map<std::string, std::size_t> offsets;
  const std::size_t count = bytes.u16(4);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t record = 12 + 16 * i;
    offsets[bytes.text(record, 4)] = bytes.u32(record + 8);
    if (bytes.u32(record + 8) + bytes.u32(record + 12) > bytes.size()) {
      bytes.fail("it ends too early");
    }
  }
  for (const char* needed : {"cmap", "glyf", "head", "hhea", "hmtx"}) {
    if (!offsets.contains(needed)) bytes.fail("it has no table " + std::string(needed));
  }
  return offsets;
}

std::size_t unicode_map(const TtfBytes& bytes, std::size_t cmap) {
  const std::size_t count = bytes.u16(cmap + 2);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t record = cmap + 4 + 8 * i;
    const std::size_t table = cmap + bytes.u32(record + 4);
    if (bytes.u32(record) == kWindowsUnicode && bytes.u16(table) == 4) return table;
  }
  bytes.fail("it has no Unicode character map of format 4");
}

}  // namespace

/// Fills a TtfFont from the tables it needs.
class TtfReader {
 public:
  TtfReader(const TtfBytes& bytes, TtfFont& font) : bytes_(bytes), font_(font) {}

  void read() {
    const auto offsets = table_offsets(bytes_);
    font_.units_per_em_ = static_cast<int>(bytes_.u16(offsets.at("head") + 18));
    if (font_.units_per_em_ == 0) bytes_.fail("its em has no units");
    read_advances(bytes_.u16(offsets.at("hhea") + 34), offsets.at("hmtx"));
    read_map(unicode_map(bytes_, offsets.at("cmap")));
  }

 private:
  void read_advances(std::size_t count, std::size_t hmtx) {
    if (count == 0) bytes_.fail("it has no widths");
    for (std::size_t i = 0; i < count; ++i) {
      font_.advances_.push_back(static_cast<std::uint16_t>(bytes_.u16(hmtx + 4 * i)));
    }
  }

  void read_map(std::size_t table) {
    const std::size_t segments = bytes_.u16(table + 6) / 2;
    const std::size_t ends = table + 14;
    const std::size_t starts = ends + 2 * segments + 2;
    for (std::size_t i = 0; i < segments; ++i) {
      const std::size_t first = bytes_.u16(starts + 2 * i);
      const std::size_t last = bytes_.u16(ends + 2 * i);
      const bool after_previous = font_.ranges_.empty() || font_.ranges_.back().last < first;
      if (first > last || !after_previous) bytes_.fail("its character map is not in order");
      TtfFont::Range range{static_cast<char32_t>(first), static_cast<char32_t>(last), {}};
      for (std::size_t c = first; c <= last; ++c) {
        range.glyphs.push_back(glyph_in(starts, segments, i, c - first));
      }
      font_.ranges_.push_back(std::move(range));
    }
  }

  std::uint16_t glyph_in(std::size_t starts, std::size_t segments, std::size_t i,
                         std::size_t index) const {
    const std::size_t delta = bytes_.u16(starts + 2 * (segments + i));
    const std::size_t at = starts + 2 * (2 * segments + i);
    const std::size_t offset = bytes_.u16(at);
    if (offset == 0) {
      return static_cast<std::uint16_t>(bytes_.u16(starts + 2 * i) + index + delta);
    }
    if (offset == 0xFFFF) return 0;  // the closing segment of some fonts
    const std::size_t glyph = bytes_.u16(at + offset + 2 * index);
    return glyph == 0 ? std::uint16_t{0} : static_cast<std::uint16_t>(glyph + delta);
  }

  const TtfBytes& bytes_;
  TtfFont& font_;
};

TtfFont::TtfFont(const std::string& bytes, const std::string& file) {
  const TtfBytes readable(bytes, file);
  TtfReader(readable, *this).read();
}

std::uint16_t TtfFont::glyph(char32_t character) const {
  const auto range =
      std::lower_bound(ranges_.begin(), ranges_.end(), character,
                       [](const Range& r, char32_t wanted) { return r.last < wanted; });
  if (range == ranges_.end() || character < range->first) return 0;
  return range->glyphs[character - range->first];
}

int TtfFont::advance(std::uint16_t glyph) const {
  return advances_[std::min<std::size_t>(glyph, advances_.size() - 1)];
}

namespace {

constexpr hb_tag_t kName = HB_TAG('n', 'a', 'm', 'e');
constexpr hb_tag_t kProgram = HB_TAG('p', 'r', 'e', 'p');

/// Tables for shaping, which libharu does not do, and for screens.
constexpr hb_tag_t kDropped[] = {
    HB_TAG('G', 'S', 'U', 'B'), HB_TAG('G', 'P', 'O', 'S'), HB_TAG('G', 'D', 'E', 'F'),
    HB_TAG('k', 'e', 'r', 'n'), HB_TAG('g', 'a', 's', 'p'), HB_TAG('h', 'd', 'm', 'x'),
    HB_TAG('V', 'D', 'M', 'X'), HB_TAG('L', 'T', 'S', 'H'), HB_TAG('v', 'h', 'e', 'a'),
    HB_TAG('v', 'm', 't', 'x'), HB_TAG('D', 'S', 'I', 'G')};

using Blob = std::unique_ptr<hb_blob_t, decltype(&hb_blob_destroy)>;
using FontFace = std::unique_ptr<hb_face_t, decltype(&hb_face_destroy)>;
using Input = std::unique_ptr<hb_subset_input_t, decltype(&hb_subset_input_destroy)>;

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

/// HarfBuzz does not say why it made nothing of a font. Where memory was short, it is now as well.
InputError useless(const std::string& file, const std::string& why) {
  constexpr std::size_t kRoom = std::size_t{8} << 20U;
  const std::unique_ptr<volatile char[]> room(new volatile char[kRoom]);
  room[kRoom - 1] = 0;  // or a compiler leaves the room out
  return InputError(file + ": not a font this program can use: " + why);
}

}  // namespace

std::string subset_font(const std::string& font, const std::string& file,
                        const std::set<char32_t>& characters, const std::string& family,
                        const std::string& postscript_name) {
  const FontFace whole(hb_face_create(blob_of(font).get(), 0), &hb_face_destroy);
  if (hb_face_get_glyph_count(whole.get()) == 0) {
    throw useless(file, "it has no glyphs");
  }
  const Input input(hb_subset_input_create_or_fail(), &hb_subset_input_destroy);
  if (!input) throw std::bad_alloc();
  hb_subset_input_set_flags(input.get(), HB_SUBSET_FLAGS_NO_HINTING);
  for (const char32_t c : characters) {
    hb_set_add(hb_subset_input_unicode_set(input.get()), static_cast<hb_codepoint_t>(c));
  }
  hb_set_t* dropped = hb_subset_input_set(input.get(), HB_SUBSET_SETS_DROP_TABLE_TAG);
  for (const hb_tag_t tag : kDropped) hb_set_add(dropped, tag);
  const FontFace cut(hb_subset_or_fail(whole.get(), input.get()), &hb_face_destroy);
  if (!cut) throw useless(file, "it cannot be cut down");
  return bytes_of(blob_of(completed(cut.get(), name_table(family, postscript_name)).get()));
}

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
