// SPDX-License-Identifier: Apache-2.0
// Layers that predict further tokens: dropped on loading, or kept behind the last layer with logits
// of their own.
#include <gtest/gtest.h>

#include <algorithm>

#include "sizing/memory/pieces.h"
#include "sizing/sized.h"
#include "sizing/time/clocks.h"

namespace sizesheet {
namespace {

Sizing mimo(const std::string& more) {
  return ask(R"({"model": "mimo-7b", "gpu": "h200-sxm", "method": {"kind": "full"},
      "state": "megatron", "kernels": {"recompute": "none", "loss": "hf"},
      "workload": {"grad_accum": 4}, )" +
             more + "}");
}

const std::string kOne = R"("layout": {"dp": 8, "tp": 1, "shard": "zero1"})";
const std::string kKept = R"("mtp": "kept", )";

TEST(Predictions, KeptTheyAreParametersOfTheLastStage) {
  EXPECT_EQ(mimo(kKept + kOne).parameters.total() - mimo(kOne).parameters.total(), 210790400);
  const std::string piped = R"("layout": {"dp": 2, "tp": 1, "pp": 4})";
  const Job dropped = mimo(piped).plan.chosen.job;
  const Job kept = mimo(kKept + piped).plan.chosen.job;
  EXPECT_EQ(kept.model->layers(), 36);
  const auto blocks = [](const Job& job) {
    std::vector<std::int64_t> counts;
    for (const Stage& stage : stages_of(job)) {
      counts.push_back(0);
      for (const StageKind& kind : stage.kinds) counts.back() += kind.count;
    }
    return counts;
  };
  EXPECT_EQ(blocks(dropped), (std::vector<std::int64_t>{9, 9, 9, 9}));
  EXPECT_EQ(blocks(kept), (std::vector<std::int64_t>{9, 9, 9, 10}));
}

TEST(Predictions, KeptTheyHaveLogitsAndALayersWorkOfTheirOwn) {
  const Job dropped = mimo(kOne).plan.chosen.job;
  const Job kept = mimo(kKept + kOne).plan.chosen.job;
  const auto pieces = [](const Job& job) {
    return memory_pieces<double>(job, stages_of(job).back());
  };
  EXPECT_EQ(pieces(kept).loss_forward, 2 * pieces(dropped).loss_forward);
  EXPECT_EQ(step_work(kept).logit_bytes, 2 * step_work(dropped).logit_bytes);
  const ForwardFlops more = forward_flops(kept);
  const ForwardFlops less = forward_flops(dropped);
  const double h = as_double(dropped.model->hidden);
  EXPECT_EQ(more.head, 2 * less.head);
  // The blocks are all alike; the projection that joins two states is 2 h -> h.
  EXPECT_NEAR(more.dense, less.dense * 37 / 36 + 2 * 2 * h * h, 1);
}

TEST(Predictions, DroppedTheyAreToldOf) {
  const auto told = [](const Sizing& sizing) {
    return std::ranges::count(sizing.warnings,
                              "model: the language model alone is sized, without its layers that "
                              "predict further tokens (210,790,400 parameters)");
  };
  EXPECT_EQ(told(mimo(kOne)), 1);
  EXPECT_EQ(told(mimo(kKept + kOne)), 0);
}

}  // namespace
}  // namespace sizesheet
