// SPDX-License-Identifier: Apache-2.0
// The Answer sheet: the inputs that move an answer most, a line a pick with what it costs to rent
// and to own, and their range of dollars as a chart.
#pragma once

#include <vector>

#include "render/xlsx/sheets.h"
#include "render/xlsx/table.h"
#include "render/xlsx/workbook_file.h"

namespace sizesheet {

struct Sheet;

}  // namespace sizesheet

namespace sizesheet::xlsx {

/// Hours, dollars, seller and advice are formulas; which set-up, other GPU type and machine is not.
Table answer_table(const Sheet& sheet, const std::vector<Input>& inputs);

void draw_answer(const Sheet& sheet, const std::vector<Input>& inputs, WorkbookFile& book,
                 bool letter);

}  // namespace sizesheet::xlsx
