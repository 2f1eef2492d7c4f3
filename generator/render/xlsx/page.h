// SPDX-License-Identifier: Apache-2.0
// One sheet of the workbook while it is drawn: title, tables, frozen headings, print setup.
#pragma once

#include <cstddef>
#include <string>

#include "render/xlsx/table.h"
#include "render/xlsx/workbook_file.h"

namespace sizesheet::xlsx {

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
