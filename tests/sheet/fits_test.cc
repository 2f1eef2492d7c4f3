// SPDX-License-Identifier: Apache-2.0
// What can be trained on given GPUs: each row is what `estimate` says of that pair.

#include "sheet/rows/fits.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cost/rent.h"
#include "sheet/quarterly.h"
#include "sheet/rows/price_row.h"
#include "sheet/rows/size_row.h"
#include "sizing/answer/estimate.h"
#include "sizing/memory/verdict.h"
#include "sizing/sized.h"
#include "support/json.h"
#include "support/money.h"
#include "support/project_catalog.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

FitsQuestion on(const std::string& gpu, std::int64_t gpus) {
  FitsQuestion question;
  question.gpu = gpu;
  question.gpus = gpus;
  question.stack = "hf-trl";
  question.tokens = 50000000;
  return question;
}

Fits fits(const FitsQuestion& question) {
  return what_fits(project_catalog(), quarterly_spec(), question, 2);
}

const Fits& fits_on_a_node() {
  static const Fits kFits = fits(on("h100-sxm", 8));
  return kFits;
}

Json request_of(const FitsQuestion& question, const FitRow& row) {
  return {{"model", row.model},
          {"method", row.method},
          {"gpu", question.gpu},
          {"stack", question.stack},
          {"headroom", quarterly_spec().headroom},
          {"limits", true},
          {"layout", {{"gpus", question.gpus}}},
          {"workload",
           {{"seq_len", question.seq_len},
            {"micro_batch", 1},
            {"global_batch", 32},
            {"packed", true},
            {"startup_hours", 0.1667},
            {"checkpoint_share", 0.02},
            {"tokens", question.tokens}}},
          {"objective", "time"},
          {"vary", {"recompute"}}};
}

TEST(Fits, RowsAreWhatEstimateAnswers) {
  const FitsQuestion question = on("rtx-4090", 2);
  const Fits found = fits(question);
  ASSERT_FALSE(found.rows.empty());
  for (std::size_t i = 0; i < found.rows.size(); i += 17) {
    const FitRow& row = found.rows[i];
    const Sizing sizing = sized(request_of(question, row));
    EXPECT_EQ(row.verdict, sizing.plan.chosen.verdict) << row.model << row.method;
    EXPECT_EQ(row.device, sizing.plan.chosen.bill.device) << row.model << row.method;
    EXPECT_EQ(row.layout.gpus, 2);
    EXPECT_EQ(row.largest_micro_batch, sizing.limits->micro_batch_power_of_two);
    EXPECT_EQ(row.seq_len, sizing.limits->seq_len);
    ASSERT_EQ(row.hours.has_value(), sizing.hours.has_value());
    if (row.hours) {
      EXPECT_EQ(*row.hours, sizing.hours->mid);
    }
  }
}

TEST(Fits, EveryPairIsARowTooLargeOrRefused) {
  const Fits& found = fits_on_a_node();
  const std::size_t pairs = project_catalog().models.size() *
                            methods_in_order(project_catalog(), quarterly_spec()).size();
  EXPECT_EQ(found.rows.size() + static_cast<std::size_t>(found.too_large) + found.refused.size(),
            pairs);
  for (const FitRow& row : found.rows) EXPECT_NE(row.verdict, Verdict::kNo);
}

TEST(Fits, MethodByMethodTheLargestModelFirst) {
  const Fits& found = fits_on_a_node();
  const auto methods = methods_in_order(project_catalog(), quarterly_spec());
  EXPECT_EQ(std::vector<std::string>(methods.begin(), methods.begin() + 3),
            (std::vector<std::string>{"full", "lora-r16", "qlora-r16"}));
  // All that fine-tune; what is trained for something else is asked for by name.
  EXPECT_EQ(methods.size(), 7);
  for (std::size_t i = 1; i < found.rows.size(); ++i) {
    const FitRow& before = found.rows[i - 1];
    const FitRow& row = found.rows[i];
    if (before.method == row.method) {
      EXPECT_GE(before.parameters, row.parameters);
    } else {
      EXPECT_LT(std::find(methods.begin(), methods.end(), before.method),
                std::find(methods.begin(), methods.end(), row.method));
    }
  }
}

TEST(Fits, MoneyIsTheLowestCurrentRentTimesHours) {
  const Fits& found = fits_on_a_node();
  const auto quote =
      cheapest_rent({project_catalog().prices, policy_of(quarterly_spec(), "on_demand")},
                    project_catalog().gpu("h100-sxm"), 8);
  ASSERT_TRUE(quote && found.usd_per_hour);
  EXPECT_EQ(*found.usd_per_hour, quote->usd_per_hour);
  for (const FitRow& row : found.rows) {
    ASSERT_TRUE(row.hours && row.usd_per_run);
    EXPECT_EQ(*row.usd_per_run, run_cost(quote->usd_per_hour, round_hours(*row.hours)));
    EXPECT_TRUE(row.excluded.empty());
  }
}

TEST(Fits, FrontierIsThatOfEstimateUpToTheGpusOneHas) {
  const FitsQuestion question = on("h100-sxm", 8);
  std::size_t choices = 0;
  for (const FitRow& row : fits_on_a_node().rows) {
    Json request = request_of(question, row);
    request.erase("layout");
    request["max_gpus"] = 8;
    request["objective"] = "memory";
    const RentedRun rented = rented_run(
        project_catalog(), quarterly_spec(),
        read_whole_question(request, project_catalog(), project_catalog().engine.current));
    ASSERT_EQ(row.frontier.size(), rented.frontier.size()) << row.model << row.method;
    choices += row.frontier.size() > 1 ? 1 : 0;
    for (std::size_t i = 0; i < row.frontier.size(); ++i) {
      EXPECT_EQ(row.frontier[i].gpus, rented.frontier[i].gpus);
      EXPECT_EQ(row.frontier[i].usd.mid, rented.frontier[i].usd.mid);
      EXPECT_LE(row.frontier[i].gpus, 8);
    }
  }
  EXPECT_GT(choices, 50U);
}

TEST(Fits, BudgetAndDeadlineExcludeByName) {
  FitsQuestion question = on("h100-sxm", 8);
  question.budget = MicroUsd{10000000};
  question.deadline_hours = 0.3;
  const Fits found = fits(question);
  EXPECT_TRUE(found.any());
  std::size_t excluded = 0;
  for (const FitRow& row : found.rows) {
    std::vector<std::string> expected;
    if (*row.hours > 0.3) expected.push_back("past the deadline");
    if (*row.usd_per_run > MicroUsd{10000000}) expected.push_back("over the budget");
    EXPECT_EQ(row.excluded, expected) << row.model << row.method;
    excluded += expected.empty() ? 0 : 1;
  }
  EXPECT_GT(excluded, 0U);
}

TEST(Fits, UnknownNeverPasses) {
  // A card with a size and no speed: nothing is known of hours, so nothing of costs.
  FitsQuestion question = on("v100-32", 1);
  const Fits open = fits(question);
  ASSERT_FALSE(open.rows.empty());
  ASSERT_FALSE(open.rows.front().hours);
  EXPECT_TRUE(open.any());
  question.deadline_hours = 1000;
  question.budget = MicroUsd{1000000000000};
  const Fits bound = fits(question);
  EXPECT_FALSE(bound.any());
  EXPECT_EQ(bound.rows.front().excluded,
            (std::vector<std::string>{"hours unknown", "cost unknown"}));
}

TEST(Fits, WhatTheStackCannotDoIsRefusedByName) {
  FitsQuestion question = on("h100-sxm", 8);
  question.stack = "litgpt";
  const Fits found = fits(question);
  ASSERT_FALSE(found.refused.empty());
  for (const FitRefusal& refusal : found.refused) {
    EXPECT_TRUE(refusal.method.starts_with("qlora")) << refusal.method;
    EXPECT_EQ(refusal.reason, "stack: quantised training is refused on more than one GPU");
  }
}

TEST(Fits, CardsAndStacksThatCannotBeSizedAreRefused) {
  EXPECT_EQ(refusal_of([] { fits(on("gaudi3", 1)); }),
            "gpu: gaudi3: its usable memory is not known, so nothing can be sized on it");
  EXPECT_EQ(refusal_of([] { fits(on("h1000-sxm", 1)); }),
            "GPU \"h1000-sxm\" is not in the catalog");
  FitsQuestion question = on("h100-sxm", 1);
  question.stack = "hf-trll";
  EXPECT_EQ(refusal_of([&] { fits(question); }),
            "stack \"hf-trll\" is not in the catalog (did you mean \"hf-trl\"?)");
}

TEST(Fits, RowsSayWhetherTheyAreCertainAndWhatTheyAreRunWith) {
  const Fits& found = fits_on_a_node();
  std::size_t unsure = 0;
  for (const FitRow& row : found.rows) {
    EXPECT_EQ(row.certain, row.device_high <= found.capacity) << row.model << " " << row.method;
    EXPECT_EQ(row.choices.stack, "hf-trl");
    EXPECT_EQ(row.choices.micro_batch, row.layout.micro_batch);
    EXPECT_EQ(row.choices.lora_rank.has_value(), !row.method.ends_with("full")) << row.method;
    unsure += row.certain == false ? 1 : 0;
  }
  EXPECT_GT(unsure, 3U);
}

}  // namespace
}  // namespace sizesheet
