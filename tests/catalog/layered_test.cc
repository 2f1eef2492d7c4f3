// SPDX-License-Identifier: Apache-2.0
// Families whose layers differ: what each layer is made of, and what is refused by name.
#include <gtest/gtest.h>

#include "catalog/model_config.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

/// A catalog entry's own config.
Json shipped_config(const std::string& id) { return project_catalog().model(id).raw.at("config"); }

Texts faults_with(const std::string& id, const Json& patch) {
  Json config = shipped_config(id);
  config.merge_patch(patch);
  return read_config(config).faults;
}

const Block& block_of(const Architecture& model, std::int64_t layer) {
  for (const BlockRun& run : model.runs) {
    if (layer < run.count) return run.block;
    layer -= run.count;
  }
  throw std::logic_error("no such layer");
}

TEST(Layered, every_fourth_layer_of_qwen_has_gated_attention_the_others_a_delta_net) {
  const Architecture model = sound(shipped_config("qwen3.5-27b"));
  EXPECT_EQ(model.layers(), 64);
  const LinearAttention linear{16, 48, 128, 128, 4, false};
  EXPECT_EQ(block_of(model, 2).linear, linear);
  EXPECT_FALSE(block_of(model, 2).attention);
  EXPECT_EQ(block_of(model, 3).attention->gate, 24 * 256);
  EXPECT_FALSE(block_of(model, 3).linear);
  EXPECT_TRUE(block_of(sound(shipped_config("qwen3-next-80b-a3b")), 0).linear->fused_inputs);
}

TEST(Layered, gemma_shares_keys_and_widens_heads_layer_by_layer) {
  const Architecture small = sound(shipped_config("gemma-4-e4b"));
  EXPECT_EQ(block_of(small, 0).attention->window, 512);
  EXPECT_EQ(block_of(small, 5).attention->head_dim, 512);
  EXPECT_FALSE(block_of(small, 23).attention->shares_kv);
  EXPECT_TRUE(block_of(small, 24).attention->shares_kv);
  EXPECT_EQ(small.per_layer_columns(), 42 * 256);
  const Block routed = block_of(sound(shipped_config("gemma-4-26b-a4b")), 5);
  EXPECT_TRUE(routed.attention->keys_are_values);
  EXPECT_EQ(routed.attention->kv_heads, 2);
  EXPECT_EQ(routed.mlp->width, 2112);
  EXPECT_EQ(routed.moe->experts, 128);
  EXPECT_EQ(routed.norms, 7);
}

TEST(Layered, an_indexer_may_be_another_layers) {
  const Architecture model = sound(shipped_config("glm-5.2"));
  std::int64_t owned = 0;
  for (const BlockRun& run : model.runs) {
    ASSERT_TRUE(run.block.attention->indexer);
    owned += run.block.attention->indexer->owned ? run.count : 0;
  }
  EXPECT_EQ(owned, 21);
  EXPECT_EQ(block_of(sound(shipped_config("minimax-m3")), 3).attention->indexer->positions, 2048);
  EXPECT_FALSE(block_of(sound(shipped_config("minimax-m3")), 2).attention->indexer);
}

TEST(Layered, windows_have_heads_of_their_own) {
  const Architecture mimo = sound(shipped_config("mimo-v2-flash"));
  EXPECT_EQ(block_of(mimo, 1).attention->kv_heads, 8);
  EXPECT_TRUE(block_of(mimo, 1).attention->sinks);
  EXPECT_EQ(block_of(mimo, 0).attention->kv_heads, 4);
  EXPECT_EQ(block_of(mimo, 0).attention->value_width(), 64 * 128);
  const Architecture step = sound(shipped_config("step-3.7-flash"));
  EXPECT_EQ(block_of(step, 1).attention->heads, 96);
  EXPECT_EQ(block_of(step, 1).attention->gate, 96);
  EXPECT_TRUE(block_of(step, 2).mlp);
  EXPECT_TRUE(block_of(step, 3).moe);
  EXPECT_EQ(block_of(sound(shipped_config("laguna-xs.2")), 1).attention->heads, 64);
}

TEST(Layered, mixers_and_convolutions_stand_beside_or_in_the_place_of_attention) {
  const Architecture falcon = sound(shipped_config("falcon-h1-0.5b"));
  ASSERT_EQ(falcon.runs.size(), 1U);
  EXPECT_TRUE(falcon.runs[0].block.attention && falcon.runs[0].block.mamba);
  EXPECT_FALSE(falcon.runs[0].block.mamba->gated_norm);
  const Block granite = block_of(sound(shipped_config("granite-4.0-h-tiny")), 0);
  EXPECT_TRUE(granite.mamba && granite.moe && !granite.attention);
  EXPECT_EQ(granite.moe->shared_width, 1024);
  const Block lfm = block_of(sound(shipped_config("lfm2-1.2b")), 0);
  EXPECT_EQ(lfm.convolution->kernel, 3);
  EXPECT_EQ(lfm.mlp->width, 8192);
}

TEST(Layered, lists_have_one_word_a_layer) {
  const std::string types = "c:/layer_types: expected ";
  EXPECT_EQ(faults_with("qwen3.5-0.8b", {{"layer_types", {"full_attention"}}}),
            Texts{types + "24 words, one a layer, got 1"});
  EXPECT_EQ(faults_with("granite-4.0-h-1b", {{"num_hidden_layers", 1}, {"layer_types", {"conv"}}}),
            Texts{types + "mamba, attention, got \"conv\""});
  EXPECT_EQ(faults_with("mimo-v2-flash", {{"hybrid_layer_pattern", {0, 1}}}),
            Texts{"c:/hybrid_layer_pattern: expected 48 of 0 and 1, one a layer, got 2"});
  EXPECT_EQ(faults_with("laguna-xs.2", {{"num_attention_heads_per_layer", {48}}}),
            Texts{"c:/num_attention_heads_per_layer: expected 40 integers, one a layer, got 1"});
}

TEST(Layered, places_of_experts_are_those_of_layers) {
  EXPECT_EQ(faults_with("mimo-v2-flash", {{"moe_layer_freq", {0, 1}}}),
            Texts{"c:/moe_layer_freq: expected 48 of 0 and 1, one a layer, got 2"});
  EXPECT_EQ(faults_with("step-3.7-flash", {{"moe_layers_enum", "3,4-44"}}),
            Texts{"c:/moe_layers_enum: expected numbers of layers with commas between, got "
                  "\"4-44\""});
}

TEST(Layered, heads_of_every_layer_share_keys_evenly) {
  EXPECT_EQ(faults_with("mimo-v2-flash", {{"swa_num_attention_heads", 63}}),
            Texts{"c: expected in every layer key-value heads that divide its 63 query heads, got "
                  "8"});
}

TEST(Layered, what_does_not_fit_together_is_refused) {
  EXPECT_EQ(faults_with("qwen3.5-27b", {{"linear_num_value_heads", 20}}),
            Texts{"c:/linear_num_value_heads: expected a multiple of linear_num_key_heads 16, got "
                  "20"});
  EXPECT_EQ(faults_with("deepseek-v3.2", {{"q_lora_rank", 0}}),
            Texts{"c:/q_lora_rank: expected an integer of at least 1, which the indexer reads, got "
                  "0"});
  EXPECT_EQ(faults_with("falcon-h1-0.5b", {{"mamba_proj_bias", true}}),
            Texts{"c:/mamba_proj_bias: expected false, got true: biases on the projections of "
                  "Mamba are not modelled"});
  const std::string counted = "c:/model_type: expected a model that is counted here, got ";
  EXPECT_EQ(read_config({{"model_type", "deepseek_v4"}, {"hidden_size", 64}}).faults,
            Texts{counted + "\"deepseek_v4\": its compressed attention and hyper-connections are "
                            "not counted"});
  EXPECT_EQ(read_config({{"model_type", "kimi_linear"}, {"hidden_size", 64}}).faults,
            Texts{counted + "\"kimi_linear\": its Kimi delta attention is not counted"});
}

}  // namespace
}  // namespace sizesheet
