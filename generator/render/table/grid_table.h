// SPDX-License-Identifier: Apache-2.0
// The rows of a grid as CSV lines or JSON lines, under the names of sheet.csv. What does not apply
// or is not known is an empty cell, or null.
#pragma once

#include <string>

#include "sheet/sheet.h"

namespace sizesheet {

/// The header, with a line end.
std::string grid_csv_header();
std::string grid_csv_line(const Row& row);

/// One object and a line end.
std::string grid_json_line(const Row& row);

}  // namespace sizesheet
