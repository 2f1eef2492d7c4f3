// SPDX-License-Identifier: Apache-2.0
// The whole project of a sheet: what a specification may ask, what rows, picks and the sheet say,
// that every form shows it, and that nothing changes without it.
#include "sheet/project.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "render/project_words.h"
#include "render/table/csv.h"
#include "render/writers.h"
#include "render/xlsx/project_table.h"
#include "sheet/assemble/shown.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "sheet/sheet_json.h"
#include "sheet/spec.h"
#include "support/formula_evaluator.h"
#include "support/json.h"
#include "support/money.h"
#include "support/project_catalog.h"
#include "support/refusal.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// A flat share on spot, so that no rate of the catalog is in use but for a project.
Json project_base_json() {
  Json json = quarterly_of({"llama-3.1-8b", "size-7b"}, {"full", "lora-r16"}, {"h100-sxm", "l40s"});
  json["prices"]["spot_interruption"] = {
      {"share", 0.1}, {"basis", "assumption"}, {"source", "a guess"}};
  return json;
}

Json asking_for(const Json& project) {
  Json json = project_base_json();
  json["project"] = project;
  return json;
}

/// A sweep of four with all that a project may have.
Json whole_project() {
  return {{"model", "llama-3.1-8b"},
          {"method", "lora-r16"},
          {"runs", 4},
          {"failed_share", 0.2},
          {"evaluation_tokens", 10000000},
          {"storage_months", 2},
          {"dataset_gib", 50},
          {"egress_gib", 10},
          {"engineering_hours", 16}};
}

const Sheet& sheet_without_project() {
  static const Sheet kSheet = sized_alone(project_catalog(), spec_of(project_base_json()));
  return kSheet;
}

const Sheet& sheet_with_project() {
  static const Sheet kSheet = sized_alone(project_catalog(), spec_of(asking_for(whole_project())));
  return kSheet;
}

TEST(SheetProject, ThePicksAndTheSheetSayTheSameAsTheirRow) {
  const Sheet& sheet = sheet_with_project();
  ASSERT_TRUE(sheet.project);
  const Pick* pick = sheet.pick("llama-3.1-8b", "lora-r16");
  ASSERT_NE(pick, nullptr);
  ASSERT_TRUE(pick->project);
  const ProjectCost& cost = *pick->project;
  EXPECT_EQ(sheet.project->row_key, pick->rent_key);
  EXPECT_EQ(sheet.project->total_usd, cost.total_usd);
  const Row* row = sheet.find(*pick->rent_key);
  EXPECT_EQ(row->project->total_usd, cost.total_usd);
  EXPECT_EQ(cost.usd_per_run, row->usd_per_run());
  const double run = to_usd(cost.usd_per_run);
  EXPECT_NEAR(to_usd(cost.runs_usd), 5 * run, 1e-5);
  EXPECT_NEAR(to_usd(cost.evaluation_usd), 4 * 10e6 * run / 50e6 * 0.3333, 1e-5);
  const double gib = 50 + 4 * static_cast<double>(row->files->checkpoint) / (1 << 30);
  EXPECT_NEAR(cost.stored_gib, gib, 1e-9);
  EXPECT_NEAR(to_usd(cost.storage_usd), gib * 2 * 0.07, 1e-5);
  EXPECT_NEAR(to_usd(cost.egress_usd), 0.9, 1e-6);
  EXPECT_EQ(cost.people_usd, MicroUsd{1'504'000'000}) << "16 x 94";
  EXPECT_LT(cost.total_usd_low, cost.total_usd);
  EXPECT_GT(cost.total_usd_high, cost.total_usd);
}

TEST(SheetProject, EveryRowWithASetUpHasOneWithProofs) {
  std::size_t priced = 0;
  for (const Row& row : sheet_with_project().rows) {
    ASSERT_EQ(row.project.has_value(), row.set_up() != nullptr) << row.key();
    if (!row.project) continue;
    ++priced;
    EXPECT_LE(row.project->total_usd_low, row.project->total_usd) << row.key();
    EXPECT_LE(row.project->total_usd, row.project->total_usd_high) << row.key();
    std::size_t proofs = 0;
    for (const CostLine& line : row.cost_terms) {
      if (!starts_with(line.name, "project_usd_")) continue;
      ++proofs;
      EXPECT_EQ(rounded_usd(evaluate(line.formula)), line.usd) << row.key() << " " << line.name;
    }
    EXPECT_EQ(proofs, 6U) << row.key();
  }
  EXPECT_GT(priced, 3U);
}

TEST(SheetProject, NothingElseOfTheSheetChanges) {
  Sheet sheet = sheet_with_project();
  const Json before = to_json(sheet_without_project());
  EXPECT_FALSE(before.contains("project"));
  EXPECT_FALSE(before.at("inputs").contains("project"));
  EXPECT_EQ(to_json_text(sheet_without_project()).find("\"project\""), std::string::npos);
  sheet.project.reset();
  for (Pick& pick : sheet.picks) pick.project.reset();
  for (Row& row : sheet.rows) {
    row.project.reset();
    std::erase_if(row.cost_terms,
                  [](const CostLine& line) { return starts_with(line.name, "project_usd_"); });
  }
  sheet.inputs = sheet_without_project().inputs;
  EXPECT_EQ(to_json(sheet), before);
}

TEST(SheetProject, TheTableHasItsColumnsWhereItIsAskedFor) {
  const auto header_of = [](const Sheet& sheet) {
    FileSet files;
    write_tables(sheet, files);
    const std::string& table = files.at("sheet.csv");
    return table.substr(0, table.find('\n'));
  };
  const std::string plain = header_of(sheet_without_project());
  EXPECT_EQ(plain.find("project"), std::string::npos);
  EXPECT_EQ(header_of(sheet_with_project()),
            plain +
                ",project_usd_runs,project_usd_evaluation,project_usd_storage,"
                "project_usd_egress,project_usd_people,project_usd_total,"
                "project_usd_total_low,project_usd_total_high");
}

TEST(SheetProject, TheWorkbookHasALineAPick) {
  const xlsx::Table table = xlsx::project_table(sheet_with_project());
  std::size_t picks = 0;
  for (const Pick& pick : sheet_with_project().picks) picks += pick.project ? 1 : 0;
  EXPECT_EQ(table.rows.size(), picks);
  EXPECT_TRUE(xlsx::project_table(sheet_without_project()).rows.empty());
  EXPECT_TRUE(xlsx::project_inputs(sheet_without_project()).empty());
  EXPECT_EQ(xlsx::project_inputs(sheet_with_project()).size(), 12U);
}

TEST(SheetProject, IsReadBack) {
  const Json json = to_json(sheet_with_project());
  const Sheet read = sheet_from_json(json, "sheet.json");
  EXPECT_EQ(to_json(read), json);
  for (const char* key : {"runs", "failed_share", "evaluation_tokens", "storage_usd", "egress_usd",
                          "people_usd", "total_usd"}) {
    EXPECT_TRUE(json.at("project").contains(key)) << key;
    EXPECT_TRUE(json.at("picks").at(0).at("project").contains(key)) << key;
  }
}

TEST(SheetProject, ARunAloneIsTheRun) {
  const Sheet sheet = sized_alone(project_catalog(), spec_of(asking_for(Json::object())));
  for (const Pick& pick : sheet.picks) {
    if (!pick.project) continue;
    EXPECT_EQ(pick.project->total_usd, pick.project->usd_per_run) << pick.key();
    EXPECT_EQ(pick.project->total_usd_high, pick.usd_high) << pick.key();
  }
  EXPECT_EQ(sheet.project->model, "size-7b") << "that of the panels";
  EXPECT_EQ(sheet.project->method, "full") << "the first of the sheet";
  EXPECT_TRUE(sheet.project->rates.empty());
}

TEST(SheetProject, TheRatesOfTheSheetReplaceThoseOfTheCatalog) {
  Json asked = whole_project();
  asked["usd_per_engineering_hour"] = 120;
  const SheetSpec spec = spec_of(asking_for(asked));
  ASSERT_EQ(spec.project->rates.size(), 4U);
  const ProjectFigure& hour = spec.project->rates.back();
  EXPECT_EQ(hour.id, "engineer-usd-per-hour");
  EXPECT_EQ(hour.typical, 120);
  EXPECT_EQ(hour.low, 120);
  EXPECT_EQ(hour.basis, "choice");
  EXPECT_EQ(spec.project->rates.front().basis, "source");
}

TEST(SheetProject, Words) {
  ProjectCost cost;
  cost.runs = 4;
  cost.failed_share = 0.2;
  cost.runs_usd = MicroUsd{500'000'000};
  cost.people_usd = MicroUsd{1'520'000'000};
  cost.total_usd = MicroUsd{2'020'000'000};
  cost.total_usd_low = MicroUsd{1'600'000'000};
  cost.total_usd_high = MicroUsd{2'700'000'000};
  EXPECT_EQ(project_amount(cost), "$2,020 (1,600–2,700)");
  EXPECT_EQ(project_parts(cost),
            "4 runs, 20\u00a0% of those started lost: $500; engineering $1,520");
}

}  // namespace
}  // namespace sizesheet
