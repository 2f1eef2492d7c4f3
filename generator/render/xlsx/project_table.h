// SPDX-License-Identifier: Apache-2.0
// The Project sheet: what the whole project of each pick costs, as formulas over Rent vs buy and
// Assumptions. Only of a sheet that asks for a project.
#pragma once

#include <vector>

#include "render/xlsx/sheets.h"
#include "render/xlsx/table.h"

namespace sizesheet {

struct Sheet;

}  // namespace sizesheet

namespace sizesheet::xlsx {

/// A line a pick that has a project.
Table project_table(const Sheet& sheet);

/// Runs, shares, amounts and rates of the project; none without one.
std::vector<Input> project_inputs(const Sheet& sheet);

}  // namespace sizesheet::xlsx
