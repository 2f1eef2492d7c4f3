// SPDX-License-Identifier: Apache-2.0
// The sheets of the workbook in order, and the one of assumptions.

#include "render/xlsx/sheets.h"

#include <algorithm>
#include <utility>

#include "render/writers.h"
#include "render/xlsx/inputs.h"
#include "render/xlsx/table.h"
#include "render/xlsx/workbook_file.h"
#include "sheet/money.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet::xlsx {
namespace {

constexpr std::size_t kHeading = 2;
constexpr double kMostRateDollars = 1e6;
constexpr double kMostGpus = 1024;

std::size_t column_of(const std::vector<Column>& columns, const std::string& key) {
  std::size_t i = 0;
  while (i < columns.size() && columns[i].key != key) ++i;
  return i;
}

std::string edition_words(const SheetMeta& meta) {
  return meta.title + ", " + meta.edition + ", as of " + meta.as_of + ". ";
}

struct View {
  std::size_t frozen = 1;                ///< columns that stay in view, and are repeated in print
  const char* unprinted = "";            ///< key of the first column that is not printed
  std::vector<const char*> breaks = {};  ///< columns that begin a new printed page
};

/// The size in print at which the widest of the pages side by side still fits on paper, in percent.
int print_percent(const std::vector<Column>& columns, const View& view,
                  const std::vector<std::size_t>& breaks, std::size_t printed) {
  constexpr double kCharactersOfPaper = 104;  // of full size, on the narrower of A4 and Letter
  double repeated = 0;
  double page = 0;
  double widest = 0;
  for (std::size_t i = 0; i < printed; ++i) {
    if (std::find(breaks.begin(), breaks.end(), i) != breaks.end()) page = repeated;
    if (i < view.frozen) repeated += columns[i].width;
    page += columns[i].width;
    widest = std::max(widest, page);
  }
  return static_cast<int>(100 * kCharactersOfPaper / widest);
}

TablePlace draw(Page& page, const Table& table, const View& view, const SheetMeta& meta,
                bool letter) {
  const TablePlace place = page.table(kHeading, table);
  page.widths(table.columns);
  page.freeze(place, view.frozen, table.columns.size());
  page.print_setup(meta, letter);
  const std::size_t printed = column_of(table.columns, view.unprinted);
  page.print_only(place, printed);
  std::vector<std::size_t> breaks;
  for (const char* key : view.breaks) breaks.push_back(column_of(table.columns, key));
  if (!breaks.empty()) {
    page.break_before(breaks, print_percent(table.columns, view, breaks, printed));
  }
  return place;
}

/// Lays a style over the rows where `formula`, written for the first row, is true.
void highlight(Page& page, const TablePlace& place, std::size_t columns, const std::string& formula,
               Style style) {
  if (place.rows == 0) return;
  std::string words = "=" + formula;
  lxw_conditional_format rule = {};
  rule.type = LXW_CONDITIONAL_TYPE_FORMULA;
  rule.value_string = words.data();
  rule.format = page.book().style(style);
  require(
      worksheet_conditional_format_range(page.handle(), static_cast<lxw_row_t>(place.first_row), 0,
                                         static_cast<lxw_row_t>(place.first_row + place.rows - 1),
                                         static_cast<lxw_col_t>(columns - 1), &rule),
      "highlight");
}

/// One of `words` in the cells of a column.
void limit_words(Page& page, std::size_t first_row, std::size_t last_row, std::size_t column,
                 std::vector<std::string> words) {
  // Newer versions of the library promise not to write to them.
  std::vector<std::remove_pointer_t<decltype(lxw_data_validation::value_list)>> choices;
  std::size_t length = 0;
  for (std::string& word : words) {
    length += word.size() + 1;
    choices.push_back(word.data());
  }
  constexpr std::size_t kLongestList = 255;  // of the file format
  if (length > kLongestList) return;
  choices.push_back(nullptr);
  lxw_data_validation rule = {};
  rule.validate = LXW_VALIDATION_TYPE_LIST;
  rule.value_list = choices.data();
  const auto col = static_cast<lxw_col_t>(column);
  require(worksheet_data_validation_range(page.handle(), static_cast<lxw_row_t>(first_row), col,
                                          static_cast<lxw_row_t>(last_row), col, &rule),
          "choices");
}

void limit_prices(const Sheet& sheet, const Table& table, const TablePlace& place, Page& page) {
  const std::size_t last = place.first_row + place.rows - 1;
  const std::size_t quotes = last + 1 - kQuoteLines;
  limit_numbers(page, place.first_row, last, column_of(table.columns, "usd"), 0, kMostRateDollars,
                "US dollars an hour for a whole instance. Empty: not on offer.");
  limit_numbers(page, quotes, last, column_of(table.columns, "gpus"), 1, kMostGpus,
                "GPUs of one instance.");
  std::vector<std::string> gpus;
  for (const SheetGpu& gpu : sheet.gpus) gpus.push_back(gpu_label(sheet, gpu.id));
  limit_words(page, quotes, last, column_of(table.columns, "gpu"), gpus);
  std::vector<std::string> tiers;
  for (const RentTier& tier : kRentTiers) tiers.emplace_back(tier.key);
  limit_words(page, quotes, last, column_of(table.columns, "tier"), tiers);
}

}  // namespace

void draw_sizing(const Sheet& sheet, WorkbookFile& book, bool letter) {
  Page page(book, "Sizing", "Sizing: GPUs, layout and memory",
            edition_words(sheet.meta) + "Results of the program; prices do not move them.");
  const Table table = sizing_table(sheet);
  const TablePlace place = draw(page, table, {5, "", {"weights"}}, sheet.meta, letter);
  const std::string pick = column_letters(column_of(table.columns, "pick"));
  highlight(page, place, table.columns.size(),
            "$" + pick + std::to_string(place.first_row + 1) + "<>\"\"", Style::kBest);
}

void draw_rent(const Sheet& sheet, WorkbookFile& book, bool letter) {
  Page page(
      book, "Rent vs buy", "Rent or buy: every configuration that holds",
      edition_words(sheet.meta) +
          "Formulas over Prices, Ownership and Assumptions. Green: the cheapest run on demand "
          "of its model, method and scenario.");
  const Table table = rent_table(sheet);
  const std::string first_line = line_column(kRentTiers.front());
  const TablePlace place =
      draw(page, table, {5, first_line.c_str(), {"reserved_1y_hour"}}, sheet.meta, letter);
  const std::string cheapest = column_letters(column_of(table.columns, "cheapest"));
  highlight(page, place, table.columns.size(),
            "$" + cheapest + std::to_string(place.first_row + 1) + "=\"yes\"", Style::kBest);
  const std::string first = column_letters(column_of(table.columns, first_line));
  const std::string last = column_letters(column_of(table.columns, line_column(kRentTiers.back())));
  const std::size_t rows = place.rows > 0 ? place.rows : 1;
  book.define_name("lines_used", "'Rent vs buy'!$" + first + "$" +
                                     std::to_string(place.first_row + 1) + ":$" + last + "$" +
                                     std::to_string(place.first_row + rows));
}

void draw_prices(const Sheet& sheet, WorkbookFile& book, bool letter) {
  Page page(book, "Prices", "Prices of the sheet's GPUs",
            edition_words(sheet.meta) +
                "Change a price, or write a quote into the empty lines at the end. Second heading: "
                "FOCUS terms.");
  const Table table = prices_table(sheet);
  const TablePlace place = draw(page, table, {2, "sku"}, sheet.meta, letter);
  limit_prices(sheet, table, place, page);
  const std::string counts = column_letters(column_of(table.columns, "ok"));
  highlight(page, place, table.columns.size(),
            "AND($B" + std::to_string(place.first_row + 1) + "<>\"\",$" + counts +
                std::to_string(place.first_row + 1) + "=0)",
            Style::kAside);
}

void draw_ownership(const Sheet& sheet, const std::vector<Input>& inputs, WorkbookFile& book,
                    bool letter) {
  Page page(book, "Ownership", "Owning: what each count of GPUs costs",
            edition_words(sheet.meta) + "Formulas over Assumptions and Prices.");
  draw(page, ownership_table(sheet, inputs), {3, "node", {"rent", "depreciation"}}, sheet.meta,
       letter);
}

void draw_terms(const Sheet& sheet, WorkbookFile& book, bool letter) {
  Page page(book, "Terms", "Terms and units", edition_words(sheet.meta));
  draw(page, terms_table(sheet), {2, ""}, sheet.meta, letter);
}

namespace {

constexpr std::size_t kFirstHeading = 2;
constexpr std::size_t kValueColumn = 1;
constexpr std::size_t kPowerColumn = 5;
constexpr double kMostDollars = 1e9;
constexpr double kMostKilowatts = 1e5;
constexpr double kMostHours = 1e5;

/// A column of its own in the table, so that the tables below share its widths.
std::vector<Column> input_columns() {
  return {
      {"title", "", "Input", "", 52, Style::kText, "", false, ""},
      {"value", "", "Value", "", 16, Style::kNumber, "", false, ""},
      {"unit", "", "Unit", "", 24, Style::kText, "", false, ""},
      {"low", "", "Low", "", 11, Style::kNumber, "", false, ""},
      {"high", "", "High", "", 11, Style::kNumber, "", false, ""},
      {"basis", "", "Basis", "", 15, Style::kText, "", false, ""},
      {"date", "", "Date", "", 11, Style::kText, "", false, ""},
      {"source", "", "Source", "", 50, Style::kWrapped, "", false, ""},
      {"note", "", "Note", "", 44, Style::kWrapped, "", false, ""},
      {"name", "", "Name in formulas", "", 25, Style::kText, "", false, ""},
  };
}

/// How a range beside the value looks: as the value, but no input.
Style range_style(Style value) {
  switch (value) {
    case Style::kInputPercent:
      return Style::kPercent;
    case Style::kInputUsd:
    case Style::kInputCount:
      return Style::kCount;
    default:
      return Style::kNumber;
  }
}

TableRow input_row(const Input& input) {
  TableRow row;
  row.cells = {{"title", cell(input.title)},   {"unit", cell(input.unit)},
               {"low", cell(input.low)},       {"high", cell(input.high)},
               {"basis", cell(input.basis)},   {"date", cell(input.date)},
               {"source", cell(input.source)}, {"note", cell(input.note)},
               {"name", cell(input.name)},     {"value", cell(input.value)}};
  row.styles = {{"value", input.style},
                {"low", range_style(input.style)},
                {"high", range_style(input.style)}};
  return row;
}

std::string limit_words(const Input& input) {
  if (input.style == Style::kInputDate) return "A date, year-month-day.";
  return "From " + shortest(input.least) + " to " + shortest(input.most) +
         (input.unit.empty() ? "" : ", " + input.unit) + ".";
}

TablePlace draw_inputs(const std::vector<Input>& inputs, Page& page) {
  Table table{"Assumptions", input_columns(), {}};
  for (const Input& input : inputs) table.rows.push_back(input_row(input));
  const TablePlace place = page.table(kFirstHeading, table);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::size_t row = place.first_row + i;
    page.book().define_name(inputs[i].name, column_cells("Assumptions", kValueColumn, row, 1));
    if (inputs[i].formula.empty()) {
      limit_numbers(page, row, row, kValueColumn, inputs[i].least, inputs[i].most,
                    limit_words(inputs[i]));
    } else {
      page.formula(row, kValueColumn, inputs[i].formula, inputs[i].value, inputs[i].style);
    }
  }
  // Three columns more than this table has: the machines below need them.
  table.columns.resize(table.columns.size() + 3);
  for (std::size_t i = 1; i <= 3; ++i) table.columns[table.columns.size() - i].width = 12;
  page.widths(table.columns);
  return place;
}

std::size_t below(const TablePlace& place) { return place.first_row + place.rows + 1; }

}  // namespace

void limit_numbers(Page& page, std::size_t first_row, std::size_t last_row, std::size_t column,
                   double least, double most, const std::string& words) {
  std::string title = "May be changed";
  std::string message = words.substr(0, 200);
  std::string wrong = "Not in range";
  lxw_data_validation rule = {};
  rule.validate = LXW_VALIDATION_TYPE_DECIMAL;
  rule.criteria = LXW_VALIDATION_CRITERIA_BETWEEN;
  rule.minimum_number = least;
  rule.maximum_number = most;
  rule.input_title = title.data();
  rule.input_message = message.data();
  rule.error_title = wrong.data();
  rule.error_message = message.data();
  const auto col = static_cast<lxw_col_t>(column);
  require(worksheet_data_validation_range(page.handle(), static_cast<lxw_row_t>(first_row), col,
                                          static_cast<lxw_row_t>(last_row), col, &rule),
          "limits");
}

void draw_assumptions(const Sheet& sheet, const std::vector<Input>& inputs, WorkbookFile& book,
                      bool letter) {
  Page page(book, "Assumptions", "Assumptions",
            "Blue on yellow may be changed; every cost of this workbook follows.");
  const TablePlace values = draw_inputs(inputs, page);
  std::size_t row = below(values);
  page.text(row, 0, "Scenarios", Style::kSection);
  const TablePlace scenarios = page.table(row + 1, scenarios_table(sheet));
  for (const std::size_t column : {std::size_t{1}, std::size_t{2}}) {
    limit_numbers(page, scenarios.first_row, scenarios.first_row + scenarios.rows - 1, column, 0,
                  column == 1 ? kMostHours : 1, "Not negative.");
  }
  if (!sheet.machines.empty()) {
    row = below(scenarios);
    page.text(row, 0, "Machines that can be bought", Style::kSection);
    const TablePlace machines = page.table(row + 1, machines_table(sheet));
    const std::size_t last = machines.first_row + machines.rows - 1;
    limit_numbers(page, machines.first_row, last, kValueColumn, 0, kMostDollars,
                  "US dollars for one machine.");
    limit_numbers(page, machines.first_row, last, kPowerColumn, 0, kMostKilowatts,
                  "kW of one machine at full load, before PUE.");
  }
  worksheet_freeze_panes(page.handle(), static_cast<lxw_row_t>(values.first_row), 1);
  page.print_setup(sheet.meta, letter);
}

}  // namespace sizesheet::xlsx

namespace sizesheet {
namespace {

std::string drawn(const Sheet& sheet, bool letter) {
  const std::vector<xlsx::Input> inputs = xlsx::inputs_of(sheet);
  xlsx::WorkbookFile book(sheet.meta);
  xlsx::draw_sizing(sheet, book, letter);
  xlsx::draw_rent(sheet, book, letter);
  xlsx::draw_prices(sheet, book, letter);
  xlsx::draw_ownership(sheet, inputs, book, letter);
  xlsx::draw_assumptions(sheet, inputs, book, letter);
  xlsx::draw_terms(sheet, book, letter);
  return book.bytes();
}

}  // namespace

void XlsxWriter::write(const Sheet& sheet, FileSet& files) const {
  std::string bytes = drawn(sheet, letter_);
  // The library does not look whether its temporary files took what it wrote. A disk that was full
  // for a moment would leave a workbook with a hole.
  if (drawn(sheet, letter_) != bytes) {
    throw InputError("sheet.xlsx: a temporary file (TMPDIR) lost some of what was written");
  }
  files["sheet.xlsx"] = std::move(bytes);
}

}  // namespace sizesheet
