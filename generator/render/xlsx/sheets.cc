// SPDX-License-Identifier: Apache-2.0
// The sheets of the workbook in order, and the one of assumptions.

#include "render/xlsx/sheets.h"

#include <algorithm>

#include "render/pdf/page/page_layout.h"
#include "render/xlsx/answer_sheet.h"
#include "render/xlsx/inputs.h"
#include "render/xlsx/ownership_table.h"
#include "render/xlsx/plan_table.h"
#include "render/xlsx/prices_table.h"
#include "render/xlsx/project_table.h"
#include "render/xlsx/rent_table.h"
#include "render/xlsx/services_table.h"
#include "render/xlsx/table.h"
#include "render/xlsx/workbook_file.h"
#include "sheet/money.h"
#include "sheet/sheet.h"
#include "support/error.h"
#include "support/named.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet::xlsx {
namespace {

constexpr double kMostRateDollars = 1e6;
constexpr double kMostGpus = 1024;

std::string limit_words(const Input& input) {
  if (input.style == Style::kInputDate) return "A date, year-month-day.";
  return "From " + shortest(input.least) + " to " + shortest(input.most) +
         (input.figure.unit.empty() ? "" : ", " + input.figure.unit) + ".";
}

}  // namespace

void limit_numbers(Page& page, std::size_t first_row, std::size_t last_row, std::size_t column,
                   double least, double most, const std::string& words) {
  std::string title = "May be changed";
  std::string message = page.book().in_money(words).substr(0, 200);
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
  page.limit(first_row, last_row, column, rule);
}

void input_cell(const std::string& sheet, std::size_t row, std::size_t column, const Input& input,
                Page& page) {
  page.book().define_name(input.name, column_cells(sheet, column, row, 1));
  limit_numbers(page, row, row, column, input.least, input.most, limit_words(input));
}

namespace {

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
  page.limit(first_row, last_row, column, rule);
}

void limit_prices(const Sheet& sheet, const Table& table, const TablePlace& place, Page& page) {
  const std::size_t last = place.last_row();
  const std::size_t quotes = last + 1 - kQuoteLines;
  limit_numbers(page, place.first_row, last, column_of(table.columns, "usd"), 0, kMostRateDollars,
                "US dollars per hour for a whole instance. Empty: not on offer.");
  limit_numbers(page, quotes, last, column_of(table.columns, "gpus"), 1, kMostGpus,
                "GPUs of one instance.");
  std::vector<std::string> gpus;
  for (const SheetGpu& gpu : sheet.gpus) gpus.push_back(gpu_label(sheet, gpu.id));
  limit_words(page, quotes, last, column_of(table.columns, "gpu"), gpus);
  std::vector<std::string> tiers;
  for (const SheetTier& tier : kRentTiers) tiers.emplace_back(tier.key);
  limit_words(page, quotes, last, column_of(table.columns, "tier"), tiers);
}

constexpr std::size_t kValueColumn = 1;
constexpr std::size_t kPowerColumn = 5;
constexpr double kMostDollars = 1e9;
constexpr double kMostKilowatts = 1e5;
constexpr double kMostHours = 1e5;

/// A column of its own in the table, so that the tables below share its widths.
std::vector<Column> input_columns() {
  return {
      {"title", "", "Input", "", 52},
      {"value", "", "Value", "", 16, Style::kNumber},
      {"unit", "", "Unit", "", 24},
      {"low", "", "Low", "", 11, Style::kNumber},
      {"high", "", "High", "", 11, Style::kNumber},
      {"basis", "", "Basis", "", 15},
      {"date", "", "Date", "", 11},
      {"source", "", "Source", "", 50, Style::kWrapped},
      {"note", "", "Note", "", 44, Style::kWrapped},
      {"name", "", "Name in formulas", "", 25},
  };
}

/// How a range beside the value looks: as the value, but no input.
Style range_style(Style value) {
  if (value == Style::kInputPercent) return Style::kPercent;
  const bool whole = value == Style::kInputUsd || value == Style::kInputCount;
  return whole ? Style::kCount : Style::kNumber;
}

TableRow input_row(const Input& input) {
  const SheetEstimate& figure = input.figure;
  TableRow row;
  row.cells = {{"title", cell(figure.title)},   {"unit", cell(figure.unit)},
               {"basis", cell(figure.basis)},   {"date", cell(figure.date)},
               {"source", cell(figure.source)}, {"note", cell(figure.note)},
               {"name", cell(input.name)},      {"value", figure.typical}};
  if (input.has_range) row.cells.insert({{"low", figure.low}, {"high", figure.high}});
  row.styles = {{"value", input.style},
                {"low", range_style(input.style)},
                {"high", range_style(input.style)}};
  return row;
}

TablePlace draw_inputs(const std::vector<Input>& inputs, Page& page) {
  Table table{"Assumptions", input_columns(), {}};
  for (const Input& input : inputs) table.rows.push_back(input_row(input));
  const TablePlace place = page.table(kFirstHeading, table);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::size_t row = place.first_row + i;
    const Input& input = inputs[i];
    if (!input.label.empty()) {
      page.formula(row, kValueColumn, input.name, input.figure.typical, range_style(input.style));
    } else if (input.formula.empty()) {
      input_cell("Assumptions", row, kValueColumn, input, page);
    } else {
      page.book().define_name(input.name, column_cells("Assumptions", kValueColumn, row, 1));
      page.formula(row, kValueColumn, input.formula, input.figure.typical, input.style);
    }
  }
  // Three columns more than this table has: the machines below need them.
  table.columns.resize(table.columns.size() + 3);
  for (std::size_t i = 1; i <= 3; ++i) table.columns[table.columns.size() - i].width = 12;
  page.widths(table.columns);
  return place;
}

std::size_t below(const TablePlace& place) { return place.first_row + place.rows + 1; }

void draw_assumptions(const Sheet& sheet, const std::vector<Input>& inputs, WorkbookFile& book,
                      bool letter) {
  Page page(
      book, "Assumptions", "Assumptions",
      "Blue on yellow may be changed; every cost of this workbook follows. What the Answer sheet "
      "asks for is typed there.");
  const TablePlace values = draw_inputs(inputs, page);
  std::size_t row = below(values);
  page.text(row, 0, "Scenarios", Style::kSection);
  const TablePlace scenarios = page.table(row + 1, scenarios_table(sheet));
  for (const std::size_t column : {std::size_t{1}, std::size_t{2}}) {
    limit_numbers(page, scenarios.first_row, scenarios.last_row(), column, 0,
                  column == 1 ? kMostHours : 1, "Not negative.");
  }
  if (!sheet.machines.empty()) {
    row = below(scenarios);
    page.text(row, 0, "Machines that can be bought", Style::kSection);
    const TablePlace machines = page.table(row + 1, machines_table(sheet));
    const std::size_t last = machines.last_row();
    limit_numbers(page, machines.first_row, last, kValueColumn, 0, kMostDollars,
                  "US dollars for one machine.");
    limit_numbers(page, machines.first_row, last, kPowerColumn, 0, kMostKilowatts,
                  "kW of one machine at full load, before PUE.");
  }
  worksheet_freeze_panes(page.handle(), static_cast<lxw_row_t>(values.first_row), 1);
  page.print_setup(sheet.meta, letter);
}

/// The sheets of the workbook in their order.
std::string drawn(const Sheet& sheet, bool letter) {
  const std::vector<Input> inputs = inputs_of(sheet);
  WorkbookFile book(sheet.meta);
  const SheetMeta& meta = sheet.meta;
  const auto one_table = [&](const Table& table, const View& view) {
    Page page(book, table.sheet, view.title, edition_words(meta) + view.words);
    const TablePlace place = page.only(table, view, meta, letter);
    if (table.sheet == "Prices") limit_prices(sheet, table, place, page);
    return place;
  };
  draw_answer(sheet, inputs, book, letter);
  if (has_plan(sheet)) draw_plan(sheet, inputs, book, letter);
  one_table(sizing_table(sheet),
            {"Sizing: GPUs, layout and memory",
             "Results of the program; prices do not move them. Green: what is rented.", 5, "",
             "weights", "ISNUMBER(SEARCH(\"rent\",{pick}))"});
  const Table rent = rent_table(sheet);
  const TablePlace rented = one_table(
      rent,
      {"Rent or own: every configuration that fits",
       "Formulas over Prices, Ownership and Assumptions. Green: the cheapest run on demand of "
       "its model, method and scenario.",
       5, kFirstLine, "reserved_1y_hour", "{cheapest}=\"yes\"", Style::kBest, "size cheapest"});
  const std::size_t first = column_of(rent.columns, kFirstLine);
  book.define_name("lines_used",
                   column_cells(rent.sheet, first, rented.first_row,
                                std::max<std::size_t>(rented.rows, 1), kRentTiers.size()));
  one_table(prices_table(sheet),
            {"Prices of the sheet's GPUs",
             "Change a price, or write a quote into the empty lines at the end. Second heading: "
             "FOCUS terms.",
             2, "sku", "", "AND({provider}<>\"\",{ok}=0)", Style::kAside});
  if (!sheet.services.empty()) {
    one_table(services_table(sheet),
              {"Services: the same runs trained elsewhere",
               "Formulas over Assumptions. Such a service uses its own GPUs and receives your "
               "data. No pick is a service.",
               3, "billed"});
  }
  if (sheet.project) {
    one_table(project_table(sheet),
              {"The whole project of each pick",
               "Formulas over Rent vs buy and Assumptions, where the project's figures may be "
               "changed.",
               3, "checkpoint"});
  }
  one_table(ownership_table(sheet, inputs),
            {"Owning: what each count of GPUs costs", "Formulas over Assumptions and Prices.", 3,
             "node", "rent depreciation"});
  draw_assumptions(sheet, inputs, book, letter);
  one_table(terms_table(sheet), {"Terms and units", "", 2});
  return book.bytes();
}

}  // namespace
}  // namespace sizesheet::xlsx

namespace sizesheet {

std::string xlsx_workbook(const Sheet& sheet, bool letter) {
  std::string bytes = xlsx::drawn(sheet, letter);
  // The library does not look whether its temporary files took what it wrote. A disk that was full
  // for a moment would leave a workbook with a hole.
  if (xlsx::drawn(sheet, letter) != bytes) {
    throw InputError("sheet.xlsx: a temporary file (TMPDIR) lost some of what was written");
  }
  return bytes;
}

}  // namespace sizesheet
