// SPDX-License-Identifier: Apache-2.0
// Rows of a scenario that generates: hours of its prompts, dollars, and what is not priced.
#include <gtest/gtest.h>

#include "sheet/assemble/load_spec.h"
#include "sheet/money.h"
#include "sheet/quarterly.h"
#include "sheet/rows/price_row.h"
#include "sheet/rows/size_row.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/verdict.h"
#include "support/json.h"
#include "support/money.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

/// GRPO of Qwen2.5 7B on eight H100, priced.
Row priced_row(const Json& grpo) {
  SheetSpec spec = quarterly_spec();
  spec.scenarios.resize(1);
  SpecScenario& scenario = spec.scenarios.front();
  scenario.stack = "deepspeed";
  scenario.request = {
      {"layout", {{"gpus", 8}}},
      {"workload", {{"examples", 12800}}},
      {"grpo", {{"prompts_per_step", 128}, {"completion_mean", 600}, {"memory_fraction", 0.5}}}};
  scenario.request["grpo"].update(grpo);
  const SpecModel model{"qwen2.5-7b", "", ""};
  const SheetPrices prices(project_catalog(), spec);
  Row row =
      size_row(project_catalog(), spec, prices.offers(), {&model, "full", "h100-sxm", &scenario});
  if (row.modelled) add_rent(project_catalog(), spec, prices, row);
  return row;
}

TEST(GeneratingRows, HaveHoursPhasesAndDollars) {
  const Row row = priced_row(Json::object());
  ASSERT_TRUE(row.modelled) << row.refusal;
  EXPECT_EQ(row.verdict, Verdict::kFits);
  double step = 0;
  std::string parts;
  for (const StepClock& part : row.clocks) {
    step += part.seconds;
    parts += part.id + " ";
  }
  EXPECT_EQ(parts, "generation logprobs training weight_sync switch fixed ");
  EXPECT_NEAR(row.hours_mid.value(), 100 * step / 3600, 1e-4);
  ASSERT_TRUE(row.rents[kOnDemand]);
  EXPECT_TRUE(row.rents[kOnDemand]->usd_per_run);
  ASSERT_FALSE(row.candidates.empty());
  EXPECT_EQ(row.candidates.front().hours.mid, row.hours_mid);
  // Memory is of the whole card, in its larger phase, and the terms sum to it.
  std::int64_t sum = 0;
  for (const MemoryTerm& term : row.terms) sum += term.bytes;
  EXPECT_EQ(sum, row.memory.device);
  EXPECT_EQ(row.terms.back().bytes, row.memory.overhead);
  EXPECT_GT(row.memory.device, row.memory.capacity / 2);  // the engine's fraction alone
}

TEST(GeneratingRows, WithServersAreRefused) {
  const Row row =
      priced_row({{"generation", "server"}, {"generation_gpus", 8}, {"memory_fraction", 0.9}});
  EXPECT_FALSE(row.modelled);
  EXPECT_EQ(row.refusal,
            "grpo: dollars are counted for the trainer's GPUs, and 8 more generate or score; "
            "explain shows the memory and the time; for dollars, let all of it share the "
            "trainer's GPUs (generation \"colocated\", reward_gpus 0)");
}

TEST(AlignmentSheet, EveryMethodHasASetUpWithHoursAndDollars) {
  const SheetSpec spec = load_sheet_spec(SIZESHEET_SOURCE_DIR "/docs/alignment.json",
                                         SIZESHEET_SOURCE_DIR "/catalog", project_catalog());
  const Sheet sheet = built(spec);
  for (const SheetModel& model : sheet.models) {
    for (const SheetMethod& method : sheet.methods) {
      const Row* row = rent_pick_row(sheet, model.id, method.id);
      ASSERT_NE(row, nullptr) << model.id << " " << method.id;
      EXPECT_GT(row->set_up()->hours.mid, 0) << method.id;
      EXPECT_GT(to_usd(row->set_up()->usd.mid), 0) << method.id;
    }
  }
  // 500 million tokens are 78,125 prompts with eight completions: 611 steps of 128.
  const Row& grpo = *rent_pick_row(sheet, "qwen2.5-7b", "grpo-full");
  double step = 0;
  for (const StepClock& part : grpo.clocks) step += part.seconds;
  const double steps = 78125.0 / 128;
  EXPECT_NEAR(grpo.hours_mid.value(), steps * step / 3600 * 1.02 + 0.1667, 1e-3);
}

}  // namespace
}  // namespace sizesheet
