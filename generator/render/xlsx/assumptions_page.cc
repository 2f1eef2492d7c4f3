// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/assumptions_page.h"

#include "render/xlsx/ownership_table.h"
#include "render/xlsx/rent_table.h"
#include "support/text.h"

namespace sizesheet::xlsx {
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
