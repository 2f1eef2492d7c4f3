// SPDX-License-Identifier: Apache-2.0
// sheet.csv: one line a row of the sheet, header names with units, list prices named as such; and
// the prices and charges under FOCUS names.
#pragma once

#include <string>
#include <vector>

#include "render/writer.h"

namespace sizesheet {

class CsvWriter final : public Writer {
 public:
  void write(const Sheet& sheet, FileSet& files) const override;
};

/// Column names and the cells of one row, in the same order. An absent figure is an empty cell.
std::vector<std::string> csv_header();
std::vector<std::string> csv_cells(const Row& row);

}  // namespace sizesheet
