// SPDX-License-Identifier: Apache-2.0
// Whether there is memory for the libraries that read and embed fonts.
#pragma once

namespace sizesheet::pdf {

/// HarfBuzz does not report that memory was short, and libharu does not check what it gets. Throws
/// std::bad_alloc when there is too little memory for a font.
void require_room_for_a_font();

}  // namespace sizesheet::pdf
