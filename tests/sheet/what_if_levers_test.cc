// SPDX-License-Identifier: Apache-2.0
// Levers, stages of ZeRO and adapters by rank: every figure is one that `estimate` gives when it is
// asked for it directly.
#include <gtest/gtest.h>

#include <set>

#include "sheet/quarterly.h"
#include "sheet/rows/size_row.h"
#include "sheet/sections.h"
#include "sheet/sheet.h"
#include "sizing/answer/estimate.h"
#include "sizing/job/layout_shape.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/verdict.h"
#include "sizing/sized.h"
#include "support/json.h"
#include "support/project_catalog.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

const Row& row_of(const std::string& key) { return *quarterly_sheet().find(key); }

/// The row's request as `estimate` reads it, its method written out and what was chosen of what may
/// vary.
Json open_request(const Row& row) {
  Json request = request_of(project_catalog(), quarterly_spec(), cell_of(quarterly_spec(), row));
  request.erase("vary");
  request["workload"]["micro_batch"] = row.layout.micro_batch;
  request["kernels"] = {{"recompute", row.layout.recompute}, {"loss", row.layout.loss}};
  request["method"] = project_catalog().methods.at(row.method).request;
  return request;
}

/// The same with the row's layout fixed.
Json fixed_request(const Row& row, const LayoutShape& layout) {
  Json request = open_request(row);
  request["layout"] = {{"gpus", layout.gpus}, {"dp", layout.dp}, {"tp", layout.tp},
                       {"pp", layout.pp},     {"cp", layout.cp}, {"ep", layout.ep}};
  if (layout.shard != "none") request["layout"]["shard"] = layout.shard;
  request["workload"]["micro_batch"] = layout.micro_batch;
  request["kernels"] = {{"recompute", layout.recompute}, {"loss", layout.loss}};
  return request;
}

/// The dotted keys of a change, laid over a request.
Json changed(Json request, const Json& change) {
  for (const auto& [key, value] : change.items()) set_dotted(request, key, value);
  return request;
}

/// What a lever changes, or all of a combination.
struct Resized {
  const Row& row;
  const SheetResized& found;
  bool in_use = false;
};

/// Calls `check` with every lever of the sheet, then with every combination.
template <typename Check>
void for_each_resized(const Check& check) {
  for (const SheetWhatIf& all : quarterly_sheet().what_if) {
    const Row& row = row_of(all.row_key);
    for (const SheetLever& lever : all.levers) {
      SCOPED_TRACE(row.key() + " " + lever.id);
      check(Resized{row, lever.resized, lever.in_use});
    }
    SCOPED_TRACE(row.key() + " together");
    if (all.combination) check(Resized{row, all.combination->resized});
  }
}

TEST(WhatIf, EveryRentPickHasItsLevers) {
  const Sheet& sheet = quarterly_sheet();
  ASSERT_EQ(sheet.what_if.size(), 33U);
  for (std::size_t i = 0; i < sheet.picks.size(); ++i) {
    const SheetWhatIf& all = sheet.what_if[i];
    EXPECT_EQ(all.row_key, *sheet.picks[i].rent_key);
    EXPECT_EQ(all.device, row_of(all.row_key).memory.device) << all.row_key;
    EXPECT_EQ(all.hours, row_of(all.row_key).hours_mid) << all.row_key;
    EXPECT_FALSE(all.levers.empty()) << all.row_key;
  }
}

void expect_added_up(const Resized& one) {
  const auto& [row, found, in_use] = one;
  const std::int64_t more = in_use ? found.device : row.memory.device;
  const std::int64_t less = in_use ? row.memory.device : found.device;
  EXPECT_EQ(found.saved.value_or(0), std::max<std::int64_t>(0, more - less));
  EXPECT_NE(found.saved, std::optional<std::int64_t>(0));
  if (!found.hours || !found.hours_added) return;
  const double with = in_use ? *row.hours_mid : *found.hours;
  const double without = in_use ? *found.hours : *row.hours_mid;
  EXPECT_DOUBLE_EQ(*found.hours_added, with / without - 1);
}

TEST(WhatIf, EveryChangeMovesTheBillOrTheCountAndAddsUp) {
  for_each_resized([](const Resized& one) {
    const auto& [row, found, in_use] = one;
    EXPECT_FALSE(found.change.empty());
    EXPECT_TRUE(found.device != row.memory.device || *found.rentable < row.layout.gpus);
    EXPECT_EQ(found.rentable.has_value(), !in_use);
    EXPECT_LE(found.rentable.value_or(0), row.layout.gpus);
    expect_added_up(one);
  });
}

TEST(WhatIf, EveryFigureIsTheEnginesAnswerToTheChangedRequest) {
  std::size_t smaller = 0;
  for_each_resized([&](const Resized& one) {
    const auto& [row, found, in_use] = one;
    const Sizing sizing = sized(changed(fixed_request(row, row.layout), found.change));
    EXPECT_EQ(found.device, sizing.plan.chosen.bill.device);
    EXPECT_EQ(found.host, sizing.plan.chosen.bill.host);
    EXPECT_EQ(found.verdict, sizing.plan.chosen.verdict);
    EXPECT_EQ(sizing.plan.chosen.job.layout.gpus(), row.layout.gpus);
    if (found.hours) {
      EXPECT_EQ(*found.hours, sizing.hours->mid);
    }
    if (!found.rentable || *found.rentable == row.layout.gpus) return;
    Json change = found.change;
    change.erase("layout.dp");
    EXPECT_EQ(found.rentable, sized(changed(open_request(row), change)).plan.rentable);
    ++smaller;
  });
  EXPECT_GT(smaller, 10U) << "counts, each the answer to the open request";
}

TEST(WhatIf, EveryLeverStandsOnOneSide) {
  std::set<std::string> offered;
  std::set<std::string> in_use;
  for (const SheetWhatIf& all : quarterly_sheet().what_if) {
    std::set<std::string> here;
    bool used = false;
    for (const SheetLever& lever : all.levers) {
      EXPECT_TRUE(here.insert(lever.id).second) << all.row_key << " " << lever.id;
      EXPECT_FALSE(lever.title.empty() || lever.gives_up.empty()) << lever.id;
      EXPECT_EQ(lever.term.empty(), !lever.resized.saved) << all.row_key << " " << lever.id;
      EXPECT_TRUE(lever.in_use || !used) << all.row_key << ": those in use come last";
      used = lever.in_use;
      (lever.in_use ? in_use : offered).insert(lever.id);
    }
  }
  EXPECT_EQ(offered, (std::set<std::string>{"activation-offload", "adapter-dtype", "allocator",
                                            "base", "context-parallel", "method", "micro-batch",
                                            "micro-batch-halved", "offload", "optimizer",
                                            "paged-optimizer", "rank", "recompute", "root",
                                            "selective-recompute", "seq-len", "state"}));
  EXPECT_EQ(in_use, (std::set<std::string>{"attention", "base", "loss", "micro-batch", "recompute",
                                           "shard"}));
}

TEST(WhatIf, ACombinationIsOneRequestOfItsLeversAndSavesMoreThanEach) {
  std::size_t found = 0;
  for (const SheetWhatIf& all : quarterly_sheet().what_if) {
    if (!all.combination) continue;
    ++found;
    Json change = Json::object();
    EXPECT_GE(all.combination->levers.size(), 2U) << all.row_key;
    for (const std::string& id : all.combination->levers) {
      const auto lever =
          std::find_if(all.levers.begin(), all.levers.end(),
                       [&](const SheetLever& one) { return one.id == id && !one.in_use; });
      ASSERT_NE(lever, all.levers.end()) << all.row_key << " " << id;
      EXPECT_LE(*lever->resized.hours_added, 0.10) << all.row_key << " " << id;
      EXPECT_LT(all.combination->resized.device, lever->resized.device) << all.row_key << " " << id;
      change.update(lever->resized.change);
    }
    EXPECT_EQ(all.combination->resized.change, change) << all.row_key;
  }
  EXPECT_GT(found, 0U);
}

TEST(WhatIf, AComparisonDoesNotPayForIt) {
  const Sheet sheet = sized_alone(project_catalog(), quarterly_spec());
  EXPECT_TRUE(sheet.what_if.empty());
  EXPECT_TRUE(sheet.zero_stages.empty());
  EXPECT_TRUE(sheet.adapter_ranks.empty());
}

TEST(ZeroStages, AreTheEnginesAnswersOnOneLayout) {
  const Sheet& sheet = quarterly_sheet();
  ASSERT_EQ(sheet.zero_stages.size(), 11U);
  for (const SheetZeroStages& zero : sheet.zero_stages) {
    const Row& row = *sheet.find(zero.model, zero.method, zero.gpu, sheet.scenarios[0].id);
    ASSERT_EQ(zero.stages.size(), 4U) << zero.model;
    for (const SheetZeroStage& stage : zero.stages) {
      LayoutShape layout = zero.layout;
      layout.shard = stage.shard;
      Json request = fixed_request(row, layout);
      request["layout"]["shard"] = stage.shard;
      const Sizing sizing = sized(request);
      EXPECT_EQ(stage.memory.device, sizing.plan.chosen.bill.device) << zero.model << stage.shard;
      EXPECT_EQ(stage.memory.phases, sizing.plan.chosen.bill.phases) << zero.model << stage.shard;
      EXPECT_EQ(stage.verdict, sizing.plan.chosen.verdict) << zero.model << stage.shard;
      EXPECT_EQ(stage.hours.has_value(), stage.verdict != Verdict::kNo)
          << zero.model << stage.shard;
      const bool shown = zero.of_pick && stage.shard == row.layout.shard;
      if (shown) {
        EXPECT_EQ(stage.memory.device, row.memory.device) << zero.model;
        EXPECT_EQ(stage.hours, row.hours_mid) << zero.model;
      }
    }
  }
}

/// The second stage divides the gradients alone. Where nothing is accumulated they live from
/// backward to the update, so a card that is fullest before keeps its peak.
void expect_gradients_divided(const SheetZeroStages& zero) {
  const MemoryBill& whole = zero.stages[1].memory;
  const MemoryBill& divided = zero.stages[2].memory;
  EXPECT_LT(divided.phases.in(Phase::kOptimizerStep), whole.phases.in(Phase::kOptimizerStep))
      << zero.model;
  if (whole.of(Term::kGradients) > 0) {
    EXPECT_LT(divided.device, whole.device) << zero.model;
    return;
  }
  EXPECT_EQ(zero.layout.grad_accum, 1) << zero.model;
  EXPECT_EQ(divided.device, whole.device) << zero.model;
}

TEST(ZeroStages, EachDividesMoreAndOnlyTheThirdSendsMore) {
  for (const SheetZeroStages& zero : quarterly_sheet().zero_stages) {
    const std::vector<SheetZeroStage>& stages = zero.stages;
    for (const std::size_t i : {1U, 3U}) {
      EXPECT_LT(stages[i].memory.device, stages[i - 1].memory.device) << zero.model << i;
    }
    expect_gradients_divided(zero);
    for (const std::size_t i : {1U, 2U}) {
      EXPECT_DOUBLE_EQ(*stages[i].wire, *stages[0].wire) << zero.model << i;
    }
    // It gathers for every micro-batch.
    const double times = 1.5 * static_cast<double>(zero.layout.grad_accum);
    EXPECT_NEAR(*stages[3].wire, times * *stages[0].wire, 1e-9 * *stages[3].wire) << zero.model;
  }
}

TEST(AdapterRanks, AreTheEnginesAnswersToTheRankAndTheirStateThatOfOneGpu) {
  const Sheet& sheet = quarterly_sheet();
  ASSERT_EQ(sheet.adapter_ranks.size(), 11U);
  for (const SheetAdapterRanks& adapters : sheet.adapter_ranks) {
    const Row& row = row_of(adapters.row_key);
    EXPECT_EQ(adapters.rank, 16);
    ASSERT_EQ(adapters.ranks.size(), 7U);
    for (const SheetAdapterRank& one : adapters.ranks) {
      const std::string what = adapters.model + " rank " + std::to_string(one.rank);
      const Json rank = {{"method.rank", one.rank}};
      const Sizing sizing = sized(changed(fixed_request(row, row.layout), rank));
      EXPECT_EQ(one.trainable, sizing.trainable) << what;
      EXPECT_EQ(*one.device, sizing.plan.chosen.bill.device) << what;
      EXPECT_EQ(one.verdict, sizing.plan.chosen.verdict) << what;
      EXPECT_EQ(one.file, sizing.files->adapter) << what;
      EXPECT_DOUBLE_EQ(one.share, static_cast<double>(one.trainable) /
                                      static_cast<double>(sizing.parameters.total()))
          << what;
      EXPECT_EQ(one.trainable * 4, adapters.ranks[0].trainable * one.rank) << what;
      Json alone = changed(open_request(row), rank);
      alone["layout"] = {{"gpus", 1}};
      const MemoryBill bill = sized(alone).plan.chosen.bill;
      EXPECT_EQ(one.weights, bill.of(Term::kAdapters)) << what;
      EXPECT_EQ(one.optimizer, bill.of(Term::kOptimizer)) << what;
      EXPECT_EQ(one.weights, 4 * one.trainable) << what;
      EXPECT_EQ(one.gradients, 4 * one.trainable) << what;
    }
  }
}

}  // namespace
}  // namespace sizesheet
