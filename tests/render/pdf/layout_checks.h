// SPDX-License-Identifier: Apache-2.0
// Questions that tests ask of a laid-out page.
#pragma once

#include <string>
#include <vector>

#include "render/pdf/fonts/faces.h"
#include "render/pdf/page/page_layout.h"
#include "sheet/sheet.h"

namespace sizesheet::pdf {

/// The installed faces, read once.
const Faces& test_faces();

/// The page of a sheet in those.
PageLayout page_of(const Sheet& sheet, Paper paper);

std::vector<TextRun> text_runs(const PageLayout& page);
/// All that is wrong with a page: "'a' over 'b'" for every two runs whose extents overlap, runs
/// that a disc or a filled path (a triangle, an arrow's head) covers or that leave the margins, and
/// text under 7.5 pt.
std::vector<std::string> faults(const PageLayout& page, Paper paper);
/// Texts of the runs whose baselines lie within half a point of `y`, left to right.
std::vector<std::string> line_at(const PageLayout& page, double y);
/// Every mark on a line of its own, in tenths of a point, to be kept as a golden.
std::string layout_text(const PageLayout& page);
/// All texts, one a line.
std::string all_text(const PageLayout& page);

/// Every character of every face is half an em wide, but those of `missing` are lacking.
GlyphWidth half_em(std::u32string missing = U"");

}  // namespace sizesheet::pdf
