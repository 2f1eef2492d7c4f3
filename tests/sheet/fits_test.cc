// SPDX-License-Identifier: Apache-2.0
// What can be trained on given GPUs: each row is what `estimate` says of that pair.

#include "sheet/assemble/fits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cost/rent.h"
#include "sheet/quarterly.h"
#include "sheet/rows/cells.h"
#include "sheet/rows/price_row.h"
#include "sheet/rows/size_row.h"
#include "sheet/spec.h"
#include "sizing/answer/estimate.h"
#include "sizing/memory/verdict.h"
#include "sizing/sized.h"
#include "sizing/time/throughput.h"
#include "support/json.h"
#include "support/money.h"
#include "support/project_catalog.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

struct AskedOfGpus {
  std::string gpu;
  SheetSpec rules = quarterly_spec();
  std::optional<MicroUsd> budget = {};

  SpecScenario& scenario() { return rules.scenarios.front(); }
};

AskedOfGpus on(const std::string& gpu, std::int64_t gpus) {
  AskedOfGpus asked{gpu};
  asked.rules.max_gpus = gpus;
  asked.rules.tokens = 50000000;
  asked.rules.adapter_tokens.reset();
  asked.rules.deadline_hours.reset();
  asked.scenario().stack = "hf-trl";
  asked.scenario().request["workload"]["seq_len"] = 4096;
  return asked;
}

Fits fits(const AskedOfGpus& asked) {
  return what_fits(project_catalog(), asked.rules, asked.gpu, asked.budget, 2);
}

const Fits& fits_on_a_node() {
  static const Fits kFits = fits(on("h100-sxm", 8));
  return kFits;
}

Json request_of(const AskedOfGpus& asked, const FitRow& row) {
  return {{"model", row.model},
          {"method", row.method},
          {"gpu", asked.gpu},
          {"stack", "hf-trl"},
          {"headroom", quarterly_spec().headroom},
          {"limits", true},
          {"layout", {{"gpus", asked.rules.max_gpus}}},
          {"workload",
           {{"seq_len", 4096},
            {"global_batch", 32},
            {"packed", true},
            {"startup_hours", 0.1667},
            {"startup_hours_per_node", 0.0167},
            {"checkpoint_share", 0.02},
            {"tokens", asked.rules.tokens}}},
          {"objective", "time"},
          {"vary", {"recompute", "micro_batch"}}};
}

TEST(Fits, RowsAreWhatEstimateAnswers) {
  const AskedOfGpus question = on("rtx-4090", 2);
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

/// Expected, and with a quarter of what the upper end is above it: hours and price are independent.
double score_of(const RentQuote& quote, const Hours& hours) {
  const double expected = to_usd(run_cost(quote.usd_per_hour, round_hours(hours.mid)));
  const double above = std::hypot(std::log(hours.high / hours.mid), quote.ln_width);
  return expected + 0.25 * (expected * std::exp(above) - expected);
}

TEST(Fits, MoneyIsTheRentOfTheLowestScoreTimesHours) {
  const AskedOfGpus question = on("h100-sxm", 8);
  const Fits& found = fits_on_a_node();
  const CurrentPrices prices(project_catalog().prices, policy_of(quarterly_spec(), "on_demand"),
                             project_catalog().price_age);
  const std::vector<RentQuote> quotes = rent_quotes(prices, project_catalog().gpu("h100-sxm"), 8);
  ASSERT_TRUE(!quotes.empty() && found.usd_per_hour);
  // The price at the head has the lowest score of an hour.
  const auto head = std::ranges::min_element(quotes, {}, [](const RentQuote& quote) {
    return score_of(quote, {1, 1, 1});
  });
  EXPECT_EQ(*found.usd_per_hour, head->usd_per_hour);
  EXPECT_EQ(found.price_key, head->price->key());
  std::size_t same = 0;
  for (const FitRow& row : found.rows) {
    ASSERT_TRUE(row.hours && row.usd_per_run);
    const Hours hours = *sized(request_of(question, row)).hours;
    ASSERT_EQ(*row.hours, hours.mid) << row.model << row.method;
    const auto best = std::ranges::min_element(
        quotes, {}, [&](const RentQuote& quote) { return score_of(quote, hours); });
    // What is tight is no set-up that a score could pick: the lowest expected price.
    const RentQuote& quote = row.verdict == Verdict::kFits ? *best : quotes.front();
    EXPECT_EQ(*row.usd_per_run, run_cost(quote.usd_per_hour, round_hours(*row.hours)))
        << row.model << row.method;
    same += quote.usd_per_hour == *found.usd_per_hour ? 1 : 0;
    EXPECT_TRUE(row.excluded.empty());
  }
  EXPECT_GT(same, found.rows.size() / 2) << "the head's price is that of most rows";
}

TEST(Fits, FrontierIsThatOfEstimateUpToTheGpusOneHas) {
  const AskedOfGpus question = on("h100-sxm", 8);
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
  AskedOfGpus question = on("h100-sxm", 8);
  question.budget = MicroUsd{10000000};
  question.rules.deadline_hours = 0.3;
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
  AskedOfGpus question = on("v100-32", 1);
  const Fits open = fits(question);
  ASSERT_FALSE(open.rows.empty());
  ASSERT_FALSE(open.rows.front().hours);
  EXPECT_TRUE(open.any());
  question.rules.deadline_hours = 1000;
  question.budget = MicroUsd{1000000000000};
  const Fits bound = fits(question);
  EXPECT_FALSE(bound.any());
  EXPECT_EQ(bound.rows.front().excluded,
            (std::vector<std::string>{"hours unknown", "cost unknown"}));
}

TEST(Fits, WhatTheStackCannotDoIsRefusedByName) {
  AskedOfGpus question = on("h100-sxm", 8);
  question.scenario().stack = "litgpt";
  const Fits found = fits(question);
  ASSERT_FALSE(found.refused.empty());
  for (const FitRefusal& refusal : found.refused) {
    EXPECT_TRUE(refusal.method.starts_with("qlora")) << refusal.method;
    EXPECT_EQ(refusal.reason, "layout.gpus: no valid layout of " + refusal.model +
                                  " on 8: quantised training is refused on more than one GPU");
  }
}

TEST(Fits, CardsAndStacksThatCannotBeSizedAreRefused) {
  EXPECT_EQ(refusal_of([] { fits(on("gaudi3", 1)); }),
            "gpu: gaudi3: its usable memory is not known, so nothing can be sized on it");
  EXPECT_EQ(refusal_of([] { fits(on("h1000-sxm", 1)); }),
            "GPU \"h1000-sxm\" is not in the catalog");
  AskedOfGpus question = on("h100-sxm", 1);
  question.scenario().stack = "hf-trll";
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
