// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/faces.h"

#include <set>

#include "support/error.h"
#include "support/files.h"
#include "support/text.h"

namespace sizesheet::pdf {

namespace {

/// In the order of Face.
constexpr const char* kFiles[] = {"Roboto-Regular.ttf", "Roboto-Bold.ttf",
                                  "RobotoCondensed-Regular.ttf", "RobotoCondensed-Bold.ttf"};

/// The first file of that name under a directory in the order of paths, or "".
std::filesystem::path file_under(const std::filesystem::path& directory, const std::string& name) {
  std::error_code error;
  if (!std::filesystem::is_directory(directory, error)) return {};
  std::set<std::filesystem::path> found;
  for (std::filesystem::recursive_directory_iterator at(
           directory, std::filesystem::directory_options::skip_permission_denied, error);
       !error && at != std::filesystem::recursive_directory_iterator(); at.increment(error)) {
    if (at->path().filename() == name && at->is_regular_file(error)) found.insert(at->path());
  }
  return found.empty() ? std::filesystem::path() : *found.begin();
}

std::string find_font(const std::vector<std::filesystem::path>& directories,
                      const std::string& name) {
  std::vector<std::string> places;
  for (const std::filesystem::path& directory : directories) {
    const std::filesystem::path path = file_under(directory, name);
    if (!path.empty()) return path.string();
    places.push_back(directory.string());
  }
  throw InputError(name + ": the font is missing (looked in " + join(places, ", ") +
                   "); install the Debian package fonts-roboto-unhinted");
}

}  // namespace

std::vector<std::filesystem::path> font_directories() {
  return {kFontDirectory, "/usr/share/fonts", "/usr/local/share/fonts"};
}

Faces::Faces(const std::vector<std::filesystem::path>& directories) {
  for (const char* file : kFiles) {
    const std::string path = find_font(directories, file);
    paths_.push_back(path);
    bytes_.push_back(read_file(path));
    fonts_.emplace_back(bytes_.back(), path);
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
