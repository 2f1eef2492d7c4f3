// SPDX-License-Identifier: Apache-2.0
// Where a run dies, and what a measured figure may hold beside the estimate.
#include <gtest/gtest.h>

#include <algorithm>

#include "sizing/advice/limits.h"
#include "sizing/answer/estimate.h"
#include "sizing/answer/residual.h"
#include "sizing/memory/bill.h"
#include "sizing/request/question.h"
#include "sizing/search/candidate.h"
#include "sizing/search/search.h"
#include "sizing/sized.h"

namespace sizesheet {
namespace {

Candidate chosen(const std::string& text) { return search_counts(question_of(text)).chosen; }

TEST(Diagnosis, PhasesAreThoseOfTheBillOnTheDevice) {
  const MemoryBill bill =
      chosen(R"({"model":"size-7b","gpu":"h100-sxm","method":"full","layout":{"gpus":1}})").bill;
  const std::vector<PhaseCheck> checks = phase_checks(bill);
  ASSERT_EQ(checks.size(), 7U);
  EXPECT_EQ(checks.front().phase, "load");
  EXPECT_EQ(checks.front().step1, bill.of(Term::kWeights) + bill.overhead);
  std::int64_t most = 0;
  for (const PhaseCheck& check : checks) {
    most = std::max(most, check.steady);
    EXPECT_LE(check.step1, check.steady);
    EXPECT_EQ(check.step1_over, check.step1 > bill.capacity) << check.phase;
    EXPECT_EQ(check.steady_over, check.steady > bill.capacity) << check.phase;
  }
  EXPECT_EQ(most, bill.device);
}

struct Dies {
  std::string keys;  ///< of a request of one H100
  std::vector<std::string> where;
  std::string remedy;
};

TEST(Diagnosis, ARunDiesWhereItsLargestPartComes) {
  const std::vector<Dies> runs = {
      {R"("model":"llama-3.1-8b","method":"full","state":"bf16-fp32-moments",
          "kernels":{"recompute":"full","loss":"fused-linear"})",
       {"optimizer step of step 1"},
       "8-bit or 16-bit states, sharding, or adapters"},
      {R"("model":"llama-3.1-70b","method":"lora-r16")",
       {"load"},
       "shard them, quantise the base, or load in the dtype that trains"},
      {R"("model":"llama-3.1-8b","method":"lora-r16","workload":{"seq_len":32768})",
       {"forward of step 1"},
       "recompute, a smaller micro-batch, shorter or split sequences"},
      {R"("model":"llama-3.1-8b","method":"lora-r16","kernels":{"recompute":"full"},
          "workload":{"seq_len":65536})",
       {"loss of step 1", "loss backward of step 1"},
       "a fused or chunked loss, or a vocabulary split over ranks"}};
  for (const Dies& run : runs) {
    const Death death =
        death_of(chosen(R"({"gpu":"h100-sxm","layout":{"gpus":1},)" + run.keys + "}").bill);
    EXPECT_NE(std::ranges::find(run.where, death.where), run.where.end()) << death.where;
    EXPECT_EQ(death.remedy, run.remedy) << death.where;
    if (death.where != "optimizer step of step 1") continue;
    EXPECT_EQ(death.bill,
              "optimizer states, created in the first step: more is trained, or more bytes are "
              "kept for it, than was thought");
  }
}

TEST(Diagnosis, AStepThatPassedProvesNothing) {
  MemoryBill bill;
  bill.allocated = 90;
  bill.device = 100;
  bill.capacity = 95;
  for (const Phase phase : kPhases) {
    bill.phases_step1.set(phase, 50);
    bill.phases.set(phase, 50);
  }
  bill.phases.set(Phase::kEndBackward, 90);
  const Death death = death_of(bill);
  EXPECT_EQ(death.where, "end backward of step 2 and later");
  EXPECT_EQ(death.remedy,
            "anything that shrinks states or activations; measure step 2, not step 1");
  bill.capacity = 100;
  EXPECT_EQ(death_of(bill).where, "");
}

TEST(Diagnosis, WithoutACardNothingIsOver) {
  const MemoryBill bill =
      chosen(R"({"model":"size-70b","method":"full","layout":{"gpus":1}})").bill;
  EXPECT_EQ(death_of(bill).where, "");
}

struct Explained {
  std::string measured;  ///< keys of the run that was measured
  std::string id;        ///< the cause that must explain it whole
};

TEST(Residual, TheChangeThatWasMadeExplainsAll) {
  const std::string head = R"({"model":"llama-3.1-8b","gpu":"h100-sxm","layout":{"gpus":1},
      "workload":{"seq_len":8192})";
  const std::string kernels = R"(,"kernels":{"recompute":"full","loss":"fused-linear")";
  const std::string lora = R"(,"method":{"kind":"lora","rank":16)";
  const std::string asked = head + kernels + "}" + lora + "}}";
  const Question question = question_of(asked);
  const Sizing sizing = answer(question);
  const std::vector<Explained> runs = {
      {head + kernels + "}" + lora + R"(,"base":"fp32"}})", "fp32-base"},
      {head + lora + R"(},"kernels":{"loss":"fused-linear"}})", "no-recompute"},
      {head + lora + R"(},"kernels":{"recompute":"full","loss":"hf"}})", "loss-hf"},
      {head + kernels + R"(,"attention":"flash-repeat-kv"})" + lora + "}}", "repeated-kv"},
  };
  for (const Explained& run : runs) {
    const std::int64_t measured = chosen(run.measured).bill.device;
    const auto causes = residual_causes(question, sizing, measured);
    const auto cause = std::find_if(causes.begin(), causes.end(),
                                    [&](const ResidualCause& one) { return one.id == run.id; });
    ASSERT_NE(cause, causes.end()) << run.id;
    EXPECT_EQ(cause->left, 0) << run.id;
    EXPECT_EQ(cause->bytes, measured - sizing.plan.chosen.bill.device) << run.id;
    EXPECT_TRUE(std::is_sorted(causes.begin(), causes.end(), [](const auto& a, const auto& b) {
      return std::abs(a.left) < std::abs(b.left);
    }));
  }
}

TEST(Residual, TheScatterOfTheEstimateIsBounded) {
  const Question question = question_of(
      R"({"model":"llama-3.1-8b","gpu":"h100-sxm","method":"lora-r16","layout":{"gpus":1}})");
  const Sizing sizing = answer(question);
  const auto causes = residual_causes(question, sizing, 2 * sizing.device_high);
  const auto scatter = std::find_if(causes.begin(), causes.end(),
                                    [](const ResidualCause& one) { return one.id == "interval"; });
  ASSERT_NE(scatter, causes.end());
  EXPECT_EQ(scatter->bytes, sizing.device_high - sizing.plan.chosen.bill.device);
  EXPECT_EQ(scatter->left, sizing.device_high);
}

TEST(Residual, AnExactFigureNeedsNoScatter) {
  const Question question = question_of(
      R"({"model":"llama-3.1-8b","gpu":"h100-sxm","method":"lora-r16","layout":{"gpus":1}})");
  const Sizing sizing = answer(question);
  for (const ResidualCause& cause :
       residual_causes(question, sizing, sizing.plan.chosen.bill.device)) {
    EXPECT_NE(cause.id, "interval");
    EXPECT_EQ(cause.left, -cause.bytes);
  }
}

}  // namespace
}  // namespace sizesheet
