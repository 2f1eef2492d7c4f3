// SPDX-License-Identifier: Apache-2.0
// Advice of an edition: its answers against estimate's, its warnings as printed, and its cards
// against the rows of the sheet.
#include "sheet/tables/advice.h"

#include <gtest/gtest.h>

#include <cmath>

#include "catalog/catalog.h"
#include "catalog/published/worksheet.h"
#include "cost/ownership.h"
#include "sheet/quarterly.h"
#include "sheet/sections.h"
#include "sheet/sheet.h"
#include "sizing/answer/estimate.h"
#include "sizing/sized.h"
#include "support/error.h"
#include "support/json.h"
#include "support/project_catalog.h"
#include "support/refusal.h"
#include "support/text.h"

namespace sizesheet {
namespace {

const SheetAdvice& advice() { return *quarterly_sheet().advice; }

const SheetAdviceTopic& topic(const std::string& id) {
  return *entry_with(advice().topics, &SheetAdviceTopic::id, id);
}

const std::vector<SheetAdviceRun>& runs_of(const std::string& id, const std::string& of) {
  return entry_with(topic(of).entries, &SheetAdviceEntry::id, id)->runs;
}

TEST(AdviceAnswers, are_those_of_estimate) {
  std::size_t asked = 0;
  for (const SheetAdviceTopic& one : advice().topics) {
    for (const SheetAdviceEntry& shown : one.entries) {
      for (const SheetAdviceRun& run : shown.runs) {
        if (!run.refusal.empty() || asked++ % 7 != 0) continue;
        const Json line = to_json(sized(run.request));
        const Json grpo = line.value("grpo", Json());
        EXPECT_EQ(run.device, grpo.is_object() ? grpo.at("together").at("device")
                                               : line.at("memory").at("device"))
            << run.request;
        EXPECT_EQ(line.at("memory").at("verdict"), run.verdict) << run.request;
        EXPECT_EQ(run.trainable, line.at("parameters").at("trainable")) << run.request;
      }
    }
  }
  EXPECT_GT(asked, 60U);
}

TEST(AdviceAnswers, warnings_say_what_they_are_about) {
  for (const auto& [id, catalogued] : project_catalog().advice) {
    for (const AdviceEntry& one : catalogued.entries) {
      if (one.prints.empty()) continue;
      const SheetAdviceRun& run = runs_of(one.id, id).at(0);
      EXPECT_NE((run.note + run.refusal).find(one.prints), std::string::npos) << one.id;
      EXPECT_TRUE(run.note.empty() || run.refusal.empty()) << one.id;
    }
  }
}

TEST(AdviceAnswers, techniques_save_on_their_bill) {
  for (const SheetAdviceEntry& one : topic("techniques").entries) {
    if (one.runs.empty()) continue;
    const std::int64_t saved = one.runs.at(0).device - one.runs.at(1).device;
    if (one.id == "dora") {
      EXPECT_LT(saved, 0) << one.id;
    } else {
      EXPECT_GT(saved, 0) << one.id;
    }
  }
}

// One card that the sheet has too holds exactly the models whose row says one.
TEST(AdviceCards, agree_with_the_rows) {
  const Sheet& sheet = quarterly_sheet();
  const std::string scenario = sheet.scenarios.front().id;
  std::size_t compared = 0;
  for (const SheetCardTier& tier : advice().tiers) {
    for (const SheetCard& card : tier.cards) {
      for (const SheetCardAnswer& answer : card.answers) {
        if (answer.gpus != 1) continue;
        std::string largest;
        bool known = false;
        for (const SheetModel& model : sheet.models) {
          const Row* row = sheet.find(model.id, answer.method, card.gpu, scenario);
          if (row == nullptr) continue;
          known = true;
          if (row->rentable == 1) largest = model.id;
        }
        if (!known) continue;
        ++compared;
        EXPECT_EQ(answer.model, largest) << card.gpu << " " << answer.method;
      }
    }
  }
  EXPECT_EQ(compared, sheet.gpus.size() * sheet.methods.size());
}

TEST(AdviceCards, stand_in_the_tier_of_their_memory) {
  std::size_t cards = 0;
  for (const SheetCardTier& tier : advice().tiers) {
    for (const SheetCard& card : tier.cards) {
      ++cards;
      const std::int64_t memory = std::llround(card.memory_gb);
      EXPECT_GE(memory, tier.from_gb.value_or(0)) << card.gpu;
      EXPECT_LT(memory, tier.below_gb.value_or(1'000'000)) << card.gpu;
    }
  }
  EXPECT_EQ(cards, project_catalog().advice.at("choosing").cards.gpus.size());
}

TEST(AdviceCheck, names_the_run_that_does_not_say_so) {
  Catalog catalog = project_catalog();
  AdviceTopic& warnings = catalog.advice.at("warnings");
  warnings.entries.at(0).prints = "no such words";
  catalog.advice.at("techniques").entries.at(0).runs.at(1).request["kernels"]["recompute"] = "fall";
  Faults faults;
  check_advice(catalog, "catalog", faults);
  EXPECT_EQ(
      texts_of(faults),
      (Texts{
          "catalog/advice/techniques.json:/entries/0/runs/1: asks what no request may: "
          "kernels.recompute: expected one of none, selective, full, sublayer; got \"fall\" (did "
          "you mean \"full\"?)",
          "catalog/advice/warnings.json:/entries/0/runs/0: expected a note or a refusal with "
          "\"no such words\", got none"}));
}

}  // namespace
}  // namespace sizesheet
