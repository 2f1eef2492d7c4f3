// SPDX-License-Identifier: Apache-2.0
// What a model's page says of levers, stages and ranks is what the sheet holds.
#include "render/html/model_levers.h"

#include <gtest/gtest.h>

#include "render/charts.h"
#include "render/formats.h"
#include "render/phrases.h"
#include "render/range_charts.h"
#include "render/run_charts.h"
#include "render/sample_sheet.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/quarterly.h"
#include "sheet/sections.h"
#include "sheet/sheet.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

Json levers_of(const Sheet& sheet, const std::string& model) {
  Json values = Json::object();
  put_levers(values, sheet, model, nullptr);
  return values;
}

/// The raw figure that stands behind a printed one.
std::string raw(std::optional<double> value) { return value ? shortest(*value) : ""; }

std::string raw_bytes(std::optional<std::int64_t> bytes) {
  return bytes ? shortest(static_cast<double>(*bytes)) : "";
}

const Json* block_of(const Json& values, const std::string& method) {
  const auto is_asked = [&](const Json& block) {
    return block.at("levers_method") == sentence_case(method);
  };
  const Json& levers = values.at("levers");
  if (is_asked(levers.at("first"))) return &levers.at("first");
  for (const Json& block : levers.at("rest")) {
    if (is_asked(block)) return &block;
  }
  return nullptr;
}

const Json* line_of(const Json& lines, const std::string& title) {
  for (const Json& line : lines) {
    const std::string shown = words_at(line, "title|text");
    if (shown == title || shown == sentence_case(title)) return &line;
  }
  return nullptr;
}

void expect_same(const Json& line, const SheetResized& resized, const std::string& what) {
  EXPECT_EQ(words_at(line, "resized.saved_bytes|raw"), raw_bytes(resized.saved)) << what;
  EXPECT_EQ(words_at(line, "resized.device_bytes|raw"), raw_bytes(resized.device)) << what;
  EXPECT_EQ(words_at(line, "resized.device_bytes|gib"), format_gib(resized.device, 1)) << what;
  EXPECT_EQ(words_at(line, "resized.hours_added_share|raw"), raw(resized.hours_added)) << what;
}

TEST(ModelLevers, EveryLeverStandsOnThePageWithTheSheetsFigures) {
  const Sheet& sheet = quarterly_sheet();
  std::size_t shown = 0;
  for (const SheetWhatIf& all : sheet.what_if) {
    const Row& row = *sheet.find(all.row_key);
    const Json values = levers_of(sheet, row.model);
    const Json* block = block_of(values, sheet.method(row.method).short_title);
    ASSERT_NE(block, nullptr) << all.row_key;
    for (const SheetLever& lever : all.levers) {
      const std::string what = all.row_key + " " + lever.id;
      const Json* line = line_of(block->at(lever.in_use ? "used_rows" : "lever_rows"), lever.title);
      if (line == nullptr) {
        EXPECT_LT(*lever.resized.saved * 100, row.memory.device) << what;
        if (lever.in_use) continue;
        EXPECT_NE(block->at("levers_small").get<std::string>().find(lever.title), std::string::npos)
            << what;
        continue;
      }
      expect_same(*line, lever.resized, what);
      ++shown;
    }
    ASSERT_EQ(block->at("together_rows").size(), all.combination ? 1U : 0U) << all.row_key;
    if (all.combination) {
      expect_same(block->at("together_rows")[0], all.combination->resized, all.row_key);
    }
  }
  EXPECT_GT(shown, 100U);
}

TEST(ModelLevers, SaysWhatALeverCosts) {
  const Json values = levers_of(sample_sheet(), "llama-3.1-70b");
  const Json& block = values.at("levers").at("first");
  EXPECT_EQ(
      block.at("levers_conclusion"),
      "Full on 8\u00a0×\u00a0MI300X: 2 changes together would save 55.2 of 147.3\u00a0GiB with "
      "−0.4\u00a0% hours, so 4\u00a0×\u00a0MI300X is enough: an 8-bit optimizer; optimizer states "
      "in host memory.");
  const Json& lines = block.at("lever_rows");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(words_at(lines[0], "resized.hours_added_share|added"), "−0.4\u00a0%");
  EXPECT_EQ(lines[0].at("lever_needs"), "4\u00a0×\u00a0MI300X");
  EXPECT_EQ(words_at(lines[0], "term|term"), "optimizer states");
  EXPECT_EQ(words_at(lines[1], "resized.hours_added_share|added"), "+50\u00a0%");
  EXPECT_EQ(words_at(lines[1], "gives_up|text"), "made-up");
  EXPECT_EQ(words_at(lines[1], "host_bytes|gib"), "18.4");
  EXPECT_EQ(block.at("levers_small"), "expandable allocator segments");
  EXPECT_EQ(words_at(block.at("together_rows")[0], "title|text"),
            "an 8-bit optimizer + optimizer states in host memory");
  ASSERT_EQ(block.at("used_rows").size(), 1U);
  EXPECT_EQ(words_at(block.at("used_rows")[0], "resized.verdict|text"), "no");
  EXPECT_EQ(words_at(block.at("used_rows")[0], "resized.hours_added_share|added"), "+25\u00a0%");
}

TEST(ModelLevers, AModelWithoutPicksHasNoSection) {
  Sheet sheet = tiny_sheet();
  sheet.what_if.clear();
  EXPECT_TRUE(levers_of(sheet, "llama-3.1-8b").at("levers").is_null());
}

TEST(ModelWhatIf, StagesAndRanksAreTheSheets) {
  const Sheet& sheet = quarterly_sheet();
  for (std::size_t i = 0; i < sheet.models.size(); ++i) {
    const std::string& model = sheet.models[i].id;
    Json values = Json::object();
    put_zero_stages(values, sheet, model);
    put_adapter_ranks(values, sheet, model);
    const SheetZeroStages& zero = sheet.zero_stages[i];
    const Json& stages = values.at("zero").at("stages");
    ASSERT_EQ(stages.size(), zero.stages.size()) << model;
    for (std::size_t at = 0; at < zero.stages.size(); ++at) {
      const Json& line = stages[at];
      EXPECT_EQ(words_at(line, "memory.device|raw"), raw_bytes(zero.stages[at].memory.device))
          << model;
      EXPECT_EQ(words_at(line, "wire_bytes_per_step|raw"), raw(zero.stages[at].wire)) << model;
      EXPECT_EQ(words_at(line, "hours|raw"), raw(zero.stages[at].hours)) << model;
      const double share = at == 3 ? 1.5 * static_cast<double>(zero.layout.grad_accum) : 1;
      EXPECT_EQ(words_at(line, "wire_share|multiple"), format_number(share, 2) + "\u00a0×")
          << model;
    }
    const SheetAdapterRanks& adapters = sheet.adapter_ranks[i];
    const Json& ranks = values.at("adapters").at("ranks");
    ASSERT_EQ(ranks.size(), adapters.ranks.size()) << model;
    for (std::size_t at = 0; at < adapters.ranks.size(); ++at) {
      const SheetAdapterRank& rank = adapters.ranks[at];
      const Json& line = ranks[at];
      EXPECT_EQ(words_at(line, "trainable|count"), format_integer(rank.trainable)) << model;
      EXPECT_EQ(words_at(line, "state_bytes|raw"),
                raw_bytes(rank.weights + rank.gradients + rank.optimizer))
          << model;
      EXPECT_EQ(words_at(line, "device_bytes|raw"), raw_bytes(rank.device)) << model;
      EXPECT_EQ(line.at("own"), rank.rank == 16) << model;
    }
  }
}

TEST(ModelWhatIf, HoursAgainstDollarsHoldThePickAndEveryTypeThatIsNotTooDear) {
  const Sheet& sheet = quarterly_sheet();
  for (const Pick& pick : sheet.picks) {
    const Row& row = *sheet.find(*pick.rent_key);
    const RunCandidate& run = *row.set_up();
    const auto lines = std::get<Lines>(hours_against_usd_chart(sheet, row).body);
    const Line* picked = entry_with(lines.lines, &Line::kind, LineKind::kPick);
    ASSERT_NE(picked, nullptr) << row.key();
    ASSERT_TRUE(picked->range) << row.key();
    EXPECT_EQ(picked->range->low, to_usd(run.usd.low)) << row.key();
    EXPECT_EQ(picked->range->high, to_usd(run.usd.high)) << row.key();
    EXPECT_TRUE(contains(picked->discs, std::to_string(run.gpus))) << row.key();
    EXPECT_EQ(entry_with(lines.lines, &Line::kind, LineKind::kNext) != nullptr,
              pick.runner_up.has_value())
        << row.key();
    for (const Line& line : lines.lines) {
      EXPECT_FALSE(line.discs.back().empty()) << row.key() << line.name;
      ASSERT_EQ(line.discs.size(), line.points.size()) << row.key() << line.name;
      for (const auto& [hours, usd] : line.points) {
        EXPECT_GE(lines.x.share(hours), 0) << row.key() << line.name;
        EXPECT_LE(lines.x.share(hours), 1) << row.key() << line.name;
        EXPECT_LE(lines.y.share(usd), 1) << row.key() << line.name;
      }
    }
  }
}

TEST(WhatIfCharts, SayTheirConclusions) {
  const Sheet& sheet = sample_sheet();
  const auto zero = std::find_if(sheet.zero_stages.begin(), sheet.zero_stages.end(),
                                 [](const auto& one) { return one.model == "llama-3.1-70b"; });
  const Chart stages = zero_stages_chart(sheet, *zero);
  EXPECT_EQ(stages.conclusion,
            "ZeRO-3 is the first stage that fits on 8\u00a0×\u00a0MI300X: 147.3\u00a0GiB per GPU, "
            "where DDP needs 1,067.2.");
  const auto& bars = std::get<StackedBars>(stages.body).bars;
  ASSERT_EQ(bars.size(), 4U);
  for (std::size_t i = 0; i < bars.size(); ++i) {
    double sum = 0;
    for (const Segment& segment : bars[i].segments) sum += segment.value;
    EXPECT_NEAR(sum, bars[i].total, 1e-9) << bars[i].label;
  }
  const auto adapters = std::find_if(sheet.adapter_ranks.begin(), sheet.adapter_ranks.end(),
                                     [](const auto& one) { return one.model == "llama-3.1-70b"; });
  const Chart ranks = adapter_ranks_chart(sheet, *adapters);
  EXPECT_EQ(ranks.conclusion,
            "Rank 16 trains 0.60\u00a0% of the model in 6.31\u00a0GiB, rank 32 trains "
            "1.20\u00a0% of the model in 12.62\u00a0GiB.");
  EXPECT_TRUE(std::get<AmountBars>(ranks.body).bars[1].marked);
}

}  // namespace
}  // namespace sizesheet
