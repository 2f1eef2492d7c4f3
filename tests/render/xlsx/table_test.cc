// SPDX-License-Identifier: Apache-2.0
// The workbook and its tables: reproducible, no text in a formula; what the lines of the Answer and
// the Plan say of picks and plan, and where their inputs and their money are.

#include "render/xlsx/table.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "catalog/prices/purchase.h"
#include "cli/small_sheet.h"
#include "render/pdf/page/page_layout.h"
#include "render/sample_sheet.h"
#include "render/xlsx/answer_sheet.h"
#include "render/xlsx/inputs.h"
#include "render/xlsx/ownership_table.h"
#include "render/xlsx/plan_table.h"
#include "render/xlsx/prices_table.h"
#include "render/xlsx/rent_table.h"
#include "render/xlsx/services_table.h"
#include "render/xlsx/sheets.h"
#include "render/xlsx/workbook_file.h"
#include "sheet/money.h"
#include "sheet/plan.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "support/money.h"
#include "support/refusal.h"
#include "support/temp_dir.h"
#include "support/trace.h"

namespace sizesheet::xlsx {
namespace {

std::vector<Column> three_columns() {
  std::vector<Column> columns(3);
  columns[0].key = "gpus";
  columns[1].key = "usd";
  columns[2].key = "total";
  return columns;
}

TEST(XlsxTable, letters_count_as_spreadsheets_do) {
  EXPECT_EQ(column_letters(0), "A");
  EXPECT_EQ(column_letters(25), "Z");
  EXPECT_EQ(column_letters(26), "AA");
  EXPECT_EQ(column_letters(51), "AZ");
  EXPECT_EQ(column_letters(52), "BA");
  EXPECT_EQ(column_letters(701), "ZZ");
  EXPECT_EQ(column_letters(702), "AAA");
}

TEST(XlsxTable, a_formula_names_cells_of_its_row) {
  EXPECT_EQ(in_row("ROUND({gpus}*{usd},6)+{gpus}", three_columns(), 6), "ROUND($A7*$B7,6)+$A7");
  EXPECT_EQ(in_row("pue*2", three_columns(), 0), "pue*2");
}

TEST(XlsxServices, have_a_line_an_offer_and_a_formula_for_its_dollars) {
  const Sheet& sheet = quarterly_sheet();
  const Table table = services_table(sheet);
  ASSERT_EQ(table.rows.size(), sheet.services.size());
  const Column& run = table.columns[column_of(table.columns, "usd")];
  EXPECT_EQ(in_row(run.formula, table.columns, 5),
            "IF(ISNUMBER($I6),ROUND(MAX($I6*$H6/1000000,$J6),6),\"\")");
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const std::map<std::string, CellValue>& cells = table.rows[i].cells;
    const double rate = std::get<double>(cells.at("rate"));
    const double tokens = std::get<double>(cells.at("tokens"));
    const auto* minimum = std::get_if<double>(&cells.at("minimum"));
    const double usd = std::max(rate * tokens / 1e6, minimum != nullptr ? *minimum : 0);
    EXPECT_NEAR(std::get<double>(cells.at("usd")), usd, 1e-6) << sheet.services[i].key;
  }
}

TEST(XlsxTable, a_column_that_is_not_there_is_a_mistake_of_ours) {
  try {
    in_row("{gpu}*2", three_columns(), 0);
    FAIL() << "accepted";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(), "a formula names a column that does not exist: gpu");
  }
}

TEST(XlsxTable, cells_of_a_column_are_absolute) {
  EXPECT_EQ(column_cells("Rent vs buy", 2, 5, 10), "'Rent vs buy'!$C$6:$C$15");
}

TEST(XlsxTable, days_count_from_the_end_of_1899) {
  EXPECT_EQ(excel_day("1970-01-01"), 25569);
  EXPECT_EQ(excel_day("2026-11-20"), 46346);
  EXPECT_EQ(excel_day("2026-11"), 46327);
  EXPECT_EQ(excel_day("autumn"), std::nullopt);
}

TEST(XlsxTable, unknown_is_an_empty_cell) {
  EXPECT_TRUE(std::holds_alternative<std::monostate>(cell(std::string())));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(cell(std::optional<MicroUsd>())));
  EXPECT_EQ(std::get<double>(cell(std::optional<MicroUsd>(MicroUsd{0}))), 0.0);
  EXPECT_EQ(std::get<double>(cell(MicroUsd{2'760'000})), 2.76);
}

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
    EXPECT_EQ(at(row, "away"), pick.runner_up ? cell(pick.runner_up->score_share) : CellValue{});
    EXPECT_EQ(at(row, "capex"), pick.own ? cell(pick.own->capex_usd) : CellValue{});
    if (!pick.own || !pick.own->advice) continue;
    const auto& hours = pick.own->break_even_hours_per_month;
    EXPECT_EQ(at(row, "even_hours"), hours ? cell(hours) : cell("never"));
    EXPECT_EQ(at(row, "against_run"), cell(pick.own->rent_usd_per_run));
    EXPECT_EQ(at(row, "advice_at_hours"), CellValue{pick.own->advice_at_hours});
    EXPECT_EQ(at(row, "decision"), CellValue{}) << "the plan of the sheet is an example";
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
         {"set_up", "hours", "mid", "seller", "next", "away", "month", "even_hours"}) {
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
    EXPECT_NE(column.key, "even_hours");
  }
}

TEST(XlsxAnswer, asks_for_what_moves_an_answer_most) {
  std::vector<std::string> names;
  for (const Input& input : inputs_of(quarterly_sheet())) {
    if (!input.label.empty()) names.push_back(input.name);
  }
  const std::vector<std::string> expected = {
      "tokens_per_run", "adapter_tokens_per_run", "planned_hours_per_month",
      "rent_change",    "price_max_age_days",     "cost_of_capital",
      "usd_per_kwh"};
  EXPECT_EQ(names, expected);
}

TEST(XlsxAnswer, a_quarter_has_no_runs_until_the_reader_types_them) {
  const Table table = answer_of(quarterly_sheet());
  const Column& expected = table.columns.at(column_of(table.columns, "quarter_mid"));
  EXPECT_EQ(in_row("{quarter_runs}", table.columns, 6), "$Q7");
  EXPECT_EQ(in_row(expected.formula, table.columns, 6),
            "IF(N($Q7)=0,\"\",IF($F7=\"\",\"no price\",ROUND($Q7*$F7,6)))");
  for (const TableRow& row : table.rows) {
    for (const char* key : {"quarter_runs", "quarter_low", "quarter_mid", "quarter_high"}) {
      EXPECT_EQ(at(row, key), CellValue{}) << key;
    }
  }
}

TEST(XlsxAnswer, a_row_of_sizing_is_named_for_its_machine_not_for_an_advice) {
  for (const TableRow& row : sizing_table(quarterly_sheet()).rows) {
    EXPECT_NE(at(row, "pick"), cell("buy"));
    EXPECT_NE(at(row, "pick"), cell("rent, buy"));
  }
}

/// The cells of a column, from the first line to the last.
std::vector<CellValue> column_cells_of(const Table& table, const std::string& key) {
  std::vector<CellValue> cells;
  for (const TableRow& row : table.rows) cells.push_back(at(row, key));
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

std::string workbook(const Sheet& sheet, bool letter = false) {
  return xlsx_workbook(sheet, letter);
}

const std::string& quarterly_workbook() {
  static const std::string kBytes = workbook(quarterly_sheet());
  return kBytes;
}

std::vector<Table> tables(const Sheet& sheet) {
  return {answer_table(sheet, inputs_of(sheet)),
          plan_pools_table(sheet, inputs_of(sheet)),
          plan_runs_table(sheet),
          sizing_table(sheet),
          rent_table(sheet),
          prices_table(sheet),
          ownership_table(sheet, inputs_of(sheet)),
          machines_table(sheet),
          scenarios_table(sheet)};
}

TEST(Xlsx, the_same_sheet_gives_the_same_bytes) {
  EXPECT_EQ(quarterly_workbook(), workbook(quarterly_sheet()));
  EXPECT_TRUE(quarterly_workbook().starts_with("PK"));
  EXPECT_NE(quarterly_workbook(), workbook(quarterly_sheet(), true)) << "the paper";
}

TEST(Xlsx, no_text_of_the_catalog_gets_into_a_formula) {
  Sheet hostile = quarterly_sheet();
  const std::string trap = "=HYPERLINK(\"https://example.com\")";
  for (SheetPrice& price : hostile.prices) price.provider = price.source = price.note = trap;
  for (SheetModel& model : hostile.models) model.title = trap;
  for (SheetGpu& gpu : hostile.gpus) gpu.short_name = trap + gpu.id;
  for (SoldMachine& machine : hostile.machines) machine.title = trap;
  for (PlanPoolLine& pool : hostile.plan->pools) pool.title = trap;
  for (Scenario& scenario : hostile.scenarios) scenario.title = trap;
  const std::vector<Table> plain = tables(quarterly_sheet());
  const std::vector<Table> other = tables(hostile);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    ASSERT_EQ(plain[i].columns.size(), other[i].columns.size());
    for (std::size_t j = 0; j < plain[i].columns.size(); ++j) {
      EXPECT_EQ(plain[i].columns[j].formula, other[i].columns[j].formula);
      EXPECT_EQ(plain[i].columns[j].title, other[i].columns[j].title);
    }
  }
  EXPECT_FALSE(workbook(hostile).empty());
}

TEST(Xlsx, every_formula_finds_its_columns) {
  for (const Table& table : tables(quarterly_sheet())) {
    for (const Column& column : table.columns) {
      const std::string words = in_row(column.formula, table.columns, 5);
      EXPECT_EQ(words.find_first_of("{}"), std::string::npos) << column.key;
      EXPECT_LT(words.size(), 8192U) << column.key;  // what a cell may hold
    }
  }
}

TEST(Xlsx, every_line_number_leads_to_the_price_of_its_row) {
  const Sheet& sheet = quarterly_sheet();
  const auto lines = price_lines(sheet);
  const auto rows = priced_rows(sheet);
  const Table table = rent_table(sheet);
  ASSERT_EQ(rows.size(), table.rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double line = std::get<double>(table.rows[i].cells.at("list_line"));
    ASSERT_EQ(line > 0, rows[i]->rents[kOnDemand].has_value()) << rows[i]->key();
    if (line == 0) continue;
    EXPECT_EQ(lines[static_cast<std::size_t>(line) - 1]->key, rows[i]->rents[kOnDemand]->price_key);
  }
}

TEST(Xlsx, cards_of_one_name_are_told_apart) {
  Sheet sheet = quarterly_sheet();
  EXPECT_EQ(gpu_label(sheet, "h100-sxm"), "H100");
  for (SheetGpu& gpu : sheet.gpus) {
    if (gpu.id == "h200-sxm") gpu.short_name = "H100";
  }
  EXPECT_EQ(gpu_label(sheet, "h100-sxm"), "h100-sxm");
  EXPECT_EQ(gpu_label(sheet, "h200-sxm"), "h200-sxm");
}

TEST(Xlsx, a_rate_that_owning_needs_is_asked_for_by_name) {
  Sheet sheet = quarterly_sheet();
  for (SheetEstimate& rate : sheet.rates) {
    if (rate.role == "pue") rate.role = "";
  }
  EXPECT_EQ(refusal_of([&] { workbook(sheet); }),
            "sheet.xlsx: machines can be bought, but no rate has the role \"pue\"");
}

/// TMPDIR for as long as this lives.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& path) {
    if (const char* old = std::getenv("TMPDIR")) before_ = old;
    setenv("TMPDIR", path.c_str(), 1);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { before_ ? setenv("TMPDIR", before_->c_str(), 1) : unsetenv("TMPDIR"); }

 private:
  std::optional<std::string> before_;
};

TEST(Xlsx, leaves_nothing_in_the_folder_for_temporary_files) {
  const TempDir scratch;
  const TemporaryFolder folder(scratch.path());
  workbook(small_sheet());
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
}

TEST(Xlsx, says_when_there_is_no_folder_for_temporary_files) {
  const TemporaryFolder folder("/nowhere/at/all");
  EXPECT_EQ(refusal_of([] { workbook(small_sheet()); }),
            "sheet.xlsx: no folder for temporary files (TMPDIR): No such file or directory");
}

TEST(Xlsx, a_sheet_without_machines_and_prices_is_written) {
  Sheet sheet = quarterly_sheet();
  sheet.machines.clear();
  sheet.rates.clear();
  sheet.prices.clear();
  for (Row& row : sheet.rows) {
    row.own.reset();
    for (auto* line : {&row.rents[kOnDemand], &row.rents[kSpot], &row.rents[kReserved1y]})
      line->reset();
  }
  EXPECT_EQ(ownership_table(sheet, inputs_of(sheet)).rows.size(), 0U);
  EXPECT_FALSE(workbook(sheet).empty());
}

}  // namespace

}  // namespace sizesheet::xlsx
