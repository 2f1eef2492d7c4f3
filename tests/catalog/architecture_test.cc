// SPDX-License-Identifier: Apache-2.0
// From the keys of a config.json to blocks: every family's way, and what is refused.
#include <gtest/gtest.h>

#include "catalog/model_config.h"
#include "catalog/models/families.h"
#include "catalog/models/model.h"
#include "catalog/sample_catalog.h"

namespace sizesheet {
namespace {

/// What a published config.json holds at least.
Json published(const std::string& type) {
  return {{"model_type", type},       {"hidden_size", 64},         {"intermediate_size", 256},
          {"num_hidden_layers", 4},   {"vocab_size", 100},         {"num_attention_heads", 8},
          {"num_key_value_heads", 8}, {"torch_dtype", "bfloat16"}, {"rope_theta", 10000.0},
          {"architectures", {"X"}}};
}

std::vector<std::int64_t> counts_of(const Architecture& model) {
  std::vector<std::int64_t> counts;
  for (const BlockRun& run : model.runs) counts.push_back(run.count);
  return counts;
}

TEST(Architecture, dense_entry) {
  const Architecture model = sound(sample_model());
  ASSERT_EQ(model.runs.size(), 1U);
  EXPECT_EQ(model.layers(), 4);
  const Block& block = model.runs[0].block;
  EXPECT_EQ(block.attention->kv_heads, 2);
  EXPECT_EQ(block.mlp->width, 256);
  EXPECT_TRUE(block.mlp->gated);
  EXPECT_EQ(block.norms, 2);
}

TEST(Architecture, published_config_takes_the_defaults_of_its_family) {
  const Architecture llama = sound(published("llama"));
  EXPECT_EQ(llama.runs[0].block.attention->kv_heads, 8);
  EXPECT_EQ(llama.runs[0].block.attention->head_dim, 8);
  EXPECT_FALSE(llama.tied_head);
  EXPECT_FALSE(llama.norm_bias);

  const Attention qwen2 = *sound(published("qwen2")).runs[0].block.attention;
  EXPECT_TRUE(qwen2.qkv_bias);
  EXPECT_FALSE(qwen2.output_bias);
  EXPECT_EQ(sound(published("qwen3")).runs[0].block.attention->qk_norm, "per_head");
  EXPECT_EQ(sound(published("olmo2")).runs[0].block.attention->qk_norm, "full");
  EXPECT_EQ(sound(published("gemma2")).runs[0].block.norms, 4);
  EXPECT_TRUE(sound(published("gemma2")).tied_head);
  EXPECT_EQ(sound(published("phi3")).fused_linears,
            (std::vector<std::string>{"qkv_proj", "gate_up_proj"}));
}

TEST(Architecture, older_families_have_plain_mlps_and_biases) {
  Json config = published("gpt_neox");
  config["hidden_act"] = "gelu";
  const Architecture model = sound(config);
  const Block& block = model.runs[0].block;
  EXPECT_FALSE(block.mlp->gated);
  EXPECT_TRUE(block.mlp->bias);
  EXPECT_TRUE(block.attention->qkv_bias);
  EXPECT_TRUE(block.attention->output_bias);
  EXPECT_TRUE(model.norm_bias);
  config["attention_bias"] = false;
  EXPECT_FALSE(sound(config).runs[0].block.attention->qkv_bias);
}

TEST(Architecture, falcon_has_one_key_head_and_four_times_the_width) {
  Json config = published("falcon");
  config.erase("intermediate_size");
  config.erase("num_key_value_heads");
  config["multi_query"] = true;
  const Block block = sound(config).runs[0].block;
  EXPECT_EQ(block.attention->kv_heads, 1);
  EXPECT_EQ(block.mlp->width, 256);
  EXPECT_EQ(block.norms, 1);
  config.update({{"new_decoder_architecture", true}, {"num_kv_heads", 2}});
  EXPECT_EQ(sound(config).runs[0].block.attention->kv_heads, 2);
  EXPECT_EQ(sound(config).runs[0].block.norms, 2);
}

TEST(Architecture, unknown_types_are_refused_unless_every_trait_is_spelled_out) {
  std::string known;
  for (const std::string& type : known_model_types()) known += (known.empty() ? "" : ", ") + type;
  EXPECT_EQ(
      read_config(published("newcomer")).faults,
      std::vector<std::string>{"c:/model_type: expected one of " + known + "; got \"newcomer\""});
  EXPECT_EQ(read_config(published("lama")).faults,
            std::vector<std::string>{"c:/model_type: expected one of " + known +
                                     "; got \"lama\" (did you mean \"llama\"?)"});
  Json nothing = published("llama");
  nothing.erase("model_type");
  EXPECT_EQ(read_config(nothing).faults,
            std::vector<std::string>{"c:/model_type: expected one of " + known + "; got nothing"});
  Json entry = sample_model();
  entry["model_type"] = "newcomer";
  EXPECT_EQ(sound(entry).runs, sound(sample_model()).runs);
}

TEST(Architecture, what_is_known_but_not_counted_is_refused_with_the_reason) {
  EXPECT_EQ(read_config(published("jamba")).faults,
            std::vector<std::string>{"c:/model_type: expected a model that is counted here, got "
                                     "\"jamba\": Mamba-1 layers are not counted"});
}

TEST(Architecture, the_activation_does_not_decide_the_matrices) {
  Json config = published("llama");
  config["hidden_act"] = "relu2";
  EXPECT_TRUE(sound(config).runs[0].block.mlp->gated);
  EXPECT_FALSE(sound(published("nemotron")).runs[0].block.mlp->gated);
}

TEST(Architecture, routed_experts_by_their_published_names) {
  Json mixtral = published("mixtral");
  mixtral.update({{"num_local_experts", 8}, {"num_experts_per_tok", 2}});
  const Moe moe = *sound(mixtral).runs[0].block.moe;
  EXPECT_EQ(moe.experts, 8);
  EXPECT_EQ(moe.experts_per_token, 2);
  EXPECT_EQ(moe.expert_width, 256);
  EXPECT_EQ(moe.shared_width, 0);

  Json deepseek = published("deepseek_v3");
  deepseek.update({{"n_routed_experts", 16},
                   {"num_experts_per_tok", 4},
                   {"n_shared_experts", 2},
                   {"moe_intermediate_size", 32},
                   {"first_k_dense_replace", 1},
                   {"moe_layer_freq", 1},
                   {"q_lora_rank", nullptr},
                   {"kv_lora_rank", 16},
                   {"qk_nope_head_dim", 8},
                   {"qk_rope_head_dim", 4},
                   {"v_head_dim", 8}});
  const Architecture model = sound(deepseek);
  EXPECT_EQ(counts_of(model), (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(model.runs[0].block.mlp->width, 256);
  EXPECT_EQ(model.runs[1].block.moe->shared_width, 64);
  EXPECT_EQ(model.runs[1].block.attention->head_dim, 12);
  EXPECT_EQ(model.runs[1].block.attention->latent->query_rank, 0);
  EXPECT_EQ(model.runs[1].block.attention->latent->kv_rank, 16);
}

TEST(Architecture, experts_on_every_second_layer) {
  Json config = published("llama4_text");
  config.update({{"num_local_experts", 4},
                 {"num_experts_per_tok", 1},
                 {"interleave_moe_layer_step", 2},
                 {"intermediate_size_mlp", 512}});
  const Architecture model = sound(config);
  EXPECT_EQ(counts_of(model), (std::vector<std::int64_t>{1, 1, 1, 1}));
  EXPECT_EQ(model.runs[0].block.mlp->width, 512);
  EXPECT_EQ(model.runs[1].block.moe->expert_width, 256);
  EXPECT_EQ(model.runs[1].block.moe->shared_width, 256);
}

TEST(Architecture, gpt_oss_has_biases_and_sinks) {
  Json config = published("gpt_oss");
  config.update({{"num_local_experts", 4}, {"num_experts_per_tok", 2}});
  const Block block = sound(config).runs[0].block;
  EXPECT_TRUE(block.moe->router_bias);
  EXPECT_TRUE(block.moe->expert_bias);
  EXPECT_TRUE(block.attention->sinks);
  EXPECT_TRUE(block.attention->output_bias);
}

TEST(Architecture, hybrids_follow_their_pattern) {
  Json config = published("nemotron_h");
  config.update({{"hybrid_override_pattern", "MM*E"},
                 {"mlp_hidden_act", "relu2"},
                 {"mamba_num_heads", 4},
                 {"mamba_head_dim", 8},
                 {"n_groups", 2},
                 {"ssm_state_size", 16},
                 {"n_routed_experts", 4},
                 {"num_experts_per_tok", 2},
                 {"moe_intermediate_size", 32},
                 {"moe_latent_size", 16},
                 {"n_shared_experts", 1},
                 {"moe_shared_expert_intermediate_size", 48}});
  const Architecture model = sound(config);
  EXPECT_EQ(counts_of(model), (std::vector<std::int64_t>{2, 1, 1}));
  EXPECT_EQ(model.runs[0].block.mamba->state, 16);
  EXPECT_EQ(model.runs[0].block.norms, 1);
  EXPECT_FALSE(model.runs[0].block.attention.has_value());
  EXPECT_TRUE(model.runs[1].block.attention.has_value());
  EXPECT_EQ(model.runs[2].block.moe->latent_size, 16);
  EXPECT_EQ(model.runs[2].block.moe->shared_width, 48);
  EXPECT_FALSE(model.runs[2].block.moe->gated);
}

TEST(Architecture, hybrids_without_a_pattern_are_refused) {
  Json config = published("llama");
  config["mamba_n_heads"] = 4;
  EXPECT_EQ(read_config(config).faults,
            std::vector<std::string>{"c:/mamba_n_heads: blocks of this kind are read from "
                                     "hybrid_pattern only, got nothing there"});
}

TEST(Architecture, blocks_of_a_searched_architecture) {
  Json listed = published("nemotron-nas");
  listed["blocks"] =
      Json::parse(R"([{"attention": true, "kv_heads": 4, "mlp_width": 128, "count": 1},
    {"attention": false, "mlp_width": 64, "count": 2}, {"attention": true, "count": 1}])");
  const Architecture model = sound(listed);
  EXPECT_EQ(counts_of(model), (std::vector<std::int64_t>{1, 2, 1}));
  EXPECT_EQ(model.runs[0].block.norms, 2);
  EXPECT_EQ(model.runs[1].block.norms, 1);
  EXPECT_FALSE(model.runs[1].block.attention.has_value());
  EXPECT_EQ(model.runs[2].block.attention->kv_heads, 8);
  EXPECT_FALSE(model.runs[2].block.mlp.has_value());

  Json configured = published("nemotron-nas");
  configured.erase("intermediate_size");
  configured.update({{"hidden_size", 8192}, {"num_attention_heads", 64}, {"num_hidden_layers", 2}});
  configured["block_configs"] = Json::parse(R"([
    {"attention": {"n_heads_in_group": 8, "no_op": false}, "ffn": {"ffn_mult": 5.25, "no_op": false}},
    {"attention": {"n_heads_in_group": null, "no_op": true}, "ffn": {"ffn_mult": 1.3125}}])");
  const Architecture nas = sound(configured);
  EXPECT_EQ(nas.runs[0].block.attention->kv_heads, 8);
  EXPECT_EQ(nas.runs[0].block.mlp->width, 28672);
  EXPECT_EQ(nas.runs[1].block.mlp->width, 7168);
}

TEST(Architecture, the_text_part_of_a_model_with_a_tower) {
  Json config = {{"model_type", "llama4"}, {"vision_config", Json::object()}};
  config["text_config"] = published("llama");
  EXPECT_EQ(sound(config).layers(), 4);
  config["text_config"].erase("vocab_size");
  EXPECT_EQ(
      read_config(config).faults,
      std::vector<std::string>{"c:/text_config/vocab_size: expected an integer, got nothing"});
}

TEST(Architecture, what_a_shape_must_have) {
  Json config = published("llama");
  config.erase("intermediate_size");
  EXPECT_EQ(read_config(config).faults,
            std::vector<std::string>{"c:/intermediate_size: expected an integer, got nothing"});
  Json heads = published("llama");
  heads["num_attention_heads"] = 7;
  heads["num_key_value_heads"] = 7;
  EXPECT_EQ(read_config(heads).faults,
            std::vector<std::string>{"c:/num_attention_heads: expected a divisor of hidden_size 64 "
                                     "where head_dim is left out, got 7"});
}

}  // namespace
}  // namespace sizesheet
