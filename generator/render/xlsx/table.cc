// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/table.h"

#include <stdexcept>

#include "support/dates.h"
#include "support/text.h"

namespace sizesheet::xlsx {
namespace {

/// 1970-01-01 in days since 1899-12-30, where spreadsheets begin to count.
constexpr std::int64_t kUnixEpoch = 25569;

std::size_t index_of(const std::vector<Column>& columns, const std::string& key) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].key == key) return i;
  }
  throw std::logic_error("a formula names a column that is not there: " + key);
}

}  // namespace

CellValue cell(const std::string& text) { return text.empty() ? CellValue{} : CellValue{text}; }

CellValue cell(double value) { return value; }

CellValue cell(std::int64_t value) { return static_cast<double>(value); }

CellValue cell(MicroUsd amount) { return to_usd(amount); }

CellValue cell(const FigureValue& value) {
  return std::visit(
      [](const auto& figure) -> CellValue {
        using T = std::decay_t<decltype(figure)>;
        if constexpr (std::is_same_v<T, std::monostate>) {
          return {};
        } else if constexpr (std::is_same_v<T, Bytes>) {
          return static_cast<double>(figure.value) / kGiB;
        } else if constexpr (std::is_same_v<T, bool>) {
          return cell(std::string(figure ? "yes" : ""));
        } else {
          return cell(figure);
        }
      },
      value);
}

Column measured(const std::string& measure, Column column) {
  column.measure = &sizesheet::measure(measure);
  return column;
}

void add_measured(const std::vector<Column>& columns, const Row& row, TableRow& cells) {
  for (const Column& column : columns) {
    if (column.measure != nullptr) cells.cells[column.key] = cell(column.measure->of(row));
  }
}

std::optional<double> excel_day(const std::string& date) {
  const std::optional<std::int64_t> day = day_number(date);
  if (!day) return std::nullopt;
  return static_cast<double>(*day + kUnixEpoch);
}

std::string column_letters(std::size_t index) {
  std::string letters;
  for (std::size_t rest = index + 1; rest > 0; rest = (rest - 1) / 26) {
    letters.insert(letters.begin(), static_cast<char>('A' + (rest - 1) % 26));
  }
  return letters;
}

std::string in_row(const std::string& formula, const std::vector<Column>& columns,
                   std::size_t row) {
  std::string text;
  std::size_t from = 0;
  while (true) {
    const std::size_t open = formula.find('{', from);
    if (open == std::string::npos) return text + formula.substr(from);
    const std::size_t close = formula.find('}', open);
    if (close == std::string::npos) throw std::logic_error("a formula lacks a }: " + formula);
    const std::string key = formula.substr(open + 1, close - open - 1);
    text += formula.substr(from, open - from) + "$" + column_letters(index_of(columns, key)) +
            std::to_string(row + 1);
    from = close + 1;
  }
}

std::string column_cells(const std::string& sheet, std::size_t column, std::size_t first,
                         std::size_t count) {
  const std::string letters = "$" + column_letters(column) + "$";
  return "'" + sheet + "'!" + letters + std::to_string(first + 1) + ":" + letters +
         std::to_string(first + count);
}

}  // namespace sizesheet::xlsx
