// SPDX-License-Identifier: Apache-2.0
#include "render/table/csv_writer.h"

#include "render/table/csv_text.h"
#include "render/table/focus_csv.h"
#include "sheet/measures.h"

namespace sizesheet {

std::vector<std::string> csv_header() {
  std::vector<std::string> names;
  for (const Measure& one : measures()) {
    if (one.in_sheet) names.push_back(one.id);
  }
  return names;
}

std::vector<std::string> csv_cells(const Row& row) {
  std::vector<std::string> cells;
  for (const Measure& one : measures()) {
    if (one.in_sheet) cells.push_back(csv_figure(one.of(row)));
  }
  return cells;
}

void CsvWriter::write(const Sheet& sheet, FileSet& files) const {
  std::string& table = files["sheet.csv"];
  table = csv_line(csv_header());
  for (const Row& row : sheet.rows) table += csv_line(csv_cells(row));
  files["prices.csv"] = focus_prices(sheet);
  files["charges.csv"] = focus_charges(sheet);
}

}  // namespace sizesheet
