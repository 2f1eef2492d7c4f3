// SPDX-License-Identifier: Apache-2.0
// The picture of who hands a sheet out: read from its file, and out of an edition.
#pragma once

#include <filesystem>
#include <string>

namespace sizesheet {

inline constexpr std::size_t kMostLogoBytes = 256UL * 1024;
inline constexpr int kMostLogoPixels = 4096;  ///< of either side

/// A picture as it is drawn: decoded once, eight bits a channel, rows from the top.
struct Logo {
  int width = 0;  ///< pixels
  int height = 0;
  std::string colors;  ///< three bytes a pixel: red, green, blue
  std::string alpha;   ///< a byte a pixel; "" where every pixel is opaque
};

/// The file as an edition keeps it: base64. Throws InputError for one that cannot be read, is too
/// large, or is no PNG that can be decoded; the message names what was expected and what was found.
std::string read_logo(const std::filesystem::path& file);

/// The picture that an edition keeps. Throws InputError likewise; `where` is named.
Logo logo_of(const std::string& base64, const std::string& where);

}  // namespace sizesheet
