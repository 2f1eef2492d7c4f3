// SPDX-License-Identifier: Apache-2.0
// What keys of number types, of modules and of uneven splits count: bytes worked by hand, and
// clocks that must move by the stated share.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "sizing/memory/pieces.h"
#include "sizing/sized.h"
#include "sizing/time/clocks.h"

namespace sizesheet {
namespace {

// Llama 3 8B: 32 layers of 218,103,808 parameters in projections; embedding and head 128,256 x
// 4,096 each; 65 norms of 4,096.
constexpr std::int64_t kProjections = 32LL * 218103808;
constexpr std::int64_t kOthers = 2LL * 128256 * 4096 + 65LL * 4096;

Sizing with(const std::string& patch) {
  Json request = parse_json(R"({"model":"llama-3-8b","gpu":"h100-sxm",
      "method":{"kind":"lora","rank":16,"targets":"attention"},"state":"megatron",
      "kernels":{"recompute":"none","loss":"vocab-parallel","ops":"fused"},
      "workload":{"seq_len":8192,"micro_batch":1},"layout":{"gpus":1,"dp":1,"tp":1}})",
                            "request");
  request.merge_patch(parse_json(patch, "patch"));
  return sized(request);
}

std::int64_t weights(const std::string& patch) {
  return with(patch).plan.chosen.bill.of(Term::kWeights);
}

TEST(NumberTypes, a_base_in_fp8_is_a_byte_a_projection_and_one_for_its_transpose) {
  EXPECT_EQ(weights("{}"), 2 * (kProjections + kOthers));
  EXPECT_EQ(weights(R"({"method":{"base":"fp8"},"kernels":{"precision":"fp8"}})"),
            2 * (kProjections + kOthers));
  EXPECT_EQ(weights(R"({"method":{"base":"fp8","transpose_cache":false},
                        "kernels":{"precision":"fp8"}})"),
            kProjections + 2 * kOthers);
}

TEST(NumberTypes, skipped_modules_stay_in_16_bits) {
  const std::string nf4 = R"({"state":"peft-fp32","method":{"kind":"qlora","double_quant":false)";
  const std::int64_t plain = weights(nf4 + "}}");
  const std::int64_t kept = weights(nf4 + R"(,"skip_modules":["model.layers.3.mlp.down_proj"]}})");
  // 4 bits and an fp32 absmax for every 64 weights: 0.5625 bytes.
  EXPECT_EQ(kept - plain, static_cast<std::int64_t>(14336.0 * 4096 * (2 - 0.5625)));
}

/// Bytes a token and layer, whatever the peak: activations of 8,192 tokens over 32 layers.
double kept_per_layer(const std::string& patch) {
  return static_cast<double>(with(patch).plan.chosen.bill.of(Term::kActivations)) / 8192 / 32;
}

TEST(NumberTypes, inputs_of_the_activation_in_fp8_and_packed_projections) {
  const double plain = kept_per_layer(R"({"kernels":{"precision":"fp8"}})");
  EXPECT_NEAR(plain - kept_per_layer(R"({"kernels":{"precision":"fp8","activation_input":"fp8"}})"),
              2 * 14336, 0.01);
  EXPECT_NEAR(kept_per_layer(R"({"kernels":{"packed_qkv":true}})") - kept_per_layer("{}"),
              2 * (4096 + 1024), 0.01);
}

TEST(NumberTypes, layers_that_are_not_recomputed_keep_everything) {
  const double none = kept_per_layer("{}");
  const double full = kept_per_layer(R"({"kernels":{"recompute":"full"}})");
  const double quarter = kept_per_layer(R"({"kernels":{"recompute":"full","recompute_layers":8}})");
  EXPECT_NEAR(quarter, none - (none - full) / 4, 0.01 * none);
  const double half =
      with(R"({"kernels":{"recompute":"full","recompute_layers":16}})").speed->clocks.attention;
  EXPECT_NEAR(half, with("{}").speed->clocks.attention * (3.5 + 0.5) / 3.5, 1e-9);
}

TEST(NumberTypes, uneven_stages_hold_every_layer_once_and_the_longest_sets_the_pace) {
  Job job = with(R"({"gpu":null,"layout":{"gpus":4,"dp":1,"tp":1,"pp":4,"first_layers":7,
                     "last_layers":5}})")
                .plan.chosen.job;
  std::int64_t next = 0;
  for (const std::int64_t expected : {7, 10, 10, 5}) {
    const std::int64_t chunk = next == 0 ? 0 : next == 7 ? 1 : next == 17 ? 2 : 3;
    const LayerRange range = chunk_range(job, chunk);
    EXPECT_EQ(range.from, next);
    EXPECT_EQ(range.count, expected);
    next += range.count;
  }
  EXPECT_EQ(next, 32);
  const char* const even = R"({"layout":{"gpus":4,"pp":4},"workload":{"grad_accum":8}})";
  const char* const uneven =
      R"({"layout":{"gpus":4,"pp":4,"first_layers":7,"last_layers":5},"workload":{"grad_accum":8}})";
  const StepClocks balanced = with(even).speed->clocks;
  const double busy = balanced.total() - balanced.pipeline - balanced.optimizer;
  // All of eight micro-batches but one wait a quarter longer.
  EXPECT_NEAR(with(uneven).speed->clocks.pipeline - balanced.pipeline, busy * 7 / 8 * 0.25,
              0.01 * busy);
}

TEST(NumberTypes, samples_in_a_pack_attend_to_themselves) {
  EXPECT_NEAR(with(R"({"workload":{"sample_length":2048}})").speed->clocks.attention,
              with("{}").speed->clocks.attention / 4, 1e-9);
}

TEST(NumberTypes, context_parallelism_and_slow_ranks_cost_their_share) {
  const StepClocks alone = with(R"({"layout":{"gpus":2,"dp":2}})").speed->clocks;
  const StepClocks sliced = with(R"({"layout":{"gpus":2,"dp":1,"cp":2}})").speed->clocks;
  EXPECT_EQ(alone.context, 0);
  EXPECT_NEAR(sliced.context, 0.125 * (sliced.matmul + sliced.attention), 1e-9);
  const auto exchange = [](int ranks) {
    const std::string count = std::to_string(ranks);
    return with(R"({"layout":{"gpus":)" + count + R"(,"dp":)" + count + R"(,"shard":"zero1"}})")
        .speed->clocks;
  };
  const StepClocks wide = exchange(64);
  EXPECT_GT(wide.exchange - exchange(16).exchange, 0.029 * (wide.total() - wide.exchange));
}

TEST(NumberTypes, hooks_of_zero_3_run_beside_the_kernels) {
  const std::string deepspeed = R"({"state":"deepspeed","layout":{"shard":"zero3"},
                                    "workload":{"seq_len":)";
  // 32 layers of 7 projections, 2 norms and 8 matrices of adapters, embedding, norm and head, two
  // passes of 150 us each.
  const double hooks = (32 * (7 + 2 + 8) + 3) * 2 * 150e-6;
  const StepClocks brief = with(deepspeed + "64}}").speed->clocks;
  EXPECT_NEAR(brief.total() - brief.optimizer, hooks, 1e-6);
  EXPECT_LT(with(deepspeed + "16384}}").speed->clocks.launch, 0.01 * hooks);
}

}  // namespace
}  // namespace sizesheet
