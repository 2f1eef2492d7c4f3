// SPDX-License-Identifier: Apache-2.0
// The four faces of the page: where they are installed, and how wide their characters are.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "render/pdf/page_layout.h"
#include "render/pdf/ttf.h"

namespace sizesheet::pdf {

/// Width of a character in thousandths of the em, as libharu writes it into the file; absent when
/// the face lacks the character.
using GlyphWidth = std::function<std::optional<int>(Face, char32_t)>;

/// Where Debian's fonts-roboto-unhinted puts them.
inline constexpr const char* kFontDirectory = "/usr/share/fonts/truetype/roboto/unhinted";

/// Debian's directory, then all installed fonts.
std::vector<std::filesystem::path> font_directories();

class Faces {
 public:
  /// Reads all four from the first directory that has them, at any depth. Throws InputError naming
  /// the missing file, where it was looked for, and the package that holds it.
  explicit Faces(const std::vector<std::filesystem::path>& directories = font_directories());

  const std::string& path(Face face) const;
  /// The whole font file.
  const std::string& bytes(Face face) const;
  /// Refers to this object.
  GlyphWidth widths() const;

 private:
  std::vector<std::string> paths_;
  std::vector<std::string> bytes_;
  std::vector<TtfFont> fonts_;
};

}  // namespace sizesheet::pdf
