// SPDX-License-Identifier: Apache-2.0
// What a run is trained for: worked examples of operations and of bytes of the loss, models that
// stand beside the one that trains, and every refusal in full.
#include <gtest/gtest.h>

#include <cmath>

#include "sizing/memory/pieces.h"
#include "sizing/sized.h"
#include "sizing/time/clocks.h"

namespace sizesheet {
namespace {

const Job& job_in(const Sizing& sizing) { return sizing.plan.chosen.job; }

/// DPO of Llama 3.1 8B on one H100, with these keys of the objective and others of the request.
std::string dpo(const std::string& objective = "", const std::string& rest = "",
                const std::string& method = R"("kind": "lora", "rank": 16)") {
  return R"({"model": "llama-3.1-8b", "gpu": "h100-sxm", "layout": {"gpus": 1},
             "kernels": {"recompute": "full"}, "method": {)" +
         method + R"(}, "objective": {"kind": "dpo")" + objective + "}" + rest + "}";
}

double figure_of(const Job& job, const std::string& measure) {
  if (measure == "flops") {
    const StepWork work = step_work(job);
    return work.matmul_flops + work.expert_flops + work.attention_flops + work.scan_flops;
  }
  const auto pieces = memory_pieces<double>(job, stages_of(job).back());
  return measure == "loss_forward" ? pieces.loss_forward : pieces.loss_backward;
}

TEST(Objective, EveryWorkedExample) {
  // What the engine counts beyond an example stands under "added", with why.
  const Json rows = oracle("objective.json").at("cases");
  for (const Json& row : rows) {
    const double got =
        figure_of(job_in(sized(row.at("request"))), row.at("measure")) / row.value("examples", 1.0);
    const double expected = row.at("expected").get<double>() + row.value("added", 0.0);
    EXPECT_NEAR(got / expected, 1, 1e-9) << row.at("name");
    EXPECT_EQ(row.contains("added"), row.contains("why")) << row.at("name");
  }
}

TEST(Objective, PairsHaveTwiceTheTokens) {
  const std::string workload = R"(, "workload": {"seq_len": 1000, "micro_batch": 3})";
  EXPECT_EQ(job_in(ask(dpo("", workload))).tokens_per_rank(), 6000);
  const std::string examples =
      R"(, "workload": {"seq_len": 1000, "examples": 500, "mean_length": 800, "epochs": 2})";
  EXPECT_EQ(job_in(ask(dpo("", examples))).tokens, 2 * 500 * 800 * 2);
}

TEST(Objective, ACopyOfThePolicyWeighsWhatItWeighs) {
  const std::string full = R"("kind": "full")";
  const std::string state = R"(, "state": "pure-bf16", "max_gpus": 1)";
  const Sizing copy = ask(dpo("", state, full));
  const Sizing none = ask(dpo(R"(, "reference": "precomputed")", state, full));
  const std::int64_t difference =
      copy.plan.chosen.bill.terms[Term::kWeights] - none.plan.chosen.bill.terms[Term::kWeights];
  EXPECT_EQ(difference, 2 * copy.parameters.total());
  EXPECT_EQ(job_in(copy).training->reference, Reference::kCopy);
}

TEST(Objective, ZeroThreeDividesTheCopyAndGathersItAgain) {
  const auto on = [&](const std::string& reference) {
    return ask(R"({"model": "llama-3.1-8b", "gpu": "h100-sxm", "method": {"kind": "full"},
                   "state": "pure-bf16", "layout": {"gpus": 8, "tp": 1, "shard": "zero3"},
                   "objective": {"kind": "dpo", "reference": ")" +
               reference + R"("}, "kernels": {"recompute": "full"}})");
  };
  const Sizing copy = on("copy");
  const Sizing precomputed = on("precomputed");
  EXPECT_NEAR(static_cast<double>(copy.plan.chosen.bill.terms[Term::kWeights]),
              2.0 * static_cast<double>(precomputed.plan.chosen.bill.terms[Term::kWeights]), 1);
  // Gathers for forward, backward and the reference, and the gradients' reduction.
  const double weights = 2.0 * static_cast<double>(copy.parameters.total()) * 7 / 8;
  EXPECT_NEAR(data_parallel_bytes(job_in(copy)), 4 * weights, 1);
}

TEST(Objective, SwitchingAdaptersOffWeighsNothing) {
  const Sizing off = ask(dpo());
  const Sizing precomputed = ask(dpo(R"(, "reference": "precomputed")"));
  EXPECT_EQ(job_in(off).training->reference, Reference::kAdapterOff);
  EXPECT_EQ(off.plan.chosen.bill.terms[Term::kWeights],
            precomputed.plan.chosen.bill.terms[Term::kWeights]);
  // ... but the pass it takes: a forward beside forward, backward (twice a forward, with a frozen
  // base) and the recomputed one.
  EXPECT_GT(off.speed->clocks.matmul, 1.2 * ask(dpo(R"(, "reference": "precomputed")",
                                                    R"(, "workload": {"examples": 1000,
                                                    "mean_length": 4096, "epochs": 100})"))
                                                .speed->clocks.matmul);
}

TEST(Objective, ARewardModelScoresInPlaceOfWords) {
  const auto reward = [](const std::string& model, const std::string& method) {
    return ask(R"({"model": ")" + model + R"(", "gpu": "h100-sxm", "method": {)" + method +
               R"(}, "state": "pure-bf16", "layout": {"gpus": 1},
                   "kernels": {"recompute": "full"}, "objective": {"kind": "reward"}})");
  };
  // Llama 3.1 8B without 128,256 x 4,096 of the head, and with 4,096 of the score.
  const Sizing untied = reward("llama-3.1-8b", R"("kind": "full")");
  EXPECT_EQ(untied.parameters.total(), 8030261248 - 128256LL * 4096 + 4096);
  EXPECT_EQ(untied.plan.chosen.bill.terms[Term::kLogits], 0);
  // A tied head leaves its embedding behind.
  EXPECT_EQ(reward("qwen2.5-0.5b", R"("kind": "full")").parameters.total(), 494032768 + 896);
  const Sizing lora = reward("llama-3.1-8b", R"("kind": "lora", "rank": 16)");
  EXPECT_EQ(lora.trainable, 41943040 + 4096);
}

TEST(Objective, ATeacherStandsBesideTheStudent) {
  const Sizing sizing = ask(R"({"model": "qwen3-1.7b", "gpu": "h200-sxm",
      "method": {"kind": "full"}, "state": "pure-bf16", "layout": {"gpus": 8, "tp": 1,
      "shard": "zero3"}, "kernels": {"recompute": "full"}, "workload": {"seq_len": 4096},
      "objective": {"kind": "distillation", "teacher": "qwen3-32b", "loss": "liger"}})");
  const std::int64_t teacher =
      count_parameters(project_catalog().models.at("qwen3-32b").architecture).total();
  const std::int64_t student = sizing.parameters.total();
  EXPECT_NEAR(static_cast<double>(sizing.plan.chosen.bill.terms[Term::kWeights]),
              2.0 * static_cast<double>(student + teacher) / 8, 1);
  EXPECT_TRUE(job_in(sizing).packed);
}

TEST(Objective, AStacksLossAndPacksGiveWay) {
  const Sizing sizing = ask(R"({"model": "llama-3.1-8b", "gpu": "h100-sxm", "stack": "hf-trl",
      "method": "lora-r16", "objective": {"kind": "dpo"}, "workload": {"seq_len": 2048}})");
  EXPECT_EQ(job_in(sizing).loss, "trl-reference");
  EXPECT_FALSE(job_in(sizing).packed);
  EXPECT_EQ(sizing.defaults.json().at("taken").at("objective.loss"), "trl");
  EXPECT_EQ(sizing.defaults.json().at("taken").at("objective.reference"), "adapter-off");
}

TEST(Objective, SupervisedFineTuningByNameIsTheNeutralJob) {
  const std::string plain = R"({"model": "llama-3.1-8b", "gpu": "h100-sxm",
      "method": {"kind": "lora", "rank": 16}, "workload": {"tokens": 50000000})";
  const Json named = to_json(ask(plain + R"(, "objective": {"kind": "sft"}})"));
  EXPECT_EQ(named, to_json(ask(plain + "}")));
  const Json fastest = to_json(ask(plain + R"(, "objective": {"kind": "sft", "search": "time"}})"));
  EXPECT_EQ(fastest, to_json(ask(plain + R"(, "objective": "time"})")));
}

TEST(Objective, RefusalsInFull) {
  const std::string full = R"("kind": "full")";
  EXPECT_EQ(refusal(dpo(R"(, "reference": "none")")),
            R"(objective.reference: kind "dpo" compares with a reference, got "none")");
  EXPECT_EQ(refusal(dpo(R"(, "reference": "adapter-off")", "", full)),
            "objective.reference: \"adapter-off\" needs adapters to switch off, and method.kind is "
            "\"full\"; ask for \"copy\"");
  EXPECT_EQ(refusal(dpo(R"(, "reference": "precomputed", "loss": "liger")")),
            "objective.reference: \"precomputed\" needs log-probabilities of whole logits; loss "
            "\"liger\" has none");
  EXPECT_EQ(refusal(dpo(R"(, "teacher": "qwen3-32b")")),
            R"(objective.teacher: needs kind "distillation", got "dpo")");
  EXPECT_EQ(refusal(dpo("", R"(, "workload": {"packed": true})")),
            "workload.packed: true needs samples that stand alone, and objective.kind \"dpo\" "
            "compares whole sequences");
  EXPECT_EQ(refusal(dpo(R"(, "los": "liger")")),
            R"(objective.los: unknown key (did you mean "loss"?))");
}

}  // namespace
}  // namespace sizesheet
