// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/table.h"

#include <algorithm>
#include <regex>
#include <stdexcept>

#include "render/xlsx/workbook_file.h"
#include "sheet/measures.h"
#include "sheet/sheet.h"
#include "support/money.h"
#include "support/named.h"
#include "support/text.h"

namespace sizesheet::xlsx {
namespace {

/// 1970-01-01 in days since 1899-12-30, where spreadsheets begin to count.
constexpr std::int64_t kUnixEpoch = 25569;

constexpr std::size_t kHeadingRows = 3;  // group, title, note
constexpr double kTitleHeight = 22;
constexpr double kHeadHeight = 40;
constexpr double kGapHeight = 4;
constexpr double kLineHeight = 13.5;
constexpr double kCharactersAUnit = 1.05;  // of a column's width, in running text
constexpr double kMarginInches = 0.4;
constexpr double kFootInches = 0.6;

lxw_row_t row_of(std::size_t row) { return static_cast<lxw_row_t>(row); }

/// A spreadsheet reads "_x202E_" as the character of that number; with its underscore escaped it
/// reads what is written.
std::string literal(const std::string& words) {
  if (words.find("_x") == std::string::npos) return words;
  static const std::regex kEscape("_(?=x[0-9a-fA-F]{4}_)");
  return std::regex_replace(words, kEscape, "_x005F_");
}

lxw_col_t col_of(std::size_t column) { return static_cast<lxw_col_t>(column); }

/// Lines that the longest wrapped text of a row takes, with some room to spare.
std::size_t lines_of(const TableRow& row, const std::vector<Column>& columns) {
  std::size_t lines = 1;
  for (const Column& column : columns) {
    const auto found = row.cells.find(column.key);
    if (column.style != Style::kWrapped || found == row.cells.end()) continue;
    const std::string* words = std::get_if<std::string>(&found->second);
    if (words == nullptr) continue;
    const double room = kCharactersAUnit * column.width;
    lines =
        std::max(lines, 1 + static_cast<std::size_t>(static_cast<double>(words->size()) / room));
  }
  return lines;
}

}  // namespace

CellValue cell(const std::string& text) { return text.empty() ? CellValue{} : CellValue{text}; }

CellValue cell(const char* text) { return cell(std::string(text)); }

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
          return cell(figure ? "yes" : "");
        } else {
          return cell(figure);
        }
      },
      value);
}

std::vector<Column> joined(const std::vector<std::vector<Column>>& parts) {
  std::vector<Column> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::vector<Column> folded(std::vector<Column> columns) {
  for (Column& column : columns) column.detail = true;
  return columns;
}

Column measured(const std::string& measure, Column column) {
  column.measure = &sizesheet::measure(measure);
  return column;
}

void name_ranges(std::vector<Column>& columns, const std::string& prefix,
                 const std::set<std::string>& keys) {
  for (Column& column : columns) {
    if (keys.contains(column.key)) column.range = prefix + column.key;
  }
}

std::size_t column_of(const std::vector<Column>& columns, const std::string& key) {
  std::size_t i = 0;
  while (i < columns.size() && columns[i].key != key) ++i;
  return i;
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
    const std::size_t column = column_of(columns, key);
    if (column == columns.size()) {
      throw std::logic_error("a formula names a column that does not exist: " + key);
    }
    text +=
        formula.substr(from, open - from) + "$" + column_letters(column) + std::to_string(row + 1);
    from = close + 1;
  }
}

std::string column_cells(const std::string& sheet, std::size_t column, std::size_t first,
                         std::size_t count, std::size_t columns) {
  return "'" + sheet + "'!$" + column_letters(column) + "$" + std::to_string(first + 1) + ":$" +
         column_letters(column + columns - 1) + "$" + std::to_string(first + count);
}

Page::Page(WorkbookFile& book, const std::string& name, const std::string& title,
           const std::string& subtitle)
    : book_(&book), name_(name), sheet_(book.add_sheet(name)) {
  row_height(0, kTitleHeight);
  text(0, 0, title, Style::kTitle);
  text(1, 0, subtitle, Style::kSubtitle);
}

void Page::text(std::size_t row, std::size_t column, const std::string& words, Style style) {
  write(row, column, CellValue{words}, style);
}

void Page::row_height(std::size_t row, double points) {
  require(worksheet_set_row(sheet_, row_of(row), points, nullptr), "row height");
}

std::string Page::name_of(std::size_t row, std::size_t column) const {
  return name_ + "!" + column_letters(column) + std::to_string(row + 1);
}

void Page::write(std::size_t row, std::size_t column, const CellValue& value, Style style) {
  lxw_format* format = book_->style(style);
  const lxw_row_t r = row_of(row);
  const lxw_col_t c = col_of(column);
  lxw_error result = LXW_NO_ERROR;
  if (const double* number = std::get_if<double>(&value)) {
    result = worksheet_write_number(sheet_, r, c, *number, format);
  } else if (const std::string* words = std::get_if<std::string>(&value)) {
    // Always as a string: a name from the catalog never becomes a formula or a link.
    result = worksheet_write_string(
        sheet_, r, c,
        literal(is_heading(style) ? book_->worded(*words) : book_->in_money(*words)).c_str(),
        format);
  } else {
    result = worksheet_write_blank(sheet_, r, c, format);
  }
  require(result, name_of(row, column));
}

void Page::across(std::size_t row, std::size_t column, std::size_t columns, const CellValue& value,
                  Style style) {
  require(worksheet_merge_range(sheet_, row_of(row), col_of(column), row_of(row),
                                col_of(column + columns - 1), "", book_->style(style)),
          name_of(row, column));
  write(row, column, value, style);
}

void Page::formula(std::size_t row, std::size_t column, const std::string& words,
                   const CellValue& value, Style style, bool array) {
  lxw_format* format = book_->style(style);
  const lxw_row_t r = row_of(row);
  const lxw_col_t c = col_of(column);
  const std::string text = "=" + words;
  const double* number = std::get_if<double>(&value);
  lxw_error result = LXW_NO_ERROR;
  if (array) {
    result = worksheet_write_array_formula_num(sheet_, r, c, r, c, text.c_str(), format,
                                               number != nullptr ? *number : 0);
  } else if (number != nullptr) {
    result = worksheet_write_formula_num(sheet_, r, c, text.c_str(), format, *number);
  } else {
    const std::string* shown = std::get_if<std::string>(&value);
    result = worksheet_write_formula_str(
        sheet_, r, c, text.c_str(), format,
        shown != nullptr ? literal(book_->in_money(*shown)).c_str() : "");
  }
  require(result, name_of(row, column));
}

void Page::groups(std::size_t row, const std::vector<Column>& columns) {
  for (std::size_t i = 0; i < columns.size();) {
    std::size_t end = i + 1;
    while (end < columns.size() && columns[end].group == columns[i].group) ++end;
    if (end - i > 1 && !columns[i].group.empty()) {
      across(row, i, end - i, CellValue{columns[i].group}, Style::kGroup);
    } else {
      for (std::size_t j = i; j < end; ++j) text(row, j, columns[j].group, Style::kHead);
    }
    i = end;
  }
}

void Page::headings(std::size_t row, const std::vector<Column>& columns) {
  groups(row, columns);
  const auto has_group = [](const Column& column) { return !column.group.empty(); };
  if (std::none_of(columns.begin(), columns.end(), has_group)) row_height(row, kGapHeight);
  const auto is_long = [](const Column& column) {
    return static_cast<double>(column.title.size()) > column.width - 1;
  };
  if (std::any_of(columns.begin(), columns.end(), is_long)) row_height(row + 1, kHeadHeight);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool right = is_figure(columns[i].style);
    text(row + 1, i, columns[i].title, right ? Style::kHeadRight : Style::kHead);
    text(row + 2, i, columns[i].note, right ? Style::kHeadNoteRight : Style::kHeadNote);
  }
}

void Page::table_cell(std::size_t row, std::size_t index, const std::vector<Column>& columns,
                      const TableRow& line) {
  const Column& column = columns[index];
  const auto found = line.cells.find(column.key);
  const CellValue value = found == line.cells.end() ? CellValue{} : found->second;
  const auto other = line.styles.find(column.key);
  const Style style = other == line.styles.end() ? column.style : other->second;
  if (column.formula.empty()) {
    write(row, index, value, style);
  } else {
    formula(row, index, in_row(column.formula, columns, row), value, style, column.array);
  }
}

TablePlace Page::table(std::size_t heading, const Table& table) {
  headings(heading, table.columns);
  const TablePlace place{heading, heading + kHeadingRows, table.rows.size()};
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const TableRow& line = table.rows[i];
    const std::size_t row = place.first_row + i;
    const std::size_t lines = lines_of(line, table.columns);
    if (lines > 1) row_height(row, kLineHeight * static_cast<double>(lines));
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      table_cell(row, j, table.columns, line);
    }
  }
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    if (table.columns[j].range.empty()) continue;
    book_->define_name(table.columns[j].range, column_cells(table.sheet, j, place.first_row,
                                                            std::max<std::size_t>(place.rows, 1)));
  }
  return place;
}

void Page::widths(const std::vector<Column>& columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    lxw_row_col_options options = {};
    options.level = columns[i].detail ? 1 : 0;
    require(
        worksheet_set_column_opt(sheet_, col_of(i), col_of(i), columns[i].width, nullptr, &options),
        "width");
  }
}

void Page::print_columns(const std::vector<Column>& columns, const View& view,
                         const TablePlace& place) {
  constexpr double kCharactersOfPaper = 104;  // of full size, on the narrower of A4 and Letter
  const std::size_t printed = column_of(columns, view.unprinted);
  require(worksheet_print_area(sheet_, 0, 0, row_of(place.last_row()), col_of(printed - 1)),
          "print area");
  if (*view.breaks == '\0') return;
  const std::vector<std::string> keys = split(view.breaks, ' ');
  std::vector<lxw_col_t> breaks;
  double repeated = 0;
  double page = 0;
  double widest = 0;
  for (std::size_t i = 0; i < printed; ++i) {
    if (std::find(keys.begin(), keys.end(), columns[i].key) != keys.end()) {
      breaks.push_back(col_of(i));
      page = repeated;
    }
    if (i < view.frozen) repeated += columns[i].width;
    page += columns[i].width;
    widest = std::max(widest, page);
  }
  breaks.push_back(0);  // ends the list
  require(worksheet_set_v_pagebreaks(sheet_, breaks.data()), "page breaks");
  // At this size the widest of the pages side by side still fits on paper.
  worksheet_set_print_scale(sheet_, static_cast<std::uint16_t>(100 * kCharactersOfPaper / widest));
}

void Page::highlight(const std::vector<Column>& columns, const View& view,
                     const TablePlace& place) {
  std::string words = "=" + in_row(view.where, columns, place.first_row);
  lxw_conditional_format rule = {};
  rule.type = LXW_CONDITIONAL_TYPE_FORMULA;
  rule.value_string = words.data();
  rule.format = book_->style(view.look);
  const std::vector<std::string> lit = split(view.lit, ' ');
  const std::size_t first = lit.size() < 2 ? 0 : column_of(columns, lit.front());
  const std::size_t last = lit.size() < 2 ? columns.size() - 1 : column_of(columns, lit.back());
  require(worksheet_conditional_format_range(sheet_, row_of(place.first_row), col_of(first),
                                             row_of(place.last_row()), col_of(last), &rule),
          "highlight");
}

TablePlace Page::only(const Table& table, const View& view, const SheetMeta& meta, bool letter) {
  const TablePlace place = this->table(view.heading, table);
  widths(table.columns);
  print_setup(meta, letter);
  worksheet_freeze_panes(sheet_, row_of(place.first_row), col_of(view.frozen));
  require(worksheet_autofilter(sheet_, row_of(place.first_row - 1), 0, row_of(place.last_row()),
                               col_of(table.columns.size() - 1)),
          "filter");
  if (view.repeats) {
    require(worksheet_repeat_rows(sheet_, row_of(place.heading), row_of(place.first_row - 1)),
            "repeated rows");
  }
  require(worksheet_repeat_columns(sheet_, 0, col_of(view.frozen - 1)), "repeated columns");
  print_columns(table.columns, view, place);
  if (*view.where != '\0' && place.rows > 0) highlight(table.columns, view, place);
  return place;
}

void Page::limit(std::size_t first_row, std::size_t last_row, std::size_t column,
                 lxw_data_validation& rule) {
  require(worksheet_data_validation_range(sheet_, row_of(first_row), col_of(column),
                                          row_of(last_row), col_of(column), &rule),
          "limits");
}

void Page::print_setup(const SheetMeta& meta, bool letter) {
  constexpr std::uint8_t kLetter = 1;
  constexpr std::uint8_t kA4 = 9;
  worksheet_set_landscape(sheet_);
  worksheet_set_paper(sheet_, letter ? kLetter : kA4);
  worksheet_fit_to_pages(sheet_, 1, 0);
  worksheet_set_margins(sheet_, kMarginInches, kMarginInches, kMarginInches, kFootInches);
  worksheet_gridlines(sheet_, LXW_HIDE_ALL_GRIDLINES);
  const std::string words = "&10&LAs of " + meta.as_of + "&C&A&R&P / &N";
  require(worksheet_set_footer(sheet_, words.c_str()), "footer");
}

}  // namespace sizesheet::xlsx
