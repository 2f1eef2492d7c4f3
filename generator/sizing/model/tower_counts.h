// SPDX-License-Identifier: Apache-2.0
// The parameters of a vision tower, and the tokens of its images.
#pragma once

#include <boost/container/static_vector.hpp>
#include <cstdint>

namespace sizesheet {

struct Architecture;
struct ImageSize;
struct Tower;

struct TowerCounts {
  std::int64_t tower = 0;
  std::int64_t projector = 0;

  std::int64_t total() const { return tower + projector; }
};

/// With the embedding of patches, the table of positions and the class token.
TowerCounts count_tower(const Tower& tower);
/// Of the embedding of patches alone, all frames that it takes at once.
std::int64_t patch_parameters(const Tower& tower);

/// Sides are rounded to whole tokens after the image is brought within the tower's limits, which
/// keeps its shape. A tower with a size of its own asks for no sides.
ImageSize image_size(const Tower& tower, std::int64_t height, std::int64_t width);

/// The layers of a tower as a model of its own that knows no words.
Architecture tower_layers(const Tower& tower);

}  // namespace sizesheet
