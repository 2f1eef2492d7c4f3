// SPDX-License-Identifier: Apache-2.0
// The whole page, laid out: every box and every text in points, nothing drawn yet.
#pragma once

#include "render/pdf/faces.h"
#include "render/pdf/page_layout.h"
#include "render/pdf/paper.h"
#include "sheet/sheet.h"

namespace sizesheet::pdf {

/// Throws InputError naming the block that does not fit, its need and the room.
PageLayout lay_out(const Sheet& sheet, Paper paper, const GlyphWidth& glyphs);

}  // namespace sizesheet::pdf
