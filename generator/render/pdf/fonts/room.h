// SPDX-License-Identifier: Apache-2.0
// Whether there is memory for the libraries that read and embed fonts.
#pragma once

namespace sizesheet::pdf {

/// HarfBuzz does not say whether it failed for want of memory, and libharu does not look whether it
/// got any. Throws std::bad_alloc where there is not enough for a font.
void require_room_for_a_font();

}  // namespace sizesheet::pdf
