// SPDX-License-Identifier: Apache-2.0
// A grid's cells: every combination once, in its order, and parts that cover it without a gap.
#include <gtest/gtest.h>

#include <set>

#include "sheet/assemble/build_sheet.h"
#include "sheet/assemble/load_spec.h"
#include "sheet/money.h"
#include "sheet/rows/price_row.h"
#include "sheet/rows/size_row.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sizing/memory/verdict.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

SheetSpec quarterly_rules() {
  return load_sheet_spec("quarterly", SIZESHEET_SOURCE_DIR "/catalog", project_catalog());
}

/// Three models, two methods, two GPU types, three lengths: 36 cells.
Grid small_grid() {
  return Grid(project_catalog(), {quarterly_rules(),
                                  {"llama-3.1-8b", "size-7b", "qwen3-30b-a3b"},
                                  {"lora-r16", "full"},
                                  {"h100-sxm", "l40s"},
                                  {1024, 4096, 16384}});
}

TEST(Grid, EveryCellOnceInOrder) {
  const Grid grid = small_grid();
  ASSERT_EQ(grid.cells(), 36);
  std::set<std::string> keys;
  for (std::int64_t cell = 0; cell < grid.cells(); ++cell) keys.insert(grid.row(cell).key());
  EXPECT_EQ(keys.size(), 36U);
  EXPECT_EQ(grid.row(0).key(), "llama-3.1-8b/lora-r16/h100-sxm/1024");
  EXPECT_EQ(grid.row(1).key(), "llama-3.1-8b/lora-r16/h100-sxm/4096");
  EXPECT_EQ(grid.row(3).key(), "llama-3.1-8b/lora-r16/l40s/1024");
  EXPECT_EQ(grid.row(6).key(), "llama-3.1-8b/full/h100-sxm/1024");
  EXPECT_EQ(grid.row(12).key(), "size-7b/lora-r16/h100-sxm/1024");
  EXPECT_EQ(grid.row(35).key(), "qwen3-30b-a3b/full/l40s/16384");
}

TEST(Grid, PartsFollowOneAnotherWithoutAGap) {
  const Grid grid = small_grid();
  for (const std::int64_t parts : {1, 2, 5, 36, 37, 1000000}) {
    std::int64_t end = 0;
    for (std::int64_t part = 1; part <= parts; ++part) {
      const GridRange range = grid.part(part, parts);
      ASSERT_EQ(range.from, end) << part << "/" << parts;
      ASSERT_LE(range.to - range.from, 36 / parts + 1);
      end = range.to;
    }
    EXPECT_EQ(end, 36) << parts;
  }
}

/// The same cell as a row of a sheet.
TEST(Grid, ARowIsTheSheetsWithoutItsProofs) {
  const Grid grid = small_grid();
  SheetSpec spec = quarterly_rules();
  spec.scenarios.resize(1);
  spec.scenarios[0].id = "4096";
  spec.scenarios[0].request["workload"]["seq_len"] = 4096;
  const SpecModel model{"llama-3.1-8b", "", ""};
  const SheetPrices prices(project_catalog(), spec);
  Row whole = size_row(project_catalog(), spec, prices.offers(),
                       {&model, "full", "l40s", &spec.scenarios[0]});
  add_rent(project_catalog(), spec, prices, whole);
  const Row row = grid.row(10);
  EXPECT_EQ(row.key(), whole.key());
  EXPECT_EQ(row.memory, whole.memory);
  EXPECT_EQ(row.rentable, whole.rentable);
  EXPECT_EQ(row.hours_mid, whole.hours_mid);
  ASSERT_TRUE(row.rents[kOnDemand] && whole.rents[kOnDemand]);
  EXPECT_EQ(row.rents[kOnDemand]->price_key, whole.rents[kOnDemand]->price_key);
  EXPECT_EQ(row.rents[kOnDemand]->usd_per_run, whole.rents[kOnDemand]->usd_per_run);
  EXPECT_TRUE(row.terms.empty());
  EXPECT_EQ(row.binding, "");
}

TEST(Grid, ASinkThatHasEnoughEndsTheWalk) {
  const Grid grid = small_grid();
  std::vector<std::int64_t> told;
  for_each_cell(
      grid, {0, grid.cells()}, 1, [](const Row& row) { return row.key() + "\n"; },
      [&](const std::string& text, std::int64_t done) {
        EXPECT_TRUE(text.starts_with("llama-3.1-8b/lora-r16/h100-sxm/1024\n"));
        told.push_back(done);
        return false;
      });
  EXPECT_EQ(told, std::vector<std::int64_t>{36});
}

/// The first layers of a hybrid have no heads to tell of.
TEST(Grid, HeadsOfAModelAreThoseOfItsFirstLayerWithAttention) {
  SheetSpec spec = quarterly_rules();
  spec.models = {{"qwen3.5-0.8b", "0.8B", ""}};
  spec.methods = {"lora-r16"};
  spec.gpus = {"h100-sxm"};
  spec.highlight_model = spec.models.front().id;
  spec.handout_models.clear();
  const Sheet sheet = built(spec);
  ASSERT_EQ(sheet.models.size(), 1U);
  EXPECT_EQ(sheet.models.front().heads, 8);
  EXPECT_EQ(sheet.models.front().kv_heads, 2);
  EXPECT_EQ(sheet.rows.front().verdict, Verdict::kFits);
}

}  // namespace
}  // namespace sizesheet
