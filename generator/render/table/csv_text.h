// SPDX-License-Identifier: Apache-2.0
// Text of a CSV file (RFC 4180): cells that no spreadsheet runs as a formula, and a table from a
// list of columns. An absent figure is an empty cell.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sheet/measures.h"

namespace sizesheet {

/// A column of a table whose lines are values of T. `name` carries the unit.
template <typename T>
struct CsvColumn {
  const char* name;
  std::string (*cell)(const T&);
};

/// A cell as RFC 4180 wants it; text that a spreadsheet would run as a formula gets a leading
/// quote.
std::string csv_cell(const std::string& text);

/// The cells joined, with a line end.
std::string csv_line(const std::vector<std::string>& cells);

std::string csv_number(const std::optional<double>& value);
std::string csv_usd(const std::optional<MicroUsd>& value);
std::string csv_figure(const FigureValue& value);

template <typename T>
std::vector<std::string> csv_names(const std::vector<CsvColumn<T>>& columns) {
  std::vector<std::string> names;
  for (const CsvColumn<T>& column : columns) names.emplace_back(column.name);
  return names;
}

template <typename T>
std::vector<std::string> csv_cells(const std::vector<CsvColumn<T>>& columns, const T& line) {
  std::vector<std::string> cells;
  for (const CsvColumn<T>& column : columns) cells.push_back(column.cell(line));
  return cells;
}

/// Header and one line a value.
template <typename T>
std::string csv_table(const std::vector<CsvColumn<T>>& columns, const std::vector<T>& lines) {
  std::string text = csv_line(csv_names(columns));
  for (const T& line : lines) text += csv_line(csv_cells(columns, line));
  return text;
}

}  // namespace sizesheet
