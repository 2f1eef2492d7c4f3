// SPDX-License-Identifier: Apache-2.0
// The Rent vs buy sheet, a line a row of the sheet that holds; and the Sizing sheet: counts, layout
// and memory of every row.
#pragma once

#include <string>

#include "render/xlsx/table.h"

namespace sizesheet {

struct Sheet;

}  // namespace sizesheet

namespace sizesheet::xlsx {

/// A figure of a scenario's workload; 0 where the request does not say.
double workload(const Sheet& sheet, const std::string& scenario, const std::string& key);

/// A line a scenario: what it adds to the hours of training. Stands on the Assumptions sheet.
Table scenarios_table(const Sheet& sheet);

Table rent_table(const Sheet& sheet);
Table sizing_table(const Sheet& sheet);

}  // namespace sizesheet::xlsx
