// SPDX-License-Identifier: Apache-2.0
// Bytes and limits of linear attention, indexers, per-layer embeddings and short
// convolutions: worked by hand.
#include <gtest/gtest.h>

#include "sizing/memory/pieces.h"
#include "sizing/sized.h"

namespace sizesheet {
namespace {

Job job_of(const std::string& model) {
  return ask(R"({"model":")" + model + R"(","gpu":"b200","method":{"kind":"lora","rank":16},
      "state":"pure-bf16","kernels":{"recompute":"none","loss":"fused-linear","ops":"fused"},
      "workload":{"seq_len":8192,"micro_batch":1},"layout":{"gpus":1,"dp":1,"tp":1}})")
      .plan.chosen.job;
}

double saved(const Job& job, const Block& block) {
  return block_activations<double>(job, block, 0).saved;
}

TEST(LayeredSizing, a_delta_net_keeps_what_its_kernels_save) {
  Job job = job_of("qwen3.5-27b");
  job.adapters.targets = {};
  const Block& block = job.model->runs[0].block;
  // Two norms of 2 x 5,120 + 4; keys 16 x 128 four times in 2 bytes, values 48 x 128 five times,
  // 142 bytes a value head; gate and up of 17,408 in 2 bytes.
  EXPECT_EQ(saved(job, block), 2 * 10244 + 8 * 2048 + 10 * 6144 + 142 * 48 + 4 * 17408);
  Block plain = job.model->runs[1].block;
  const double gated = saved(job, plain);
  plain.attention->gate = 0;
  EXPECT_EQ(gated - saved(job, plain), 2 * 6144 + 2 * 6144);
}

TEST(LayeredSizing, shared_keys_are_kept_once_and_per_layer_embeddings_through_the_step) {
  Job job = job_of("gemma-4-e4b");
  job.adapters.targets = {};
  Block own = job.model->runs.front().block;
  Block sharing = own;
  sharing.attention->shares_kv = true;
  // Keys and values of 2 heads of 256, and the keys before their norm.
  EXPECT_EQ(saved(job, own) - saved(job, sharing), 3 * 2 * 512);
  Block bare = own;
  bare.per_layer_width = 0;
  bare.norms = own.norms - 1;
  EXPECT_EQ(saved(job, own) - saved(job, bare), 6 * 256 + 2 * 2560 + 4);
}

TEST(LayeredSizing, adapters_take_the_projections_that_a_model_has) {
  const Projections qwen = projections_of(project_catalog().model("qwen3.5-2b").architecture);
  EXPECT_TRUE(qwen.contains(Projection::kDeltaInput));
  EXPECT_FALSE(qwen.contains(Projection::kDeltaInputGate));
  const Architecture& next = project_catalog().model("qwen3-next-80b-a3b").architecture;
  EXPECT_TRUE(projections_of(next).contains(Projection::kDeltaInputGate));
  EXPECT_TRUE(preset_targets(next, "all-linear").contains(Projection::kMixerOut));
  const Architecture& granite = project_catalog().model("granite-4.0-h-1b").architecture;
  EXPECT_FALSE(preset_targets(granite, "all-linear").contains(Projection::kMixerOut));
}

TEST(LayeredSizing, what_no_trainer_divides_is_not_divided) {
  const auto split = [](const std::string& model, std::int64_t tp) {
    return tensor_split_fault(project_catalog().model(model).architecture, tp);
  };
  EXPECT_EQ(split("lfm2-1.2b", 2),
            "no documented trainer divides the model's short convolutions over ranks");
  EXPECT_EQ(split("lfm2-1.2b", 1), "");
  EXPECT_EQ(split("qwen3.5-27b", 32),
            "16 key heads of linear attention are not divisible by 32 (nearest: 16)");
}

}  // namespace
}  // namespace sizesheet
