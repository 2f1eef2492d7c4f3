// SPDX-License-Identifier: Apache-2.0
// The Assumptions sheet: every input with its range and source, machines, scenarios.
#pragma once

#include <vector>

#include "render/xlsx/inputs.h"
#include "render/xlsx/page.h"

namespace sizesheet::xlsx {

void draw_assumptions(const Sheet& sheet, const std::vector<Input>& inputs, WorkbookFile& book,
                      bool letter);

/// Only numbers from `least` to `most` may be typed into the cells; says so when one is chosen.
void limit_numbers(Page& page, std::size_t first_row, std::size_t last_row, std::size_t column,
                   double least, double most, const std::string& words);

}  // namespace sizesheet::xlsx
