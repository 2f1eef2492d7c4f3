// SPDX-License-Identifier: Apache-2.0
// The sheets of the workbook that hold one table each.
#pragma once

#include <vector>

#include "render/xlsx/inputs.h"
#include "render/xlsx/workbook_file.h"

namespace sizesheet::xlsx {

void draw_sizing(const Sheet& sheet, WorkbookFile& book, bool letter);
void draw_rent(const Sheet& sheet, WorkbookFile& book, bool letter);
void draw_prices(const Sheet& sheet, WorkbookFile& book, bool letter);
void draw_ownership(const Sheet& sheet, const std::vector<Input>& inputs, WorkbookFile& book,
                    bool letter);
void draw_terms(const Sheet& sheet, WorkbookFile& book, bool letter);

}  // namespace sizesheet::xlsx
