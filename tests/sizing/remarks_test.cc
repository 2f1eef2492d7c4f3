// SPDX-License-Identifier: Apache-2.0
// What an answer remarks: levers that may shrink a bill, each on the side where the job has it and
// saving what it says; and every lint of tests/oracles/lints.json, which fires with its bytes, is a
// warning, and keeps still on the same job without its cause.

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "catalog/prices/price.h"
#include "sizing/advice/levers.h"
#include "sizing/advice/lints.h"
#include "sizing/answer/estimate.h"
#include "sizing/job/job.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/memory.h"
#include "sizing/request/question.h"
#include "sizing/search/candidate.h"
#include "sizing/search/search.h"
#include "sizing/sized.h"
#include "support/json.h"
#include "support/named.h"
#include "support/text.h"

namespace sizesheet {
namespace {

std::vector<LeverChange> changes_of(const std::string& text) {
  const Question question = question_of(text);
  return lever_changes(question, search_counts(question).chosen.job);
}

/// "recompute in use", "loss", … in the order of the list.
std::vector<std::string> sides(const std::vector<LeverChange>& changes) {
  std::vector<std::string> found;
  for (const LeverChange& one : changes) {
    found.push_back(one.change.id + (one.in_use ? " in use" : ""));
  }
  return found;
}

TEST(LeverChanges, OfAPlainFullFineTune) {
  EXPECT_EQ(sides(changes_of(R"({"model":"size-7b","gpu":"h100-sxm","method":"full",
                "workload":{"micro_batch":4},"layout":{"gpus":8,"dp":8,"shard":"zero1"}})")),
            (std::vector<std::string>{"loss", "recompute", "selective-recompute",
                                      "attention in use", "micro-batch", "micro-batch-halved",
                                      "allocator", "shard", "shard-2", "tensor-parallel",
                                      "context-parallel", "optimizer", "paged-optimizer", "state",
                                      "offload", "activation-offload", "seq-len", "method"}));
}

TEST(LeverChanges, OfAFrugalQlora) {
  EXPECT_EQ(sides(changes_of(R"({"model":"size-7b","gpu":"h100-sxm","method":"qlora-r16",
                "optimizer":"paged-adamw-8bit","layout":{"gpus":1},
                "kernels":{"recompute":"full","loss":"fused-linear","activation_offload":true}})")),
            (std::vector<std::string>{"loss in use", "recompute in use", "attention in use",
                                      "micro-batch in use", "allocator", "optimizer in use",
                                      "paged-optimizer in use", "base in use", "offload",
                                      "activation-offload in use", "seq-len", "rank"}));
}

TEST(LeverChanges, AdaptersInFp32MayBeInBf16) {
  const std::string fp32 = R"({"model":"size-7b","gpu":"h100-sxm","layout":{"gpus":1},
      "method":{"kind":"lora","rank":16,"adapter_dtype":"fp32-autocast"},"state":"peft-fp32"})";
  for (const LeverChange& one : changes_of(fp32)) {
    if (one.change.id != "adapter-dtype") continue;
    EXPECT_EQ(Json(one.change.keys),
              Json::parse(R"([["method.adapter_dtype","bf16"],["state","pure-bf16"]])"));
    EXPECT_EQ(one.gives_up, "updates too small for 16 bits");
    return;
  }
  FAIL() << "not offered";
}

TEST(LeverChanges, HalvingTheMicroBatchKeepsTheTokensOfAStep) {
  for (const LeverChange& one : changes_of(R"({"model":"size-7b","gpu":"h100-sxm",
           "method":"lora-r16","workload":{"micro_batch":4,"grad_accum":2}})")) {
    if (one.change.id != "micro-batch-halved") continue;
    EXPECT_EQ(one.change.words, "a micro-batch of 2, accumulated 4 times");
    EXPECT_EQ(Json(one.change.keys), Json::parse(R"([["workload.micro_batch",2],
                                                     ["workload.grad_accum",4]])"));
    return;
  }
  FAIL() << "not offered";
}

TEST(LeverChanges, ALowerRankIsSixteenOrHalf) {
  for (const auto& [method, words] : {std::pair{R"({"kind":"lora","rank":64})", "rank 16"},
                                      std::pair{R"({"kind":"lora","rank":16})", "rank 8"}}) {
    const auto changes =
        changes_of(std::string(R"({"model":"size-7b","gpu":"h100-sxm","method":)") + method + "}");
    const auto rank = std::find_if(changes.begin(), changes.end(),
                                   [](const LeverChange& one) { return one.change.id == "rank"; });
    ASSERT_NE(rank, changes.end());
    EXPECT_EQ(rank->change.words, words);
    EXPECT_FALSE(rank->same_run);
  }
}

TEST(LeverChanges, UndoingAndPullingAgainIsWhereOneStood) {
  const std::string text = R"({"model":"size-7b","gpu":"h100-sxm","method":"qlora-r16",
      "stack":"hf-trl","layout":{"gpus":1},"workload":{"seq_len":4096,"micro_batch":1}})";
  const Question question = question_of(text);
  const Candidate chosen = search_counts(question).chosen;
  std::size_t undone = 0;
  for (const LeverChange& one : lever_changes(question, chosen.job)) {
    if (!one.in_use) continue;
    const auto without = varied(question, chosen, one.change);
    ASSERT_TRUE(without) << one.change.id;
    EXPECT_GT(without->bill.device, chosen.bill.device) << one.change.id;
    ++undone;
  }
  EXPECT_EQ(undone, 5U);
}

TEST(Variation, KeepsWhatTheSearchChoseOfTheStacksAlternatives) {
  const std::string text = R"({"model":"size-70b","gpu":"h100-sxm","method":"full",
      "stack":"megatron-bridge","workload":{"seq_len":32768,"micro_batch":1}})";
  const Question question = question_of(text);
  ASSERT_FALSE(question.alternatives.empty());
  const Candidate chosen = search_counts(question).chosen;
  const Job first = job_with_layout(question, chosen.job.layout);
  EXPECT_NE(std::tie(first.recompute, first.recompute_modules),
            std::tie(chosen.job.recompute, chosen.job.recompute_modules));
  const auto same = varied(question, chosen, {"none", "nothing", {}});
  ASSERT_TRUE(same);
  EXPECT_EQ(same->job.recompute, chosen.job.recompute);
  EXPECT_EQ(same->job.recompute_modules, chosen.job.recompute_modules);
  EXPECT_EQ(same->job.loss, chosen.job.loss);
  EXPECT_EQ(same->bill.device, chosen.bill.device);
}

std::vector<std::string> lever_ids(const std::string& text) {
  const Question question = question_of(text);
  const Candidate chosen = search_counts(question).chosen;
  std::vector<std::string> ids;
  for (const LeverReach reach : {LeverReach::kPlain, LeverReach::kCostly}) {
    for (const Lever& lever : levers(question, chosen, largest_term(chosen.bill), reach)) {
      ids.push_back(lever.id);
    }
  }
  return ids;
}

bool offers(const std::vector<std::string>& ids, const std::string& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

TEST(Levers, AreNotOfferedWhereAlreadyPulled) {
  const std::string plain = R"({"model":"size-7b","gpu":"rtx-4090","method":"full",
      "workload":{"micro_batch":4}, "layout":{"gpus":1})";
  const auto open = lever_ids(plain + "}");
  for (const char* id : {"loss", "recompute", "state", "optimizer", "micro-batch"}) {
    EXPECT_TRUE(offers(open, id)) << id;
  }
  const auto pulled = lever_ids(R"({"model":"size-7b","gpu":"rtx-4090","method":"full",
      "state":"pure-bf16","optimizer":"adamw-8bit","layout":{"gpus":1},
      "kernels":{"loss":"fused-linear","recompute":"full"}})");
  for (const char* id : {"loss", "recompute", "state", "optimizer", "micro-batch", "base"}) {
    EXPECT_FALSE(offers(pulled, id)) << id;
  }
}

TEST(Levers, WhatTheStackRefusesIsNotOffered) {
  const std::string on_bridge = R"({"model":"size-70b","gpu":"h100-sxm","stack":"megatron-bridge",
      "method":"lora-r16","layout":{"gpus":1}})";
  EXPECT_FALSE(offers(lever_ids(on_bridge), "base"));
  EXPECT_TRUE(offers(lever_ids(R"({"model":"size-70b","gpu":"h100-sxm","stack":"torchtune",
      "method":"lora-r16","layout":{"gpus":1}})"),
                     "base"));
}

TEST(Levers, SayTheBytesThatTheRequestWithTheLeverSaves) {
  const std::string head = R"({"model":"llama-3.1-8b","gpu":"rtx-4090","layout":{"gpus":1},
      "method":"qlora-r16","workload":{"seq_len":8192})";
  const Question question = question_of(head + "}");
  const Candidate chosen = search_counts(question).chosen;
  const auto lever = best_lever(question, chosen, Term::kActivations);
  ASSERT_TRUE(lever);
  EXPECT_EQ(lever->id, "recompute");
  const Candidate with =
      search_counts(question_of(head + R"(,"kernels":{"recompute":"full"}})")).chosen;
  EXPECT_EQ(lever->saved, chosen.bill.device - with.bill.device);
  EXPECT_EQ(lever->verdict, with.verdict);
}

/// The words of this lint, "" if it does not fire.
std::string words_of(const std::string& id, const Json& request) {
  const Question question = question_of(request.dump());
  const Sizing sizing = answer(question);
  for (const Lint& lint : lints(question, sizing.plan.chosen, sizing.speed)) {
    if (lint.id != id) continue;
    EXPECT_EQ(std::ranges::count(sizing.warnings, id + ": " + lint.words), 1) << id;
    return lint.words;
  }
  return "";
}

TEST(Lints, FireWithTheirBytesAndKeepStillWithoutTheirCause) {
  const Json rows = oracle("lints.json").at("lints");
  ASSERT_EQ(rows.size(), 17U);
  for (const Json& row : rows) {
    const std::string id = row.at("id");
    Json request = row.at("request");
    EXPECT_EQ(words_of(id, request), row.at("words").get<std::string>()) << id;
    request.merge_patch(row.at("without"));
    EXPECT_EQ(words_of(id, request), "") << id;
  }
}

TEST(Lints, TellTheBytesThatTheRequestSaves) {
  const Json saving = {{"model", "qwen3-30b-a3b"},
                       {"gpu", "h200-sxm"},
                       {"layout", {{"gpus", 1}}},
                       {"kernels", {{"recompute", "full"}}},
                       {"method", {{"kind", "qlora"}, {"rank", 16}}}};
  Json wide = saving;
  wide["method"]["quantize_experts"] = false;
  const auto device = [](const Json& request) {
    return search_counts(question_of(request.dump())).chosen.bill.device;
  };
  const std::string words = words_of("unquantised-experts", wide);
  const std::string more = format_gib(device(wide) - device(saving), 1);
  EXPECT_NE(words.find(": " + more + " GiB more"), std::string::npos) << words;
}

}  // namespace
}  // namespace sizesheet
