// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/ttf.h"

#include <algorithm>
#include <map>

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

}  // namespace sizesheet::pdf
