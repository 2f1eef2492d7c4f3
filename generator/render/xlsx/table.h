// SPDX-License-Identifier: Apache-2.0
// A table of a workbook as plain values, and the sheet it is drawn on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "render/xlsx/workbook_file.h"
#include "sheet/measures.h"

namespace sizesheet::xlsx {

// ---- A table of a workbook as plain values: columns that hold constants or one formula for all
// rows, and rows of what the engine says. Formulas name columns, not letters.

/// A figure (dates are days since 1899-12-30), a text, or nothing: an empty cell.
using CellValue = std::variant<std::monostate, double, std::string>;

CellValue cell(const std::string& text);  ///< "" is an empty cell
CellValue cell(double value);
CellValue cell(std::int64_t value);
CellValue cell(MicroUsd amount);
CellValue cell(const FigureValue& value);  ///< bytes in GiB
template <typename T>
CellValue cell(const std::optional<T>& value) {
  return value ? cell(*value) : CellValue{};
}
/// A day as the workbook counts it; nullopt when `date` is none.
std::optional<double> excel_day(const std::string& date);

struct Column {
  std::string key;    ///< what formulas call it
  std::string group;  ///< heading over this and its neighbours of the same group; "" none
  std::string title;
  std::string note;  ///< second line of the heading: unit or FOCUS term
  double width = 10;
  Style style = Style::kText;
  std::string formula;  ///< "" for constants; {key} is that column's cell in the same row
  bool array = false;   ///< the formula works on whole ranges; its result is a number
  std::string range;    ///< name under which other formulas see the whole column; "" none
  const Measure* measure = nullptr;  ///< whose figure of a row its cells are; none: laid apart
};

/// The column with the figures of a measure.
Column measured(const std::string& measure, Column column);

/// What the engine says: a constant, or the figure a formula shows until it is calculated again.
struct TableRow {
  std::map<std::string, CellValue> cells;
  std::map<std::string, Style> styles;  ///< where a cell looks other than its column
};

/// Fills the cells of the columns that have a measure.
void add_measured(const std::vector<Column>& columns, const Row& row, TableRow& cells);

struct Table {
  std::string sheet;
  std::vector<Column> columns;
  std::vector<TableRow> rows;
};

/// "A", "Z", "AA" for 0, 25, 26.
std::string column_letters(std::size_t index);

/// `formula` with every {key} replaced by its cell in `row` (counted from 0): "$C7". Throws
/// std::logic_error for a key that no column has.
std::string in_row(const std::string& formula, const std::vector<Column>& columns, std::size_t row);

/// Absolute cells of one column over rows [first, first + count): "'Rent vs buy'!$C$6:$C$9".
std::string column_cells(const std::string& sheet, std::size_t column, std::size_t first,
                         std::size_t count);

// ---- One sheet of the workbook while it is drawn: title, tables, frozen headings, print setup.

/// Where a table came to stand; rows count from 0.
struct TablePlace {
  std::size_t heading = 0;    ///< first heading row
  std::size_t first_row = 0;  ///< first row of data
  std::size_t rows = 0;
};

class Page {
 public:
  /// Writes title and subtitle into the first two rows.
  Page(WorkbookFile& book, const std::string& name, const std::string& title,
       const std::string& subtitle);

  void text(std::size_t row, std::size_t column, const std::string& words, Style style);
  /// `words` without "="; `value` is what it comes to. An array formula comes to a number.
  void formula(std::size_t row, std::size_t column, const std::string& words,
               const CellValue& value, Style style, bool array = false);
  /// Three heading rows from `heading` on, then the rows; names the columns that have a range.
  TablePlace table(std::size_t heading, const Table& table);
  /// Column widths; the last call for a column holds.
  void widths(const std::vector<Column>& columns);
  /// Filter buttons under the headings, which stay in view with the first `columns` columns, and
  /// are repeated on every printed page.
  void freeze(const TablePlace& place, std::size_t columns, std::size_t all_columns);
  /// Landscape, as wide as one page, footer with the sheet's name and page numbers.
  void print_setup(const SheetMeta& meta, bool letter);
  /// In print a new page begins with each of these columns, at `percent` of full size.
  void break_before(const std::vector<std::size_t>& columns, int percent);
  /// Only the first `columns` columns down to the table's end are printed.
  void print_only(const TablePlace& place, std::size_t columns);
  void row_height(std::size_t row, double points);

  lxw_worksheet* handle() { return sheet_; }
  WorkbookFile& book() { return *book_; }
  const std::string& name() const { return name_; }

 private:
  void headings(std::size_t row, const std::vector<Column>& columns);
  void groups(std::size_t row, const std::vector<Column>& columns);
  void table_cell(std::size_t row, std::size_t index, const std::vector<Column>& columns,
                  const TableRow& line);
  void write(std::size_t row, std::size_t column, const CellValue& value, Style style);

  WorkbookFile* book_;
  std::string name_;
  lxw_worksheet* sheet_;
};

/// Gives the columns of a table that stands at `place` the names they ask for.
void name_columns(WorkbookFile& book, const Table& table, const TablePlace& place);

}  // namespace sizesheet::xlsx
