// SPDX-License-Identifier: Apache-2.0
// The four faces of the page: where they are, how wide their characters, what text can be printed,
// and which characters of them go into the file.
#pragma once

namespace sizesheet::pdf {

// ---- Text against the font and the room.

inline constexpr double kWidthTolerance = 1e-6;  ///< a text exactly as wide as its room fits

}  // namespace sizesheet::pdf
