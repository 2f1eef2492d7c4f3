// SPDX-License-Identifier: Apache-2.0
// The workbook, a table of it as plain values, and the sheet that tables are drawn on.
#pragma once

#include <xlsxwriter.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "render/xlsx/workbook_file.h"
#include "sheet/measures.h"
#include "support/money.h"

namespace sizesheet {

struct Row;
struct SheetMeta;

}  // namespace sizesheet

namespace sizesheet::xlsx {

// ---- A table as plain values: columns that hold constants or one formula for all rows, and rows
// of what the engine says. Formulas name columns, not letters.

/// A figure (dates are days since 1899-12-30), a text, or nothing: an empty cell.
using CellValue = std::variant<std::monostate, double, std::string>;

CellValue cell(const std::string& text);  ///< "" is an empty cell
CellValue cell(const char* text);
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
  std::string formula = {};  ///< "" for constants; {key} is that column's cell in the same row
  bool array = false;        ///< the formula works on whole ranges; its result is a number
  std::string range = {};    ///< name under which other formulas see the whole column; "" none
  const Measure* measure = nullptr;  ///< whose figure of a row its cells are; none: laid apart
  bool detail = false;               ///< may be folded away
};

/// The columns of all parts, one behind the other.
std::vector<Column> joined(const std::vector<std::vector<Column>>& parts);

/// The columns as details, which may be folded away.
std::vector<Column> folded(std::vector<Column> columns);

/// The column with the figures of a measure.
Column measured(const std::string& measure, Column column);

/// Other formulas see the columns of these keys whole, under `prefix` and the key.
void name_ranges(std::vector<Column>& columns, const std::string& prefix,
                 const std::set<std::string>& keys);

/// Place of the column of that key; their number when none has it.
std::size_t column_of(const std::vector<Column>& columns, const std::string& key);

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

/// Absolute cells of `columns` columns over rows [first, first + count): "'Rent vs buy'!$C$6:$C$9".
std::string column_cells(const std::string& sheet, std::size_t column, std::size_t first,
                         std::size_t count, std::size_t columns = 1);

/// Where a table came to stand; rows count from 0.
struct TablePlace {
  std::size_t heading = 0;    ///< first heading row
  std::size_t first_row = 0;  ///< first row of data
  std::size_t rows = 0;

  /// The first where there are none.
  std::size_t last_row() const { return first_row + (rows > 0 ? rows - 1 : 0); }
};

/// Below title and subtitle.
inline constexpr std::size_t kFirstHeading = 2;

/// A sheet that holds one table.
struct View {
  const char* title;
  std::string words;           ///< under the title
  std::size_t frozen = 1;      ///< columns that stay in view, and are repeated in print
  const char* unprinted = "";  ///< key of the first column that is not printed
  const char* breaks = "";     ///< keys of columns that begin a new printed page
  const char* where = "";      ///< a formula, true of the rows in another look; "" of none
  Style look = Style::kBest;
  const char* lit = "";  ///< keys of the first and the last column in that look; "" all
  std::size_t heading = kFirstHeading;
  bool repeats = true;  ///< the heading, on every printed page
};

class Page {
 public:
  /// Writes title and subtitle into the first two rows.
  Page(WorkbookFile& book, const std::string& name, const std::string& title,
       const std::string& subtitle);

  void text(std::size_t row, std::size_t column, const std::string& words, Style style);
  /// `value` in `columns` cells made one.
  void across(std::size_t row, std::size_t column, std::size_t columns, const CellValue& value,
              Style style);
  /// `words` without "="; `value` is what it comes to. An array formula comes to a number.
  void formula(std::size_t row, std::size_t column, const std::string& words,
               const CellValue& value, Style style, bool array = false);
  /// Three heading rows from `heading` on, then the rows; names the columns that have a range.
  TablePlace table(std::size_t heading, const Table& table);
  /// Column widths; the last call for a column holds.
  void widths(const std::vector<Column>& columns);
  /// Landscape, as wide as one page, footer with the sheet's name and page numbers.
  void print_setup(const SheetMeta& meta, bool letter);
  /// The only table of the page, with filter buttons under its headings and all that a view asks.
  TablePlace only(const Table& table, const View& view, const SheetMeta& meta, bool letter);
  void row_height(std::size_t row, double points);
  /// Only what the rule admits may be typed into the cells of a column.
  void limit(std::size_t first_row, std::size_t last_row, std::size_t column,
             lxw_data_validation& rule);

  lxw_worksheet* handle() { return sheet_; }
  WorkbookFile& book() { return *book_; }

 private:
  void headings(std::size_t row, const std::vector<Column>& columns);
  void groups(std::size_t row, const std::vector<Column>& columns);
  void table_cell(std::size_t row, std::size_t index, const std::vector<Column>& columns,
                  const TableRow& line);
  void write(std::size_t row, std::size_t column, const CellValue& value, Style style);
  void print_columns(const std::vector<Column>& columns, const View& view, const TablePlace& place);
  void highlight(const std::vector<Column>& columns, const View& view, const TablePlace& place);
  std::string name_of(std::size_t row, std::size_t column) const;

  WorkbookFile* book_;
  std::string name_;
  lxw_worksheet* sheet_;
};

}  // namespace sizesheet::xlsx
