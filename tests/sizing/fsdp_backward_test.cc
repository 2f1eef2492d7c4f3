// SPDX-License-Identifier: Apache-2.0
// What FSDP holds while blocks run backward: the root's gradient, gathered units, and what frozen
// units of FSDP 1 hold under reentrant checkpoints.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "sizing/sized.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kHidden = 4096;
constexpr std::int64_t kBlocks = 32;
constexpr std::int64_t kVocabulary = 128256;

/// Llama 3 8B on A100: the layout and kernels given, so many sequences of 4,096 tokens.
std::string fsdp_request(const std::string& method, const std::string& layout, int sequences) {
  return R"({"model":"llama-3-8b","gpu":"a100-80-sxm","optimizer":"adamw",
      "kernels":{"recompute":"full","attention":"flash","loss":"fused-linear","ops":"fused"},
      "workload":{"seq_len":4096,"grad_accum":1,"micro_batch":)" +
         std::to_string(sequences) + R"(},"method":)" + method + R"(,"layout":)" + layout + "}";
}

const std::string kAttentionAdapters =
    R"({"kind":"lora","rank":16,"targets":["q_proj","k_proj","v_proj","o_proj"],"dropout":0.1,
        "adapter_dtype":"fp32-autocast"},"state":"peft-fp32")";

std::string on_two_gpus(const std::string& more) {
  return R"({"gpus":2,"dp":2,"tp":1,"shard":"zero3")" + more + "}";
}

std::int64_t phase_bytes(const std::string& asked, Phase phase) {
  return ask(asked).plan.chosen.bill.phases.in(phase);
}

/// By how much the peak grows for each token more, between four and eight sequences.
double growth_per_token(const std::string& layout) {
  const std::int64_t eight =
      ask(fsdp_request(kAttentionAdapters, layout, 8)).plan.chosen.bill.allocated;
  const std::int64_t four =
      ask(fsdp_request(kAttentionAdapters, layout, 4)).plan.chosen.bill.allocated;
  return static_cast<double>(eight - four) / (4 * 4096);
}

// fms-acceleration's runs of this model grow by 774,432 bytes a token on two GPUs and by 528,672 on
// one: 30 tensors of the hidden size, 2 bytes each.
TEST(FsdpBackward, reentrant_checkpoints_hold_the_gradients_of_all_blocks_but_two) {
  const double alone = growth_per_token(R"({"gpus":1,"dp":1,"tp":1,"shard":"none"})");
  const double held = growth_per_token(on_two_gpus(R"(,"fsdp_reentrant":true)"));
  EXPECT_NEAR(held - alone, (kBlocks - 2) * 2.0 * kHidden, 2.0 * kHidden + 1)
      << "one tensor more or less: what the loss leaves for the blocks on one GPU";
  const double freed = growth_per_token(on_two_gpus(""));
  EXPECT_NEAR(freed, alone, 1) << "otherwise sharding changes nothing that grows with tokens";
}

TEST(FsdpBackward, the_first_block_finds_one_unit_gathered) {
  const std::string two =
      fsdp_request(kAttentionAdapters, on_two_gpus(R"(,"fsdp_reentrant":true)"), 8);
  const std::string one = fsdp_request(
      kAttentionAdapters, on_two_gpus(R"(,"fsdp_reentrant":true,"gather_units":1)"), 8);
  EXPECT_EQ(phase_bytes(two, Phase::kEndBackward), phase_bytes(one, Phase::kEndBackward));
  EXPECT_GT(phase_bytes(two, Phase::kBlockBackward), phase_bytes(one, Phase::kBlockBackward));
}

const std::string kTrainedWhole = R"({"kind":"full"},"state":"fsdp-mixed")";

// The head's gradient is there with either; the embedding's is not there yet.
TEST(FsdpBackward, a_gathered_embedding_adds_its_weights_while_blocks_run_backward) {
  const std::int64_t weights = 2 * kVocabulary * kHidden;
  const std::string both = fsdp_request(kTrainedWhole, on_two_gpus(R"(,"root_unsharded":2)"), 4);
  const std::string head = fsdp_request(kTrainedWhole, on_two_gpus(R"(,"root_unsharded":1)"), 4);
  EXPECT_EQ(phase_bytes(both, Phase::kBlockBackward) - phase_bytes(head, Phase::kBlockBackward),
            weights);
}

// Small blocks under a large vocabulary: the later moment, when the embedding has its gradient.
TEST(FsdpBackward, the_end_of_backward_is_the_embedding_s_where_blocks_are_small) {
  const auto small = [](const char* root) {
    const std::string layout = on_two_gpus(std::string(R"(,"root_unsharded":)") + root);
    Json asked = parse_json(fsdp_request(kTrainedWhole, layout, 1), "request");
    asked["model"] = "pythia-160m";
    asked["workload"]["seq_len"] = 64;
    return sized(asked).plan.chosen.bill.phases.in(Phase::kEndBackward);
  };
  const std::int64_t matrix = 50304 * 768;
  // Of the embedding: bf16 weights and gradient, less its fp32 gradient's shard of two ranks.
  const std::int64_t embedding = 2 * matrix + 2 * matrix - 4 * matrix / 2;
  const std::int64_t block = small("1") + embedding - small("2");
  EXPECT_GT(block, 0) << "what the first block held instead";
  EXPECT_LT(block, 2 * matrix) << "and less than the embedding's gradient";
}

}  // namespace
}  // namespace sizesheet
