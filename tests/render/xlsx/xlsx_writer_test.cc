// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "cli/small_sheet.h"
#include "render/writers.h"
#include "render/xlsx/sheets.h"
#include "sheet/quarterly.h"
#include "support/refusal.h"
#include "support/temp_dir.h"

namespace sizesheet {
namespace {

std::string workbook(const Sheet& sheet, bool letter = false) {
  return xlsx_workbook(sheet, letter);
}

const std::string& quarterly_workbook() {
  static const std::string kBytes = workbook(quarterly_sheet());
  return kBytes;
}

std::vector<xlsx::Table> tables(const Sheet& sheet) {
  return {xlsx::answer_table(sheet, xlsx::inputs_of(sheet)),
          xlsx::plan_pools_table(sheet, xlsx::inputs_of(sheet)),
          xlsx::plan_runs_table(sheet),
          xlsx::sizing_table(sheet),
          xlsx::rent_table(sheet),
          xlsx::prices_table(sheet),
          xlsx::ownership_table(sheet, xlsx::inputs_of(sheet)),
          xlsx::machines_table(sheet),
          xlsx::scenarios_table(sheet)};
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
  const std::vector<xlsx::Table> plain = tables(quarterly_sheet());
  const std::vector<xlsx::Table> other = tables(hostile);
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
  for (const xlsx::Table& table : tables(quarterly_sheet())) {
    for (const xlsx::Column& column : table.columns) {
      const std::string words = xlsx::in_row(column.formula, table.columns, 5);
      EXPECT_EQ(words.find_first_of("{}"), std::string::npos) << column.key;
      EXPECT_LT(words.size(), 8192U) << column.key;  // what a cell may hold
    }
  }
}

TEST(Xlsx, every_line_number_leads_to_the_price_of_its_row) {
  const Sheet& sheet = quarterly_sheet();
  const auto lines = xlsx::price_lines(sheet);
  const auto rows = xlsx::priced_rows(sheet);
  const xlsx::Table table = xlsx::rent_table(sheet);
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
  EXPECT_EQ(xlsx::gpu_label(sheet, "h100-sxm"), "H100");
  for (SheetGpu& gpu : sheet.gpus) {
    if (gpu.id == "h200-sxm") gpu.short_name = "H100";
  }
  EXPECT_EQ(xlsx::gpu_label(sheet, "h100-sxm"), "h100-sxm");
  EXPECT_EQ(xlsx::gpu_label(sheet, "h200-sxm"), "h200-sxm");
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
  EXPECT_EQ(xlsx::ownership_table(sheet, xlsx::inputs_of(sheet)).rows.size(), 0U);
  EXPECT_FALSE(workbook(sheet).empty());
}

}  // namespace
}  // namespace sizesheet
