// SPDX-License-Identifier: Apache-2.0
// Whether a verdict is certain, and what an answer was run with: cases of
// tests/oracles/certain.json, and what must hold for every request.
#include <gtest/gtest.h>

#include "sizing/answer/estimate.h"
#include "sizing/job/job.h"
#include "sizing/memory/verdict.h"
#include "sizing/random_request.h"
#include "sizing/search/candidate.h"
#include "sizing/sized.h"
#include "support/due.h"
#include "support/error.h"
#include "support/json.h"
#include "support/named.h"

namespace sizesheet {
namespace {

constexpr std::uint64_t kCertainSeed = 20261127;
constexpr int kCertainRequests = 600;

TEST(Certain, KnownRequestsSayWhetherTheyAre) {
  const Json cases = oracle("certain.json").at("verdicts");
  ASSERT_GE(cases.size(), 14U);
  for (const Json& one : cases) {
    const Json answer = to_json(sized(one.at("request")));
    const Json& memory = answer.at("memory");
    const testing::ScopedTrace where(__FILE__, __LINE__, one.at("why").get<std::string>());
    EXPECT_EQ(memory.at("verdict"), one.at("verdict"));
    EXPECT_EQ(memory.at("certain"), one.at("certain"));
    if (!one.contains("words")) continue;
    const auto verdict = verdict_named(memory.at("verdict").get<std::string>()).value;
    EXPECT_EQ(
        standing_words(verdict, answer.at("interval").at("device_high"), memory.at("capacity")),
        one.at("words"));
  }
}

TEST(Certain, ANumberOfDecimalsTellsTheTwoApart) {
  const std::int64_t card = 80 * (std::int64_t{1} << 30);
  EXPECT_EQ(doubt_words(Verdict::kFits, card, card), "");
  EXPECT_EQ(doubt_words(Verdict::kFits, card + (1 << 20), card),
            "not certain: up to 80.001 of 80.000 GiB; run two training steps first");
  EXPECT_EQ(doubt_words(Verdict::kTight, card + (1 << 30), card),
            "not certain: up to 81.0 of 80.0 GiB; run two training steps first");
  EXPECT_EQ(doubt_words(Verdict::kNo, 2 * card, card), "");
  EXPECT_EQ(doubt_words(Verdict::kFits, 0, card), "") << "no range is known";
  EXPECT_EQ(doubt_words(Verdict::kFits, card, 0), "") << "no card is named";
}

/// `answer`: of a request that names a card, or not.
void expect_certain_where_the_range_ends_on_the_card(const Sizing& sizing) {
  const Json answer = to_json(sizing);
  const Json& memory = answer.at("memory");
  if (memory.at("capacity").is_null()) {
    EXPECT_TRUE(memory.at("certain").is_null());
    return;
  }
  const std::int64_t high = answer.contains("grpo")
                                ? answer.at("grpo").at("together").at("device_high")
                                : answer.at("interval").at("device_high");
  EXPECT_EQ(memory.at("certain"), high <= memory.at("capacity").get<std::int64_t>());
  const Candidate& chosen = sizing.plan.chosen;
  EXPECT_EQ(high, chosen.range().high);
  EXPECT_GE(high, chosen.device());
  EXPECT_EQ(standing_words(chosen.verdict, high, chosen.bill.capacity).find("not certain") !=
                std::string::npos,
            holds(chosen.verdict) && memory.at("certain") == false);
  for (const CountCheck& check : sizing.plan.counts) {
    EXPECT_EQ(check.certain, is_certain(check.device_high, chosen.bill.capacity)) << check.gpus;
  }
  if (!sizing.plan.fewer && chosen.verdict == Verdict::kFits) {
    EXPECT_EQ(sizing.binding.find("not certain") != std::string::npos,
              memory.at("certain") == false)
        << sizing.binding;
  }
}

void expect_choices_of(const Job& job, const Json& answer) {
  EXPECT_EQ(answer.at("micro_batch"), job.micro_batch);
  EXPECT_EQ(answer.at("grad_accum"), job.grad_accum);
  if (!job.training) {
    EXPECT_EQ(answer.at("loss"), job.loss);
  }
  EXPECT_EQ(answer.at("optimizer"), job.optimizer.id);
  EXPECT_TRUE(answer.at("provider").is_null());
  EXPECT_EQ(answer.at("method").at("kind"), id_of(job.kind));
  EXPECT_EQ(answer.at("method").at("rank").is_null(), job.full());
  EXPECT_EQ(answer.at("method").at("targets").is_null(), job.full());
  if (!job.full()) {
    EXPECT_EQ(answer.at("method").at("rank"), job.adapters.rank);
  }
}

TEST(Certain, HoldsForRandomRequests) {
  RandomRequests requests(project_catalog(), kCertainSeed);
  std::size_t unsure = 0;
  std::size_t sure = 0;
  for (int i = 0; i < kCertainRequests; ++i) {
    Json request = requests.next(i % 3 == 0);
    if (i % 2 == 0) leave_to_stack(request, static_cast<std::size_t>(i));
    if (!is_due(static_cast<std::size_t>(i), 1)) continue;
    const testing::ScopedTrace where(__FILE__, __LINE__, request.dump());
    try {
      const Sizing sizing = sized(request);
      expect_certain_where_the_range_ends_on_the_card(sizing);
      expect_choices_of(sizing.plan.chosen.job, to_json(sizing));
      const auto certain = sizing.plan.chosen.certain();
      if (certain && holds(sizing.plan.chosen.verdict)) ++(*certain ? sure : unsure);
    } catch (const InputError&) {  // what is drawn may clash
    }
  }
  EXPECT_GT(sure, 10U);
  EXPECT_GT(unsure, 3U);
}

TEST(Choices, AreInTheAnswerWhoeverMadeThem) {
  const Json cases = oracle("certain.json").at("choices");
  ASSERT_GE(cases.size(), 12U);
  for (const Json& one : cases) {
    const testing::ScopedTrace where(__FILE__, __LINE__, one.at("why").get<std::string>());
    const Json answer = to_json(sized(one.at("request")));
    for (const auto& [key, value] : one.at("answer").items()) {
      EXPECT_EQ(answer.at(key), value) << key;
    }
  }
}

/// Said in the request, what the answer says leaves it as it was.
TEST(Choices, ToldAgainGiveTheSameBytes) {
  const Json cases = oracle("certain.json");
  for (const Json& one : cases.at("choices")) {
    const testing::ScopedTrace where(__FILE__, __LINE__, one.at("why").get<std::string>());
    const Sizing sizing = sized(one.at("request"));
    const Json answer = to_json(sizing);
    Json again = one.at("request");
    if (again.contains("workload")) again["workload"].erase("global_batch");
    again["workload"]["micro_batch"] = answer.at("micro_batch");
    again["workload"]["grad_accum"] = answer.at("grad_accum");
    again["kernels"]["recompute"] = answer.at("recompute");
    if (!sizing.plan.chosen.job.training) again["kernels"]["loss"] = answer.at("loss");
    again["optimizer"] = answer.at("optimizer");
    again["layout"] = {{"gpus", answer.at("layout").at("gpus")}};
    again.erase("vary");
    EXPECT_EQ(to_json(sized(again)).at("memory").at("device"), answer.at("memory").at("device"));
  }
}

}  // namespace
}  // namespace sizesheet
