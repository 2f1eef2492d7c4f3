// SPDX-License-Identifier: Apache-2.0
// The Plan sheet: the totals of all months, a line a pool, and a line a month, kind of run and
// pool. Units, hours and runs are inputs; prices and rates come from the sheets that have them.
#pragma once

#include <vector>

#include "render/xlsx/sheets.h"
#include "render/xlsx/table.h"
#include "render/xlsx/workbook_file.h"

namespace sizesheet {

struct Sheet;

}  // namespace sizesheet

namespace sizesheet::xlsx {

/// A plan was found and has something to do.
bool has_plan(const Sheet& sheet);

/// A line a pool: units are inputs, what they cost and how far they are used are formulas.
Table plan_pools_table(const Sheet& sheet, const std::vector<Input>& inputs);

/// A line a month, kind of run and pool: hours and runs are inputs, dollars are formulas.
Table plan_runs_table(const Sheet& sheet);

/// Of a sheet that has a plan.
void draw_plan(const Sheet& sheet, const std::vector<Input>& inputs, WorkbookFile& book,
               bool letter);

}  // namespace sizesheet::xlsx
