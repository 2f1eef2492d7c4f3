// SPDX-License-Identifier: Apache-2.0
// FSDP that reduces gradients once a step (`layout.sync_each_batch` false): what every rank keeps
// until the last micro-batch, and what is sent.
#include <gtest/gtest.h>

#include <cstdint>

#include "sizing/job/job.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/pieces.h"
#include "sizing/memory/working_pieces.h"
#include "sizing/sized.h"
#include "sizing/time/exchange.h"
#include "support/json.h"
#include "support/json_parse.h"

namespace sizesheet {
namespace {

// All of Llama 3.1 8B train.
constexpr double kParameters = 8030261248;
constexpr double kRanks = 8;

Sizing accumulated(const std::string& patch) {
  Json request = parse_json(R"({"model":"llama-3.1-8b","gpu":"h100-sxm","method":{"kind":"full"},
      "state":"pure-bf16","kernels":{"recompute":"full"},
      "workload":{"seq_len":4096,"grad_accum":4},
      "layout":{"gpus":8,"dp":8,"tp":1,"shard":"zero3","sync_each_batch":false}})",
                            "request");
  request.merge_patch(parse_json(patch, "patch"));
  return sized(request);
}

Pieces<double> pieces_of(const Sizing& sizing) {
  const Job& job = sizing.plan.chosen.job;
  return memory_pieces<double>(job, stages_of(job).front());
}

TEST(WholeGradients, WaitOnEveryRankForTheLastMicroBatch) {
  const Pieces<double> whole = pieces_of(accumulated("{}"));
  EXPECT_EQ(whole.gradients, 2 * kParameters);
  EXPECT_EQ(whole.gradients_final, 2 * kParameters / kRanks);
  EXPECT_EQ(whole.root_gradients, 0);  // they are added in place
  const Pieces<double> sharded = pieces_of(accumulated(R"({"layout":{"sync_each_batch":true}})"));
  EXPECT_EQ(sharded.gradients, 2 * kParameters / kRanks);
  EXPECT_EQ(sharded.gradients_final, whole.gradients_final);
}

TEST(WholeGradients, AreInTheTypeThatIsReduced) {
  const Pieces<double> wide = pieces_of(accumulated(R"({"layout":{"reduce_dtype":"fp32"}})"));
  EXPECT_EQ(wide.gradients, 4 * kParameters);
  EXPECT_GT(wide.root_gradients, 0);  // a new one is in 16 bits until it is cast
}

TEST(WholeGradients, StayOnTheGpuBesideStatesOnTheHost) {
  const Pieces<double> whole = pieces_of(accumulated(R"({"layout":{"offload":"all"}})"));
  EXPECT_EQ(whole.gradients, 2 * kParameters);
  EXPECT_TRUE(whole.gradients_persist);
}

TEST(WholeGradients, NeedMicroBatchesToAddUp) {
  const Pieces<double> once = pieces_of(accumulated(R"({"workload":{"grad_accum":1}})"));
  EXPECT_EQ(once.gradients, 2 * kParameters / kRanks);
  const Pieces<double> alone = pieces_of(accumulated(R"({"layout":{"gpus":1,"dp":1}})"));
  EXPECT_EQ(alone.gradients, 2 * kParameters);
}

/// Two gathers of the weights in each of four micro-batches, and one reduction instead of four.
TEST(WholeGradients, AreSentOnceAStep) {
  const auto sent = [](const std::string& patch) {
    return data_parallel_bytes(accumulated(patch).plan.chosen.job);
  };
  const double ring = (kRanks - 1) / kRanks * 2 * kParameters;
  EXPECT_DOUBLE_EQ(sent("{}"), (4 * 2 + 1) * ring);
  EXPECT_DOUBLE_EQ(sent(R"({"layout":{"sync_each_batch":true}})"), 4 * 3 * ring);
}

}  // namespace
}  // namespace sizesheet
