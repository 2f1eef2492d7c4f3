// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/faces.h"

#include "support/error.h"
#include "support/files.h"

namespace sizesheet::pdf {

namespace {

/// In the order of Face.
constexpr const char* kFiles[] = {"RobotoTTF/Roboto-Regular.ttf", "RobotoTTF/Roboto-Bold.ttf",
                                  "RobotoCondensed-Regular.ttf", "RobotoCondensed-Bold.ttf"};

}  // namespace

Faces::Faces(const std::filesystem::path& directory) {
  for (const char* file : kFiles) {
    const std::filesystem::path path = directory / file;
    if (!std::filesystem::exists(path)) {
      throw InputError(path.string() +
                       ": the font is missing; install the Debian package fonts-roboto-unhinted");
    }
    paths_.push_back(path.string());
    bytes_.push_back(read_file(path));
    fonts_.emplace_back(bytes_.back(), path.string());
  }
}

const std::string& Faces::path(Face face) const {
  return paths_.at(static_cast<std::size_t>(face));
}

const std::string& Faces::bytes(Face face) const {
  return bytes_.at(static_cast<std::size_t>(face));
}

GlyphWidth Faces::widths() const {
  return [this](Face face, char32_t character) -> std::optional<int> {
    const TtfFont& font = fonts_.at(static_cast<std::size_t>(face));
    const std::uint16_t glyph = font.glyph(character);
    if (glyph == 0) return std::nullopt;
    return font.advance(glyph) * 1000 / font.units_per_em();  // cut, as libharu cuts it
  };
}

}  // namespace sizesheet::pdf
