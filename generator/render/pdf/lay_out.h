// SPDX-License-Identifier: Apache-2.0
// The whole page, laid out and written; and which models it shows.
#pragma once

#include <functional>
#include <string>

#include "render/pdf/fonts/faces.h"
#include "render/pdf/page/page_layout.h"
#include "sheet/sheet.h"

namespace sizesheet::pdf {

/// Every box and every text in points, nothing drawn yet. Throws InputError naming the block that
/// does not fit, its need and the room.
PageLayout lay_out(const Sheet& sheet, Paper paper, const GlyphWidth& glyphs);

}  // namespace sizesheet::pdf

namespace sizesheet {

/// sheet.pdf. `warn` is told what could not be printed as it is: characters the fonts lack, names
/// cut short.
std::string pdf_handout(const Sheet& sheet, Paper paper,
                        const std::function<void(const std::string&)>& warn = {});

}  // namespace sizesheet
