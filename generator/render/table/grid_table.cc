// SPDX-License-Identifier: Apache-2.0
#include "render/table/grid_table.h"

#include "render/table/csv_text.h"
#include "sheet/measures.h"
#include "support/json.h"

namespace sizesheet {

std::string grid_csv_header() {
  std::vector<std::string> names;
  for (const Measure& one : measures()) {
    if (one.in_sweep) names.push_back(one.id);
  }
  return csv_line(names);
}

std::string grid_csv_line(const Row& row) {
  std::vector<std::string> cells;
  for (const Measure& one : measures()) {
    if (one.in_sweep) cells.push_back(csv_figure(one.of(row)));
  }
  return csv_line(cells);
}

std::string grid_json_line(const Row& row) {
  std::string line;
  for (const Measure& one : measures()) {
    if (!one.in_sweep) continue;
    line += line.empty() ? "{" : ",";
    line += '"' + one.id + "\":";
    const FigureValue figure = one.of(row);
    const std::string text = csv_figure(figure);
    if (text.empty()) {
      line += "null";
    } else {
      line += std::holds_alternative<std::string>(figure) ? json_text(text) : text;
    }
  }
  return line + "}\n";
}

}  // namespace sizesheet
