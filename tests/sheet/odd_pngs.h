// SPDX-License-Identifier: Apache-2.0
// PNG files of every kind, sound and broken, each made here byte by byte.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sheet/logo.h"

namespace sizesheet {

struct OddPng {
  std::string name;  ///< what is odd about it
  std::string bytes;
  std::optional<Logo> pixels;  ///< what it must be decoded to, where that is known
};

/// Every kind of pixel with and without interlace in three sizes, further chunks of each kind, and
/// what breaks each rule of a PNG file: more than 200, the same each time.
std::vector<OddPng> odd_pngs();

}  // namespace sizesheet
