// SPDX-License-Identifier: Apache-2.0
// What binds, in words: every figure is one that the engine gives again when asked for it.
#include <gtest/gtest.h>

#include <algorithm>

#include "sizing/estimate.h"
#include "sizing/search/remarks.h"
#include "sizing/sized.h"

namespace sizesheet {
namespace {

std::string binding(const std::string& text) {
  const Question question = question_of(text);
  return binding_words(question, plan(question));
}

std::vector<std::string> lever_ids(const std::string& text) {
  const Question question = question_of(text);
  const Candidate chosen = plan(question).chosen;
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

TEST(Binding, NamesTheLeverAndWhatItSaves) {
  EXPECT_EQ(
      binding(R"({"model":"size-70b","gpu":"h100-sxm","stack":"torchtune","method":"lora-r16",
          "layout":{"gpus":1}})"),
      "Does not fit on 1 × H100: 158.3 GiB of 79.2 usable, over by 79.2, in loss backward. "
      "Largest: "
      "weights 131.4 GiB; more GPUs help; 96.5 GiB less with a 4-bit base, and then it fits.");
}

TEST(Binding, SaysWhenMoreGpusCannotHelp) {
  EXPECT_EQ(
      binding(R"({"model":"llama-3.1-8b","gpu":"h100-sxm","method":"lora-r16",
          "workload":{"seq_len":65536},"layout":{"tp":1,"cp":1,"pp":1}})"),
      "Does not fit on 512 × H100, the best count up to 512: 522.3 GiB of 79.2 usable, over by "
      "443.2, in loss backward. Largest: activations kept 362.2 GiB; more GPUs do not help: what "
      "they do not share takes 473.8 GiB of every card (activations kept 362.2, logits and loss "
      "109.6); 379.2 GiB less with full recompute.");
}

TEST(Binding, AFixedCountMayStillBeHelpedByMore) {
  EXPECT_EQ(
      binding(R"({"model":"llama-3.1-8b","gpu":"h100-sxm","method":"lora-r16",
          "workload":{"seq_len":65536},"layout":{"tp":1,"gpus":1}})"),
      "Does not fit on 1 × H100: 535.3 GiB of 79.2 usable, over by 456.1, in loss backward. "
      "Largest: activations kept 362.2 GiB; more GPUs help; 379.2 GiB less with full recompute.");
}

TEST(Binding, NoMoreGpusOnOffer) {
  const std::string words =
      binding(R"({"model":"size-400b","gpu":"gb10","stack":"hf-trl","method":"full"})");
  EXPECT_NE(words.find("; no more GPUs are on offer; "), std::string::npos) << words;
}

TEST(Binding, NothingBindsOnTheSmallestCount) {
  EXPECT_EQ(binding(R"({"model":"llama-3.1-8b","gpu":"h100-sxm","method":"lora-r16",
          "kernels":{"recompute":"full","loss":"fused-linear"}})"),
            "Fits on 1 × H100, the smallest count asked for; largest: weights 15.0 GiB.");
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
  const Candidate chosen = plan(question).chosen;
  const auto lever = best_lever(question, chosen, Term::kActivations);
  ASSERT_TRUE(lever);
  EXPECT_EQ(lever->id, "recompute");
  const Candidate with = plan(question_of(head + R"(,"kernels":{"recompute":"full"}})")).chosen;
  EXPECT_EQ(lever->saved, chosen.bill.device - with.bill.device);
  EXPECT_EQ(lever->verdict, with.verdict);
}

}  // namespace
}  // namespace sizesheet
