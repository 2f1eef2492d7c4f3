// SPDX-License-Identifier: Apache-2.0
// The Answer sheet of the workbook: what its lines say of the picks, and where its inputs are.
#include <gtest/gtest.h>

#include "render/xlsx/sheets.h"
#include "sheet/quarterly.h"

namespace sizesheet::xlsx {
namespace {

Table answer_of(const Sheet& sheet) { return answer_table(sheet, inputs_of(sheet)); }

/// The cell of that key; nothing where the line has none.
CellValue at(const TableRow& row, const std::string& key) {
  const auto found = row.cells.find(key);
  return found == row.cells.end() ? CellValue{} : found->second;
}

TEST(XlsxAnswer, a_line_a_pick_says_what_the_program_decided) {
  const Sheet& sheet = quarterly_sheet();
  const Table table = answer_of(sheet);
  ASSERT_EQ(table.rows.size(), sheet.picks.size());
  for (std::size_t i = 0; i < sheet.picks.size(); ++i) {
    const Pick& pick = sheet.picks[i];
    const TableRow& row = table.rows[i];
    EXPECT_EQ(at(row, "low"), cell(pick.usd_low));
    EXPECT_EQ(at(row, "high"), cell(pick.usd_high));
    EXPECT_EQ(at(row, "seller"), cell(pick.provider));
    EXPECT_EQ(at(row, "away"), pick.runner_up ? cell(pick.runner_up->usd_high_share) : CellValue{});
    EXPECT_EQ(at(row, "capex"), pick.own ? cell(pick.own->capex_usd) : CellValue{});
    if (!pick.own || !pick.own->advice) continue;
    EXPECT_EQ(at(row, "advice"), cell(pick.own->close ? "close" : *pick.own->advice));
  }
}

TEST(XlsxAnswer, every_line_number_leads_to_the_row_and_the_machine_of_the_pick) {
  const Sheet& sheet = quarterly_sheet();
  const Table table = answer_of(sheet);
  const auto rows = priced_rows(sheet);
  for (std::size_t i = 0; i < sheet.picks.size(); ++i) {
    const Pick& pick = sheet.picks[i];
    if (pick.rent_key) {
      const auto line = static_cast<std::size_t>(std::get<double>(at(table.rows[i], "rent_line")));
      EXPECT_EQ(rows.at(line - 1)->key(), *pick.rent_key);
    }
    if (!pick.own) continue;
    const auto line = static_cast<std::size_t>(std::get<double>(at(table.rows[i], "machine_line")));
    EXPECT_EQ(sheet.machines.at(line - 1).id, pick.own->machine);
  }
}

TEST(XlsxAnswer, what_is_not_known_stays_empty) {
  Sheet sheet = quarterly_sheet();
  for (Pick& pick : sheet.picks) {
    pick.rent_key.reset();
    pick.runner_up.reset();
    pick.own.reset();
  }
  for (const TableRow& row : answer_of(sheet).rows) {
    for (const char* key :
         {"set_up", "hours", "mid", "seller", "next", "away", "month", "advice"}) {
      EXPECT_EQ(at(row, key), CellValue{}) << key;
    }
    for (const char* key : {"rent_line", "price_line", "next_line", "machine_line"}) {
      EXPECT_EQ(at(row, key), CellValue{0.0}) << key;
    }
  }
}

TEST(XlsxAnswer, a_sheet_without_machines_says_nothing_of_owning) {
  Sheet sheet = quarterly_sheet();
  sheet.machines.clear();
  for (Pick& pick : sheet.picks) pick.own.reset();
  for (const Column& column : answer_of(sheet).columns) {
    EXPECT_EQ(column.formula.find("machine"), std::string::npos) << column.key;
    EXPECT_NE(column.key, "advice");
  }
}

TEST(XlsxAnswer, asks_for_what_moves_an_answer_most) {
  std::vector<std::string> names;
  for (const Input& input : inputs_of(quarterly_sheet())) {
    if (!input.label.empty()) names.push_back(input.name);
  }
  const std::vector<std::string> expected = {"tokens_per_run",          "adapter_tokens_per_run",
                                             "planned_hours_per_month", "price_max_age_days",
                                             "cost_of_capital",         "usd_per_kwh"};
  EXPECT_EQ(names, expected);
}

TEST(XlsxAnswer, a_row_of_sizing_is_named_for_its_machine_not_for_an_advice) {
  for (const TableRow& row : sizing_table(quarterly_sheet()).rows) {
    EXPECT_NE(at(row, "pick"), cell("buy"));
    EXPECT_NE(at(row, "pick"), cell("rent, buy"));
  }
}

}  // namespace
}  // namespace sizesheet::xlsx
