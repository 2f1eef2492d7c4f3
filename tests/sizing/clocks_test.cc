// SPDX-License-Identifier: Apache-2.0
// Each clock of a step against what it must do when one thing about the job changes.
#include "sizing/time/clocks.h"

#include <gtest/gtest.h>

#include "sizing/estimate.h"
#include "sizing/sized.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

Throughput speed_of(const char* base, const char* patch = "{}") {
  Json request = parse_json(base, "request");
  request.merge_patch(parse_json(patch, "patch"));
  const Sizing sizing = sized(request);
  if (!sizing.speed) throw InputError("no speed");
  return *sizing.speed;
}

StepClocks clocks_of(const char* base, const char* patch = "{}") {
  return speed_of(base, patch).clocks;
}

const char* const kFull =
    R"({"model":"llama-3.1-8b","gpu":"h100-sxm","method":{"kind":"full"},"state":"pure-bf16",
        "kernels":{"recompute":"none","loss":"fused-linear","ops":"fused"},
        "workload":{"seq_len":4096,"micro_batch":1},"layout":{"gpus":1,"dp":1,"tp":1}})";
const char* const kLora =
    R"({"model":"llama-3.1-8b","gpu":"a100-80-sxm","method":{"kind":"lora","rank":16},
        "kernels":{"recompute":"full","loss":"hf-amp","ops":"eager"},
        "workload":{"seq_len":2048,"micro_batch":1},"layout":{"gpus":1,"dp":1,"tp":1}})";

/// Stages of 1, 1, 1 and 1.5 take 27 for 16 micro-batches: one path of 4.5, and 15 times 1.5.
TEST(Clocks, an_uneven_pipeline_waits_for_its_longest_stage) {
  const auto bubble = [](const char* layout) {
    return speed_of(R"({"model": "size-7b", "gpu": "h100-sxm", "method": {"kind": "full"},
        "state": "megatron", "workload": {"grad_accum": 16}})",
                    layout)
        .clocks.pipeline;
  };
  const double even = bubble(R"({"layout": {"dp": 1, "tp": 2, "pp": 4}})");
  // Of 32 layers 7, 7, 7 and 11: the longest has 1.375 of a mean stage, an even path has 3 to wait.
  const double uneven = bubble(R"({"layout": {"dp": 1, "tp": 2, "pp": 4, "last_layers": 11}})");
  EXPECT_NEAR(uneven / even, (3 + 15 * 0.375) / 3, 1e-9);
}

TEST(Clocks, they_add_up_to_the_speed) {
  for (const char* base : {kFull, kLora}) {
    const Throughput speed = speed_of(base, R"({"workload":{"seq_len":2048,"grad_accum":3}})");
    double total = 0;
    for (const auto& [name, title, seconds] : named(speed.clocks)) {
      EXPECT_GE(seconds, 0) << name;
      total += seconds;
    }
    EXPECT_DOUBLE_EQ(total, speed.clocks.total());
    EXPECT_NEAR(speed.tokens_per_second_per_gpu * total, 3 * 2048, 1e-6);
  }
}

TEST(Clocks, twice_the_sequences_take_twice_the_computing_and_a_little_less) {
  const StepClocks one = clocks_of(kFull);
  const StepClocks two = clocks_of(kFull, R"({"workload":{"micro_batch":2}})");
  EXPECT_DOUBLE_EQ(two.attention, 2 * one.attention);
  EXPECT_DOUBLE_EQ(two.memory, 2 * one.memory);
  EXPECT_DOUBLE_EQ(two.optimizer, one.optimizer);
  EXPECT_LT(two.matmul, 2 * one.matmul);  // a fuller card
  EXPECT_GT(two.matmul, 1.9 * one.matmul);
}

TEST(Clocks, twice_the_length_takes_four_times_the_attention) {
  const StepClocks one = clocks_of(kFull);
  const StepClocks two = clocks_of(kFull, R"({"workload":{"seq_len":8192}})");
  EXPECT_DOUBLE_EQ(two.attention, 4 * one.attention);
}

TEST(Clocks, accumulated_micro_batches_repeat_all_but_the_optimizer) {
  const StepClocks one = clocks_of(kFull);
  const StepClocks four = clocks_of(kFull, R"({"workload":{"grad_accum":4}})");
  EXPECT_DOUBLE_EQ(four.matmul, 4 * one.matmul);
  EXPECT_DOUBLE_EQ(four.launch, 4 * one.launch);
  EXPECT_DOUBLE_EQ(four.optimizer, one.optimizer);
}

TEST(Clocks, one_gpu_exchanges_nothing) {
  const StepClocks clocks = clocks_of(kFull);
  EXPECT_EQ(clocks.exchange + clocks.tensor + clocks.expert + clocks.context + clocks.pipeline +
                clocks.offload,
            0);
}

TEST(Clocks, recomputation_costs_a_forward_pass) {
  const StepClocks kept = clocks_of(kFull);
  const StepClocks rebuilt = clocks_of(kFull, R"({"kernels":{"recompute":"full"}})");
  // Without the head, which is not run again: 4 of 3 for the blocks, 4.5 of 3.5 for attention.
  EXPECT_GT(rebuilt.matmul / kept.matmul, 1.30);
  EXPECT_LT(rebuilt.matmul / kept.matmul, 4.0 / 3);
  EXPECT_DOUBLE_EQ(rebuilt.attention, kept.attention * 4.5 / 3.5);
  const StepClocks attention = clocks_of(kFull, R"({"kernels":{"recompute":["core_attn"]}})");
  EXPECT_DOUBLE_EQ(attention.attention, rebuilt.attention);
  EXPECT_DOUBLE_EQ(attention.matmul, kept.matmul);
}

TEST(Clocks, a_frozen_base_saves_the_gradients_of_its_weights) {
  const StepClocks full = clocks_of(kLora, R"({"method":{"kind":"full","rank":null}})");
  const StepClocks lora = clocks_of(kLora);
  EXPECT_GT(lora.matmul / full.matmul, 0.75);  // 6 operations of 8 with recomputation, and adapters
  EXPECT_LT(lora.matmul / full.matmul, 0.80);
  EXPECT_GT(lora.adapters, 0);
  EXPECT_EQ(full.adapters, 0);
}

TEST(Clocks, a_quantised_base_is_slower_by_its_dequantising) {
  const Throughput lora = speed_of(kLora);
  const Throughput qlora = speed_of(kLora, R"({"method":{"kind":"qlora"}})");
  EXPECT_LT(qlora.tokens_per_second_per_gpu, lora.tokens_per_second_per_gpu);
  EXPECT_GT(qlora.clocks.dequantise, 0);
  EXPECT_EQ(lora.clocks.dequantise, 0);
  EXPECT_DOUBLE_EQ(qlora.clocks.matmul, lora.clocks.matmul);
}

/// What the branches of kLora's adapters, on every projection, add for `bytes` per input and
/// `out_bytes` per output of a pass.
double widening_seconds(double bytes, double out_bytes) {
  const double inputs = 32 * (4 * 4096 + 2 * 4096 + 14336);
  const double outputs = 32 * (2 * 4096 + 2 * 1024 + 2 * 14336 + 4096);
  const double passes = 3;  // forward, again, backward
  return 2048 * passes * (inputs * bytes + outputs * out_bytes) / (0.8 * 2039e9);
}

const char* const kAutocast = R"({"method":{"adapter_dtype":"fp32-autocast"}})";

TEST(Clocks, adapters_in_32_bits_move_wider_tensors) {
  const double narrow = clocks_of(kLora).adapters;
  const double cast = clocks_of(kLora, kAutocast).adapters;
  const double wide = clocks_of(kLora, R"({"method":{"adapter_dtype":"fp32"}})").adapters;
  EXPECT_NEAR(cast - narrow, widening_seconds(12, 0), 1e-9);
  EXPECT_NEAR(wide - narrow, widening_seconds(12, 12), 1e-9);
  const char* const dropped = R"({"method":{"adapter_dtype":"fp32-autocast","dropout":0.1}})";
  EXPECT_NEAR(clocks_of(kLora, dropped).adapters - cast, widening_seconds(4, 0), 1e-9);
}

TEST(Clocks, four_bit_layers_under_autocast_cast_after_kbit_preparation_only) {
  const char* const qlora = R"({"method":{"kind":"qlora","adapter_dtype":"fp32-autocast"}})";
  const char* const prepared =
      R"({"method":{"kind":"qlora","adapter_dtype":"fp32-autocast","kbit_prep":true}})";
  EXPECT_DOUBLE_EQ(clocks_of(kLora, qlora).adapters, clocks_of(kLora).adapters);
  EXPECT_DOUBLE_EQ(clocks_of(kLora, prepared).adapters, clocks_of(kLora, kAutocast).adapters);
  // Beyond the casts around the products, what the blocks keep is about twice as wide.
  const double casts = widening_seconds(6, 6);
  const double plain = clocks_of(kLora, qlora).memory;
  EXPECT_GT(clocks_of(kLora, prepared).memory, 1.3 * plain + casts);
  EXPECT_LT(clocks_of(kLora, prepared).memory, 2 * plain + casts);
}

TEST(Clocks, a_loop_over_experts_runs_plain_products) {
  const char* const eager = R"({"model":"mixtral-8x7b"})";
  const char* const grouped = R"({"model":"mixtral-8x7b","kernels":{"ops":"fused"}})";
  const double loop = clocks_of(kLora, eager).matmul;
  EXPECT_GT(loop, 0.57 * clocks_of(kLora, grouped).matmul);
  EXPECT_LT(loop, 0.65 * clocks_of(kLora, grouped).matmul);
}

TEST(Clocks, fsdp_1_gathers_adapters_one_by_one) {
  const char* const blocks =
      R"({"layout":{"gpus":2,"dp":2,"shard":"zero3"},"workload":{"micro_batch":2}})";
  const char* const units =
      R"({"layout":{"gpus":2,"dp":2,"shard":"zero3","fsdp_reentrant":true},
          "workload":{"micro_batch":2}})";
  const char* const longer =
      R"({"layout":{"gpus":2,"dp":2,"shard":"zero3","fsdp_reentrant":true},
          "workload":{"micro_batch":32}})";
  EXPECT_LT(clocks_of(kLora, blocks).launch, 0.1);
  EXPECT_GT(clocks_of(kLora, units).launch, 0.5);  // 448 units, three times, 2 ms each: 2.7 s
  EXPECT_LT(clocks_of(kLora, units).launch, 2.7);
  EXPECT_LT(clocks_of(kLora, longer).launch, 0.02 * clocks_of(kLora, longer).total());
}

TEST(Clocks, short_batches_wait_for_launches) {
  const StepClocks brief = clocks_of(kLora, R"({"workload":{"seq_len":256}})");
  const StepClocks longer = clocks_of(kLora, R"({"workload":{"seq_len":8192}})");
  EXPECT_GT(brief.launch, 0.3 * brief.total());
  EXPECT_LT(longer.launch, 0.01 * longer.total());
  Throughput speed;
  speed.clocks = longer;
  EXPECT_EQ(bound_by(speed), "matrix products");
}

TEST(Clocks, offloading_is_slower_than_none) {
  const char* const sharded = R"({"layout":{"gpus":8,"dp":8,"shard":"zero3","offload":"none"}})";
  const char* const optimizer =
      R"({"layout":{"gpus":8,"dp":8,"shard":"zero3","offload":"optimizer"}})";
  const char* const all = R"({"layout":{"gpus":8,"dp":8,"shard":"zero3","offload":"all"}})";
  EXPECT_GT(clocks_of(kFull, optimizer).offload, clocks_of(kFull, sharded).optimizer);
  EXPECT_GT(clocks_of(kFull, all).exchange, clocks_of(kFull, optimizer).exchange);
  EXPECT_EQ(clocks_of(kFull, optimizer).optimizer, 0);
}

TEST(Clocks, the_bubble_is_stages_less_one_over_micro_batches) {
  const char* const stages = R"({"layout":{"gpus":4,"dp":1,"pp":4},"workload":{"grad_accum":8}})";
  const StepClocks clocks = clocks_of(kFull, stages);
  const double busy = clocks.total() - clocks.pipeline - clocks.optimizer;
  EXPECT_NEAR(clocks.pipeline, busy * 3 / 8, 1e-9);
}

TEST(Clocks, frozen_weights_are_gathered_only_where_they_are_sharded) {
  const StepClocks copied = clocks_of(kLora, R"({"layout":{"gpus":8,"dp":8,"shard":"none"}})");
  const StepClocks sharded = clocks_of(kLora, R"({"layout":{"gpus":8,"dp":8,"shard":"zero3"}})");
  EXPECT_GT(sharded.exchange, 5 * copied.exchange);
}

TEST(Clocks, a_ring_that_shares_its_node_has_fewer_network_cards) {
  const char* const wide = R"({"layout":{"gpus":32,"dp":32,"tp":1,"shard":"zero3"}})";
  const char* const split = R"({"layout":{"gpus":32,"dp":4,"tp":8,"shard":"zero3"}})";
  EXPECT_GT(clocks_of(kFull, split).tensor, 0);
  // An eighth of the parameters over an eighth of the cards: the same time on the links, and less
  // computing to hide it.
  EXPECT_GT(clocks_of(kFull, split).exchange, 0.5 * clocks_of(kFull, wide).exchange);
}

TEST(Clocks, attention_with_a_bias_is_slower) {
  const char* const mpt =
      R"({"model":{"model_type":"mpt","d_model":4096,"n_layers":32,"n_heads":32,
          "expansion_ratio":4,"vocab_size":50368}})";
  const char* const llama =
      R"({"model":{"model_type":"llama","hidden_size":4096,"num_hidden_layers":32,
          "num_attention_heads":32,"intermediate_size":11008,"vocab_size":50368,
          "max_position_embeddings":4096}})";
  const double factor = project_catalog().engine.current.value("throughput.biased_attention");
  EXPECT_NEAR(clocks_of(kFull, llama).attention, factor * clocks_of(kFull, mpt).attention, 1e-9);
}

}  // namespace
}  // namespace sizesheet
