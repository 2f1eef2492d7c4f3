// SPDX-License-Identifier: Apache-2.0
// Bytes, operations and limits of linear attention, indexers, per-layer embeddings and short
// convolutions: worked by hand.
#include <gtest/gtest.h>

#include "sizing/memory/pieces.h"
#include "sizing/sized.h"
#include "sizing/time/clocks.h"

namespace sizesheet {
namespace {

Job job_of(const std::string& model, const std::string& kind) {
  const std::string rank = kind == "full" ? "" : R"(,"rank":16)";
  return ask(R"({"model":")" + model + R"(","gpu":"b200","method":{"kind":")" + kind + "\"" + rank +
             R"(},
      "state":"pure-bf16","kernels":{"recompute":"none","loss":"fused-linear","ops":"fused"},
      "workload":{"seq_len":8192,"micro_batch":1},"layout":{"gpus":1,"dp":1,"tp":1}})")
      .plan.chosen.job;
}

double saved(const Job& job, const Block& block) {
  return block_activations<double>(job, block, 0).saved;
}

TEST(LayeredSizing, a_delta_net_keeps_what_its_kernels_save) {
  Job job = job_of("qwen3.5-27b", "lora");
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

TEST(LayeredSizing, the_delta_rule_is_linear_in_the_sequence) {
  const Job job = job_of("qwen3.5-27b", "full");
  // 48 layers: four products with a state of 128 x 128 a value head, and four taps.
  const double token = 48.0 * (8 * 48 * 128 * 128 + 2 * 4 * (2 * 2048 + 6144));
  EXPECT_DOUBLE_EQ(step_work(job).scan_flops, 8192 * 3 * token);
}

TEST(LayeredSizing, sparse_attention_reads_what_its_indexer_chose) {
  const Job job = job_of("deepseek-v3.2", "full");
  // 61 layers: 2,048 of 8,192 positions; 128 heads over latents of 512 and 64; 64 heads of 128
  // score every position before, from a rank of 1,536.
  const double positions = 2.0 * 2048 - 2048.0 * 2048 / 8192;
  const double attention = 61 * 2 * positions * 128 * (2 * 512 + 64) / 2;
  const double scoring = 61.0 * (2 * (1536.0 * 8192 + 7168 * (128 + 64)) + 8192.0 * 8192);
  EXPECT_DOUBLE_EQ(step_work(job).attention_flops, 8192 * (attention * 3.5 + scoring));
}

TEST(LayeredSizing, shared_keys_are_kept_once_and_per_layer_embeddings_through_the_step) {
  Job job = job_of("gemma-4-e4b", "lora");
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
  const auto count = [](const std::string& model) {
    return count_adapters(project_catalog().model(model).architecture,
                          {.rank = 8,
                           .targets = preset_targets(project_catalog().model(model).architecture,
                                                     "all-linear")})
        .total();
  };
  // Of 16 layers 6 have attention (4 x 2,048 to 2,048, 512, 512, 2,048), 10 a convolution; each has
  // an MLP of 8,192.
  EXPECT_EQ(count("lfm2-1.2b"),
            8 * (6 * (2 * 4096 + 2 * 2560) + 10 * (2048 + 6144 + 4096) + 16 * 3 * 10240));
  const Projections qwen = projections_of(project_catalog().model("qwen3.5-2b").architecture);
  EXPECT_TRUE(qwen.contains(Projection::kDeltaInput));
  EXPECT_FALSE(qwen.contains(Projection::kDeltaInputGate));
  const Architecture& next = project_catalog().model("qwen3-next-80b-a3b").architecture;
  EXPECT_TRUE(projections_of(next).contains(Projection::kDeltaInputGate));
  EXPECT_TRUE(preset_targets(next, "all-linear").contains(Projection::kMixerOut));
  const Architecture& granite = project_catalog().model("granite-4.0-h-1b").architecture;
  EXPECT_FALSE(preset_targets(granite, "all-linear").contains(Projection::kMixerOut));
}

TEST(LayeredSizing, what_nobody_measured_is_said) {
  const auto warnings = [](const std::string& model) {
    return ask(R"({"model":")" + model + R"(","gpu":"h100-sxm",
                                    "method":{"kind":"lora","rank":16}})")
        .warnings;
  };
  EXPECT_TRUE(contains(warnings("qwen3.5-2b"),
                       "model: Gated DeltaNet: no published run says what such layers keep; it "
                       "follows from what their kernels save"));
  EXPECT_TRUE(contains(warnings("gemma-4-e4b"),
                       "model: Per-layer embedding: no published run says what such layers keep; "
                       "it follows from what their kernels save"));
  for (const std::string& words : warnings("granite-4.0-h-1b")) {
    EXPECT_FALSE(words.starts_with("model: ")) << words;
  }
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
  EXPECT_EQ(refusal(R"({"model":"gemma-4-e4b","gpu":"h100-sxm","method":"full",
                        "layout":{"gpus":2,"dp":1,"pp":2}})"),
            "layout.pp: the model's last layers read the keys and values of earlier ones, "
            "which no stage hands on");
}

}  // namespace
}  // namespace sizesheet
