// SPDX-License-Identifier: Apache-2.0
#include "sheet/odd_pngs.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace sizesheet {
namespace {

std::string big_endian(std::uint32_t value, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>((value >> (8 * i)) & 0xFFU);
  return text;
}

std::uint32_t crc_of(const std::string& bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

std::string chunk(const std::string& type, const std::string& data) {
  return big_endian(static_cast<std::uint32_t>(data.size()), 4) + type + data +
         big_endian(crc_of(type + data), 4);
}

/// The same with a sum that is wrong.
std::string spoilt(std::string chunk) {
  chunk.back() = static_cast<char>(chunk.back() ^ 1);
  return chunk;
}

/// As zlib stores it without making it smaller.
std::string stored(const std::string& bytes) {
  constexpr std::size_t kBlock = 65535;
  std::string text = "\x78\x01";
  for (std::size_t at = 0; at == 0 || at < bytes.size(); at += kBlock) {
    const std::string part = bytes.substr(at, kBlock);
    const auto size = static_cast<std::uint32_t>(part.size());
    text += at + kBlock >= bytes.size() ? '\1' : '\0';
    for (const std::uint32_t one : {size, ~size & 0xFFFFU}) {
      text += static_cast<char>(one & 0xFFU);
      text += static_cast<char>(one >> 8U);
    }
    text += part;
  }
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  for (const char byte : bytes) {
    a = (a + static_cast<unsigned char>(byte)) % 65521;
    b = (b + a) % 65521;
  }
  return text + big_endian((b << 16U) | a, 4);
}

enum Kind { kGrey = 0, kColor = 2, kPalette = 3, kGreyAlpha = 4, kColorAlpha = 6 };

struct Shape {
  Kind kind = kGrey;
  int depth = 8;  ///< bits a sample
  bool interlaced = false;
  int width = 5;
  int height = 3;
};

int samples_of(Kind kind) {
  return kind == kColor ? 3 : kind == kGreyAlpha ? 2 : kind == kColorAlpha ? 4 : 1;
}

/// One of 256 values, or of as many as the depth has.
int sample(const Shape& shape, int x, int y, int place) {
  const int values = 1 << std::min(shape.depth, 8);
  return (11 * x + 29 * y + 83 * place + x * y) % values;
}

/// Samples of pixels from the left, packed into bytes behind the row's filter, which is none.
std::string row_of(const Shape& shape, int from, int step, int y) {
  std::string row(1, '\0');
  int bits = 0;
  int byte = 0;
  for (int x = from; x < shape.width; x += step) {
    for (int place = 0; place < samples_of(shape.kind); ++place) {
      const int value = sample(shape, x, y, place);
      if (shape.depth >= 8) {
        row += static_cast<char>(value);
        if (shape.depth == 16) row += static_cast<char>(value);
        continue;
      }
      byte = (byte << shape.depth) | value;
      bits += shape.depth;
      if (bits == 8) {
        row += static_cast<char>(byte);
        bits = byte = 0;
      }
    }
  }
  if (bits > 0) row += static_cast<char>(byte << (8 - bits));
  return row;
}

struct Pass {
  int x, y, dx, dy;
};
constexpr Pass kWhole[] = {{0, 0, 1, 1}};
constexpr Pass kSeven[] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                           {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};

std::string rows_of(const Shape& shape) {
  std::string rows;
  const auto add = [&](const Pass& pass) {
    if (pass.x >= shape.width) return;
    for (int y = pass.y; y < shape.height; y += pass.dy) {
      rows += row_of(shape, pass.x, pass.dx, y);
    }
  };
  if (shape.interlaced) {
    for (const Pass& pass : kSeven) add(pass);
  } else {
    add(kWhole[0]);
  }
  return rows;
}

std::string header(std::uint32_t width, std::uint32_t height, int depth, int kind,
                   const std::array<int, 3>& methods) {
  std::string data = big_endian(width, 4) + big_endian(height, 4);
  for (const int one : {depth, kind, methods[0], methods[1], methods[2]}) {
    data += static_cast<char>(one);
  }
  return data;
}

std::string header(const Shape& shape) {
  return header(static_cast<std::uint32_t>(shape.width), static_cast<std::uint32_t>(shape.height),
                shape.depth, shape.kind, {0, 0, shape.interlaced ? 1 : 0});
}

std::array<int, 3> palette_color(int entry) {
  return {37 * entry % 256, 91 * entry % 256, 255 - entry};
}

std::string palette(int entries) {
  std::string data;
  for (int i = 0; i < entries; ++i) {
    for (const int part : palette_color(i)) data += static_cast<char>(part);
  }
  return data;
}

int entries_of(const Shape& shape) { return 1 << shape.depth; }

/// The parts of a file, so that each can be left out, doubled or spoilt.
struct Parts {
  std::string signature = "\x89PNG\r\n\x1a\n";
  std::string head;
  std::string before_palette;
  std::string colors;
  std::string before_pixels;
  std::string pixels;
  std::string end = chunk("IEND", "");

  std::string joined() const {
    return signature + head + before_palette + colors + before_pixels + pixels + end;
  }
};

Parts parts_of(const Shape& shape) {
  Parts parts;
  parts.head = chunk("IHDR", header(shape));
  if (shape.kind == kPalette) parts.colors = chunk("PLTE", palette(entries_of(shape)));
  parts.pixels = chunk("IDAT", stored(rows_of(shape)));
  return parts;
}

/// What a file shows. `clear_at`: the sample or entry of the palette that is transparent.
Logo decoded_pixels(const Shape& shape, int clear_at = -1) {
  Logo logo{shape.width, shape.height, {}, {}};
  const int most = (1 << std::min(shape.depth, 8)) - 1;
  bool opaque = true;
  for (int y = 0; y < shape.height; ++y) {
    for (int x = 0; x < shape.width; ++x) {
      const auto at = [&](int place) { return sample(shape, x, y, place); };
      const int grey = at(0) * 255 / most;
      const bool has_color = shape.kind == kColor || shape.kind == kColorAlpha;
      std::array<int, 3> color = {grey, grey, grey};
      if (has_color) color = {at(0), at(1), at(2)};
      if (shape.kind == kPalette) color = palette_color(at(0));
      int alpha = at(0) == clear_at ? 0 : 255;
      if (shape.kind == kGreyAlpha) alpha = at(1);
      if (shape.kind == kColorAlpha) alpha = at(3);
      for (const int part : color) logo.colors += static_cast<char>(part);
      logo.alpha += static_cast<char>(alpha);
      opaque = opaque && alpha == 255;
    }
  }
  if (opaque) logo.alpha.clear();
  return logo;
}

constexpr std::pair<Kind, int> kPixelKinds[] = {
    {kGrey, 1},    {kGrey, 2},      {kGrey, 4},       {kGrey, 8},       {kGrey, 16},
    {kColor, 8},   {kColor, 16},    {kPalette, 1},    {kPalette, 2},    {kPalette, 4},
    {kPalette, 8}, {kGreyAlpha, 8}, {kGreyAlpha, 16}, {kColorAlpha, 8}, {kColorAlpha, 16}};

std::string words_of(const Shape& shape) {
  return "kind " + std::to_string(shape.kind) + ", " + std::to_string(shape.depth) + " bits, " +
         std::to_string(shape.width) + " by " + std::to_string(shape.height) +
         (shape.interlaced ? ", interlaced" : "");
}

void add_sound(std::vector<OddPng>& all) {
  for (const auto& [kind, depth] : kPixelKinds) {
    for (const bool interlaced : {false, true}) {
      for (const auto& [width, height] : {std::pair{1, 1}, {5, 3}, {33, 17}}) {
        const Shape shape{kind, depth, interlaced, width, height};
        all.push_back({words_of(shape), parts_of(shape).joined(), decoded_pixels(shape)});
      }
    }
  }
}

/// One value or entry is transparent.
void add_transparent(std::vector<OddPng>& all) {
  for (const auto& [kind, depth] : kPixelKinds) {
    if (kind == kGreyAlpha || kind == kColorAlpha) continue;
    for (const bool interlaced : {false, true}) {
      const Shape shape{kind, depth, interlaced, 33, 17};
      Parts parts = parts_of(shape);
      std::optional<Logo> pixels;
      if (kind == kPalette) {
        parts.before_pixels = chunk("tRNS", std::string("\xff\0", 2));
        pixels = decoded_pixels(shape, 1);
      } else {
        const std::string value = big_endian(depth == 16 ? 0x0101 : 1, 2);
        parts.before_pixels = chunk("tRNS", kind == kGrey ? value : value + value + value);
        if (kind == kGrey) pixels = decoded_pixels(shape, 1);
      }
      all.push_back({words_of(shape) + ", tRNS", parts.joined(), pixels});
    }
  }
}

/// Chunks that say nothing of the pixels, or that a reader may pass over. `same`: the pixels are as
/// without them.
struct Further {
  std::string name;
  std::string bytes;
  bool same = true;
};

std::vector<Further> further_chunks() {
  std::string texts;
  for (int i = 0; i < 1200; ++i) texts += chunk("tEXt", "Comment" + std::string(1, '\0') + "x");
  const std::string profile = "broken" + std::string(2, '\0') + stored("no profile at all");
  return {{"1,200 chunks of text", texts},
          {"a broken colour profile", chunk("iCCP", profile)},
          {"a gamma of nearly 0", chunk("gAMA", big_endian(1, 4)), false},
          {"a gamma of 0", chunk("gAMA", big_endian(0, 4)), false},
          {"a gamma of one", chunk("gAMA", big_endian(100000, 4)), false},
          {"a wrong sum beside", spoilt(chunk("tEXt", "Comment" + std::string(1, '\0') + "x"))},
          {"an unknown chunk", chunk("vpAg", std::string(9, 'x'))},
          {"frames of an animation", chunk("acTL", big_endian(2, 4) + big_endian(0, 4))},
          {"a background", chunk("bKGD", std::string(6, '\0'))},
          {"EXIF", chunk("eXIf", "MM" + std::string(30, '\xff'))}};
}

void add_with_further_chunks(std::vector<OddPng>& all) {
  for (const Further& one : further_chunks()) {
    for (const Shape& shape :
         {Shape{kColor, 8, true, 5, 3}, Shape{kGrey, 4, false, 5, 3},
          Shape{kColorAlpha, 16, true, 33, 17}, Shape{kPalette, 2, true, 33, 17}}) {
      Parts parts = parts_of(shape);
      parts.before_palette = one.bytes;
      all.push_back({words_of(shape) + ", " + one.name, parts.joined(),
                     one.same ? std::optional(decoded_pixels(shape)) : std::nullopt});
    }
  }
}

/// What breaks the header.
void add_odd_headers(std::vector<OddPng>& all) {
  struct Head {
    const char* name;
    std::uint32_t width, height;
    int depth, kind;
    std::array<int, 3> methods;
  };
  const Head heads[] = {{"no width", 0, 3, 8, 2, {}},
                        {"no height", 5, 0, 8, 2, {}},
                        {"a width of 2^31 - 1", 0x7FFFFFFF, 0x7FFFFFFF, 16, 6, {}},
                        {"a width of 2^31", 0x80000000, 3, 8, 2, {}},
                        {"a width of 4,097", 4097, 1, 1, 0, {}},
                        {"a height of 4,097", 1, 4097, 1, 0, {}},
                        {"4,096 by 4,096 without pixels", 4096, 4096, 16, 6, {0, 0, 1}},
                        {"three bits", 5, 3, 3, 0, {}},
                        {"colours of four bits", 5, 3, 4, 2, {}},
                        {"a palette of sixteen bits", 5, 3, 16, 3, {}},
                        {"an unknown kind", 5, 3, 8, 5, {}},
                        {"an unknown compression", 5, 3, 8, 2, {1, 0, 0}},
                        {"an unknown filter method", 5, 3, 8, 2, {0, 1, 0}},
                        {"an unknown interlace", 5, 3, 8, 2, {0, 0, 2}}};
  for (const Head& head : heads) {
    Parts parts = parts_of({kColor, 8, false, 5, 3});
    parts.head =
        chunk("IHDR", header(head.width, head.height, head.depth, head.kind, head.methods));
    all.push_back({head.name, parts.joined(), std::nullopt});
  }
}

/// What breaks the order of the file, or what its chunks hold.
void add_odd_chunks(std::vector<OddPng>& all) {
  for (const Shape& shape : {Shape{kColor, 8, false, 33, 17}, Shape{kPalette, 4, true, 33, 17}}) {
    const Parts sound = parts_of(shape);
    const auto add = [&](const std::string& name, const auto& change) {
      Parts parts = sound;
      change(parts);
      all.push_back({words_of(shape) + ", " + name, parts.joined(), std::nullopt});
    };
    const std::string rows = rows_of(shape);
    add("no palette", [](Parts& parts) { parts.colors.clear(); });
    add("an empty palette", [](Parts& parts) { parts.colors = chunk("PLTE", ""); });
    add("a palette of 257", [](Parts& parts) { parts.colors = chunk("PLTE", palette(257)); });
    add("a short palette", [](Parts& parts) { parts.colors = chunk("PLTE", palette(3)); });
    add("half an entry", [](Parts& parts) { parts.colors = chunk("PLTE", "1234"); });
    add("two headers", [](Parts& parts) { parts.head += parts.head; });
    add("no header", [](Parts& parts) { parts.head.clear(); });
    add("a header with a wrong sum", [](Parts& parts) { parts.head = spoilt(parts.head); });
    add("pixels with a wrong sum", [](Parts& parts) { parts.pixels = spoilt(parts.pixels); });
    add("no pixels", [](Parts& parts) { parts.pixels.clear(); });
    add("empty pixels", [](Parts& parts) { parts.pixels = chunk("IDAT", ""); });
    add("no zlib", [](Parts& parts) { parts.pixels = chunk("IDAT", std::string(40, 'x')); });
    add("more pixels",
        [&](Parts& parts) { parts.pixels = chunk("IDAT", stored(rows + std::string(5000, 'x'))); });
    add("fewer pixels", [&](Parts& parts) {
      parts.pixels = chunk("IDAT", stored(rows.substr(0, rows.size() / 2)));
    });
    add("an unknown filter",
        [&](Parts& parts) { parts.pixels = chunk("IDAT", stored("\x09" + rows.substr(1))); });
    add("a wrong sum of zlib",
        [&](Parts& parts) { parts.pixels = chunk("IDAT", spoilt(stored(rows))); });
    add("an unknown critical chunk",
        [](Parts& parts) { parts.before_pixels = chunk("QUUX", "x"); });
    add("a transparency that is too long",
        [](Parts& parts) { parts.before_pixels = chunk("tRNS", std::string(300, 'x')); });
    add("no end", [](Parts& parts) { parts.end.clear(); });
    add("rubbish behind its end", [](Parts& parts) { parts.end += std::string(1000, 'x'); });
    add("a chunk of 2^31 - 1 bytes",
        [](Parts& parts) { parts.before_pixels = big_endian(0x7FFFFFFF, 4) + "tEXtx"; });
    add("the signature alone", [](Parts& parts) {
      const std::string signature = parts.signature;
      parts = Parts{};
      parts.signature = signature;
      parts.end.clear();
    });
    add("another signature", [](Parts& parts) { parts.signature = "GIF89a"; });
  }
}

/// Cut off at every few bytes.
void add_cut(std::vector<OddPng>& all) {
  const std::string whole = parts_of({kGreyAlpha, 8, true, 5, 3}).joined();
  for (std::size_t size = 0; size + 20 < whole.size(); size += 7) {
    all.push_back({"cut after " + std::to_string(size), whole.substr(0, size), std::nullopt});
  }
}

}  // namespace

std::vector<OddPng> odd_pngs() {
  std::vector<OddPng> all;
  for (const auto add : {add_sound, add_transparent, add_with_further_chunks, add_odd_headers,
                         add_odd_chunks, add_cut}) {
    add(all);
  }
  return all;
}

}  // namespace sizesheet
