// SPDX-License-Identifier: Apache-2.0
// The Plan sheet of the workbook: what its lines say of the plan, and from where their money comes.
#include <gtest/gtest.h>

#include "render/sample_plan.h"
#include "render/writers.h"
#include "render/xlsx/sheets.h"

namespace sizesheet::xlsx {
namespace {

/// The cells of a column, from the first line to the last.
std::vector<CellValue> column_cells_of(const Table& table, const std::string& key) {
  std::vector<CellValue> cells;
  for (const TableRow& row : table.rows) {
    const auto found = row.cells.find(key);
    cells.push_back(found == row.cells.end() ? CellValue{} : found->second);
  }
  return cells;
}

using Cells = std::vector<CellValue>;

TEST(XlsxPlan, a_line_a_pool_says_what_the_program_found) {
  const Sheet& sheet = planned_sheet();
  const Table table = plan_pools_table(sheet, inputs_of(sheet));
  const CellValue none;
  EXPECT_EQ(column_cells_of(table, "units"), (Cells{2.0, 1.0, 1.0, none}));
  EXPECT_EQ(column_cells_of(table, "months"), (Cells{3.0, 2.0, 6.0, none}));
  EXPECT_EQ(column_cells_of(table, "all"), (Cells{54'020.0, 8'000.0, 30'000.0, 600.0}));
  EXPECT_EQ(column_cells_of(table, "share"), (Cells{0.5, 0.0, 0.0, none}));
  EXPECT_EQ(column_cells_of(table, "highest_use"), (Cells{0.8, 0.8, 1.0, none}));
}

TEST(XlsxPlan, money_of_a_unit_follows_from_a_machine_a_price_or_what_was_told) {
  const Sheet& sheet = planned_sheet();
  const Table table = plan_pools_table(sheet, inputs_of(sheet));
  const CellValue none;
  EXPECT_EQ(column_cells_of(table, "capex"), (Cells{350'000.0, none, none, none}));
  EXPECT_EQ(column_cells_of(table, "joined"), (Cells{1.0, 0.0, 0.0, none}));
  EXPECT_EQ(column_cells_of(table, "known_usd"), (Cells{none, 4'000.0, none, none}));
  const Cells machines = column_cells_of(table, "machine_line");
  for (const auto& [pool, id] : {std::pair{0U, "8x-h200-sxm"}, std::pair{1U, "8x-h100-sxm"}}) {
    const auto line = static_cast<std::size_t>(std::get<double>(machines[pool]));
    EXPECT_EQ(sheet.machines.at(line - 1).id, id);
  }
  const Cells prices = column_cells_of(table, "price_line");
  const auto line = static_cast<std::size_t>(std::get<double>(prices[2]));
  EXPECT_EQ(price_lines(sheet).at(line - 1)->key, sheet.plan->pools[2].price_key);
  EXPECT_EQ(prices[3], CellValue{0.0}) << "each of its runs has its own";
}

TEST(XlsxPlan, a_line_of_runs_leads_to_its_pool_and_its_price) {
  const Sheet& sheet = planned_sheet();
  const Table table = plan_runs_table(sheet);
  EXPECT_EQ(column_cells_of(table, "month"), (Cells{4.0, 1.0})) << "counted from 1";
  EXPECT_EQ(column_cells_of(table, "pool"), (Cells{1.0, 4.0}));
  EXPECT_EQ(column_cells_of(table, "where"), (Cells{cell("8x H200, joined"), cell("On demand")}));
  EXPECT_EQ(column_cells_of(table, "gpu_hours"), (Cells{100.0, 60.0}));
  EXPECT_EQ(column_cells_of(table, "run"), (Cells{4.0, 200.0}));
  EXPECT_EQ(column_cells_of(table, "hour"), (Cells{1.6, 20.0}));
  const Cells prices = column_cells_of(table, "price_line");
  EXPECT_EQ(prices[0], CellValue{0.0});
  const auto line = static_cast<std::size_t>(std::get<double>(prices[1]));
  EXPECT_EQ(price_lines(sheet).at(line - 1)->key, sheet.plan->assignments[1].price_key);
}

TEST(XlsxPlan, only_what_can_be_typed_looks_like_an_input) {
  const Sheet& sheet = planned_sheet();
  const Table table = plan_pools_table(sheet, inputs_of(sheet));
  std::vector<std::size_t> typed;
  for (const char* key : {"units", "known_usd"}) {
    const Style style = table.columns[column_of(table.columns, key)].style;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const auto& styles = table.rows[i].styles;
      const auto other = styles.find(key);
      if ((other == styles.end() ? style : other->second) >= Style::kInputText) typed.push_back(i);
    }
  }
  EXPECT_EQ(typed, (std::vector<std::size_t>{0, 1, 2, 1}));
}

TEST(XlsxPlan, without_machines_on_sale_no_formula_names_them) {
  Sheet sheet = planned_sheet();
  sheet.machines.clear();
  for (const Column& column : plan_pools_table(sheet, {}).columns) {
    EXPECT_EQ(column.formula.find("INDEX(machine"), std::string::npos) << column.key;
  }
}

TEST(XlsxPlan, there_is_no_sheet_without_a_plan) {
  Sheet sheet = planned_sheet();
  sheet.rows.clear();
  sheet.picks.clear();
  EXPECT_TRUE(has_plan(sheet));
  const std::size_t with = xlsx_workbook(sheet, false).size();
  sheet.plan->pools.clear();
  EXPECT_FALSE(has_plan(sheet)) << "none was found";
  const std::string without = xlsx_workbook(sheet, false);
  EXPECT_LT(without.size(), with);
  sheet.plan.reset();
  EXPECT_EQ(xlsx_workbook(sheet, false), without);
}

}  // namespace
}  // namespace sizesheet::xlsx
