// SPDX-License-Identifier: Apache-2.0
// Keys that decide a family's parts, and keys that would make it a model that is not counted here.
#include "catalog/models/families.h"

#include <gtest/gtest.h>

#include "catalog/model_config.h"
#include "catalog/models/model.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

Json config_of(const std::string& type) {
  return {{"model_type", type},       {"hidden_size", 64},
          {"intermediate_size", 256}, {"num_hidden_layers", 4},
          {"num_attention_heads", 8}, {"num_key_value_heads", 8},
          {"vocab_size", 100},        {"max_position_embeddings", 512}};
}

Json gpt2_config() {
  return {{"model_type", "gpt2"}, {"n_embd", 64},      {"n_layer", 2},
          {"n_head", 8},          {"vocab_size", 100}, {"n_positions", 32}};
}

Json mpt_config() {
  return {
      {"model_type", "mpt"}, {"d_model", 64}, {"n_layers", 2}, {"n_heads", 8}, {"vocab_size", 100}};
}

Json with(Json config, const Json& keys) {
  config.update(keys, true);
  return config;
}

Texts refusal(const Json& config) { return read_config(config).faults; }

TEST(Families, missing_keys_go_by_the_name_their_family_gives_them) {
  Json config = gpt2_config();
  config.erase("n_embd");
  EXPECT_EQ(refusal(config), Texts{"c:/n_embd: expected an integer, got nothing"});
  Json positions = gpt2_config();
  positions.erase("n_positions");
  EXPECT_EQ(refusal(positions), Texts{"c:/n_positions: expected an integer, got nothing"});
  Json heads = config_of("mistral");
  heads.erase("num_key_value_heads");
  EXPECT_EQ(refusal(heads), Texts{"c:/num_key_value_heads: expected an integer, got nothing"});
}

TEST(Families, two_names_of_one_key_must_agree) {
  EXPECT_EQ(refusal(with(gpt2_config(), {{"hidden_size", 128}})),
            Texts{"c:/n_embd: expected the same as hidden_size, 128, got 64"});
  EXPECT_EQ(sound(with(gpt2_config(), {{"hidden_size", 64}})).hidden, 64);
}

TEST(Families, tables_of_positions) {
  EXPECT_EQ(sound(gpt2_config()).learned_positions, 32);
  EXPECT_EQ(sound(with(config_of("opt"), {{"ffn_dim", 256}})).learned_positions, 514);
  EXPECT_EQ(sound(mpt_config()).learned_positions, 0);
  const Json no_alibi = with(mpt_config(), {{"attn_config", {{"alibi", false}}}});
  EXPECT_EQ(sound(no_alibi).learned_positions, 2048);
  EXPECT_EQ(sound(with(no_alibi, {{"max_seq_len", 64}})).learned_positions, 64);
  EXPECT_EQ(sound(with(no_alibi, {{"learned_pos_emb", false}})).learned_positions, 0);
  EXPECT_EQ(sound(with(no_alibi, {{"attn_config", {{"rope", true}}}})).learned_positions, 0);
}

TEST(Families, mpt_says_its_kind_in_objects_of_its_own) {
  const Json grouped =
      with(mpt_config(),
           {{"attn_config", {{"attn_type", "grouped_query_attention"}, {"kv_n_heads", 2}}}});
  EXPECT_EQ(sound(grouped).runs[0].block.attention->kv_heads, 2);
  Json without = grouped;
  without["attn_config"].erase("kv_n_heads");
  EXPECT_EQ(refusal(without), Texts{"c:/attn_config/kv_n_heads: expected an integer, got nothing"});
  const Json one = with(mpt_config(), {{"attn_config", {{"attn_type", "multiquery_attention"}}}});
  EXPECT_EQ(sound(one).runs[0].block.attention->kv_heads, 1);
  EXPECT_EQ(sound(with(mpt_config(), {{"attn_config", {{"qk_ln", true}}}}))
                .runs[0]
                .block.attention->qk_norm,
            "full");
  EXPECT_EQ(sound(with(mpt_config(), {{"expansion_ratio", 3}})).runs[0].block.mlp->width, 192);
  const Architecture biased = sound(with(mpt_config(), {{"no_bias", false}}));
  EXPECT_TRUE(biased.norm_bias);
  EXPECT_TRUE(biased.runs[0].block.mlp->bias);
  EXPECT_EQ(refusal(with(mpt_config(), {{"attn_config", {{"attn_type", "linear"}}}})),
            Texts{"c:/attn_config/attn_type: expected \"multihead_attention\" or "
                  "\"multiquery_attention\" or \"grouped_query_attention\", got \"linear\": "
                  "attention of another kind is not modelled"});
}

TEST(Families, falcon_counts_its_norms_and_heads_by_its_layout) {
  Json config = {{"model_type", "falcon"},   {"hidden_size", 64}, {"num_hidden_layers", 2},
                 {"num_attention_heads", 8}, {"vocab_size", 100}, {"num_kv_heads", 4}};
  EXPECT_EQ(sound(config).runs[0].block.attention->kv_heads, 1);
  EXPECT_EQ(sound(config).runs[0].block.norms, 1);
  config["multi_query"] = false;
  EXPECT_EQ(sound(config).runs[0].block.attention->kv_heads, 4);
  config["new_decoder_architecture"] = true;
  EXPECT_EQ(sound(config).runs[0].block.norms, 2);
  config["num_ln_in_parallel_attn"] = 1;
  EXPECT_EQ(sound(config).runs[0].block.norms, 1);
  config["parallel_attn"] = false;
  EXPECT_EQ(sound(config).runs[0].block.norms, 2);
}

TEST(Families, biases_reach_as_far_as_each_family_lets_them) {
  const Attention llama =
      *sound(with(config_of("llama"), {{"attention_bias", true}})).runs[0].block.attention;
  EXPECT_TRUE(llama.qkv_bias && llama.output_bias);
  const Attention glm =
      *sound(with(config_of("glm4"), {{"attention_bias", true}})).runs[0].block.attention;
  EXPECT_TRUE(glm.qkv_bias);
  EXPECT_FALSE(glm.output_bias);
  const Attention neo = *sound(config_of("gpt_neo")).runs[0].block.attention;
  EXPECT_FALSE(neo.qkv_bias);
  EXPECT_TRUE(neo.output_bias);
  EXPECT_TRUE(sound(config_of("gptj")).head_bias);
  EXPECT_TRUE(sound(config_of("bloom")).embedding_norm);
  EXPECT_FALSE(sound(config_of("olmo")).norm_weight);
}

TEST(Families, a_flag_the_family_does_not_know_is_refused) {
  EXPECT_EQ(refusal(with(config_of("mistral"), {{"attention_bias", true}})),
            Texts{"c:/attention_bias: expected false: mistral has no such part, got true"});
  EXPECT_EQ(refusal(with(config_of("llama"), {{"qk_layernorm", true}})),
            Texts{"c:/qk_layernorm: expected false: llama has no such part, got true"});
  EXPECT_EQ(sound(with(config_of("mistral"), {{"attention_bias", false}})).layers(), 4);
  EXPECT_EQ(refusal(with(config_of("gpt2"), {{"add_cross_attention", true}})),
            Texts{"c:/add_cross_attention: expected false: gpt2 has no such part, got true"});
}

TEST(Families, parts_of_other_families_are_refused) {
  EXPECT_EQ(refusal(with(config_of("llama"), {{"num_local_experts", 8}})),
            Texts{"c:/num_local_experts: expected no routed experts in llama, got 8"});
  EXPECT_EQ(refusal(with(config_of("llama"), {{"kv_lora_rank", 512}})),
            Texts{"c:/kv_lora_rank: expected no latent attention in llama, got 512"});
  EXPECT_EQ(refusal(with(
                config_of("mixtral"),
                {{"num_local_experts", 8}, {"num_experts_per_tok", 2}, {"n_shared_experts", 1}})),
            Texts{"c:/n_shared_experts: expected no shared experts in mixtral, got 1"});
  EXPECT_EQ(refusal(with(config_of("llama"), {{"layer_types", {"full_attention", "mamba"}}})),
            Texts{"c:/layer_types: expected full_attention, sliding_attention, chunked_attention, "
                  "got \"mamba\", which is not modelled"});
}

TEST(Families, shapes_that_are_not_counted_are_refused_by_their_key) {
  EXPECT_EQ(refusal(with(config_of("opt"), {{"word_embed_proj_dim", 32}})),
            Texts{"c:/word_embed_proj_dim: expected the same as hidden_size, 64, got 32: a "
                  "projected embedding is not modelled"});
  EXPECT_EQ(refusal(with(config_of("opt"), {{"do_layer_norm_before", false}})),
            Texts{"c:/do_layer_norm_before: expected true, got false: norms after the layers are "
                  "not modelled"});
  EXPECT_EQ(refusal(with(config_of("phi"), {{"qk_layernorm", true}})),
            Texts{"c:/qk_layernorm: expected false, got true: norms of queries and keys with a "
                  "bias are not modelled"});
}

TEST(Families, routed_families_owe_their_experts) {
  EXPECT_EQ(refusal(config_of("mixtral")),
            (std::vector<std::string>{"c:/num_experts: expected an integer, got nothing",
                                      "c:/num_experts_per_tok: expected an integer, got nothing"}));
  Json qwen = with(config_of("qwen3_moe"), {{"num_experts", 8}, {"num_experts_per_tok", 2}});
  EXPECT_EQ(refusal(qwen), Texts{"c:/moe_intermediate_size: expected an integer, got nothing"});
}

TEST(Families, layouts_that_differ_from_layer_to_layer_are_owed) {
  EXPECT_EQ(refusal(with(config_of("nemotron_h"), {{"n_routed_experts", nullptr}})),
            Texts{"c:/hybrid_override_pattern: expected text, got nothing"});
  EXPECT_EQ(refusal(config_of("nemotron-nas")),
            Texts{"c:/block_configs: expected a list of objects, got nothing"});
  EXPECT_EQ(refusal(config_of("deepseek")),
            Texts{"c:/n_routed_experts: expected an integer or null, got nothing"});
  EXPECT_EQ(sound(with(config_of("deepseek"), {{"n_routed_experts", nullptr}})).runs.size(), 1U);
}

TEST(Families, experts_by_frequency_and_by_list) {
  Json deepseek = with(config_of("deepseek"), {{"n_routed_experts", 8},
                                               {"num_experts_per_tok", 2},
                                               {"n_shared_experts", nullptr},
                                               {"moe_intermediate_size", 32},
                                               {"first_k_dense_replace", 1},
                                               {"moe_layer_freq", 2}});
  const Architecture model = sound(deepseek);  // experts on layer 2 of 0 to 3 only
  ASSERT_EQ(model.runs.size(), 3U);
  EXPECT_EQ(model.runs[0].count, 2);
  EXPECT_TRUE(model.runs[1].block.moe.has_value());
  EXPECT_EQ(model.runs[1].block.moe->shared_width, 0);
  Json llama4 = with(config_of("llama4_text"),
                     {{"num_local_experts", 4}, {"num_experts_per_tok", 1}, {"moe_layers", {3}}});
  EXPECT_EQ(sound(llama4).runs[0].count, 3);
  EXPECT_TRUE(sound(llama4).runs[1].block.moe.has_value());
}

TEST(Families, layers_named_one_by_one) {
  const Json glm =
      with(config_of("glm4_moe"), {{"n_routed_experts", 8},
                                   {"num_experts_per_tok", 2},
                                   {"n_shared_experts", 1},
                                   {"moe_intermediate_size", 32},
                                   {"mlp_layer_types", {"dense", "dense", "dense", "sparse"}}});
  EXPECT_EQ(sound(glm).runs[0].count, 3);
  EXPECT_EQ(refusal(with(glm, {{"mlp_layer_types", {"dense", "lookup", "dense", "sparse"}}})),
            Texts{"c:/mlp_layer_types: expected dense and sparse, got \"lookup\""});
  EXPECT_EQ(refusal(with(glm, {{"mlp_layer_types", {"dense"}}})),
            Texts{"c:/mlp_layer_types: expected 4 words, one a layer, got 1"});
  const Json hybrid =
      with(config_of("nemotron_h"), {{"layers_block_type", {"mamba", "attention", "mlp", "mlp"}},
                                     {"mamba_num_heads", 4},
                                     {"mamba_head_dim", 8},
                                     {"n_groups", 2},
                                     {"ssm_state_size", 16}});
  EXPECT_EQ(sound(hybrid).runs.size(), 3U);
  EXPECT_TRUE(sound(hybrid).runs[1].block.attention.has_value());
  EXPECT_EQ(refusal(with(hybrid, {{"layers_block_type", {"mamba", "attention", "mlp", "conv"}}})),
            Texts{"c:/layers_block_type: expected mamba, moe, attention and mlp, got \"conv\""});
  EXPECT_NE(refusal(with(config_of("llama"), {{"layers_block_type", {"attention", "mlp"}}})),
            Texts{});
}

TEST(Families, a_window_of_nothing_is_none) {
  EXPECT_EQ(sound(with(config_of("mistral"), {{"sliding_window", 0}})).sliding_window,
            std::nullopt);
  EXPECT_EQ(sound(with(config_of("mistral"), {{"sliding_window", 7}})).sliding_window, 7);
  const Json off = {{"sliding_window", 7}, {"use_sliding_window", false}};
  EXPECT_EQ(sound(with(config_of("qwen2"), off)).sliding_window, std::nullopt);
}

TEST(Families, a_text_part_stands_in_a_known_wrapper_only) {
  const Json text = config_of("llama");
  EXPECT_EQ(refusal({{"model_type", "mllama"}, {"text_config", text}}),
            Texts{"c:/model_type: expected a model that is counted here, got \"mllama\": its "
                  "cross-attention layers are not counted"});
  EXPECT_EQ(refusal({{"text_config", text}}), Texts{"c:/model_type: expected text, got nothing"});
  const Json tied = {{"model_type", "llava"}, {"text_config", text}, {"tie_word_embeddings", true}};
  EXPECT_TRUE(sound(tied).tied_head);
  Json both = tied;
  both["text_config"]["tie_word_embeddings"] = false;
  EXPECT_EQ(refusal(both),
            Texts{"c:/tie_word_embeddings: expected the same as text_config, false, got true"});
}

TEST(Families, gemma3_leaves_out_what_its_class_gives) {
  const Json config = {{"model_type", "gemma3"},
                       {"text_config",
                        {{"model_type", "gemma3_text"},
                         {"hidden_size", 2560},
                         {"num_hidden_layers", 34},
                         {"intermediate_size", 10240},
                         {"sliding_window", 1024}}}};
  const Architecture model = sound(config);
  EXPECT_EQ(model.vocab, 262208);
  EXPECT_EQ(model.runs[0].block.attention->heads, 8);
  EXPECT_EQ(model.runs[0].block.attention->kv_heads, 4);
  EXPECT_EQ(model.runs[0].block.attention->head_dim, 256);
  EXPECT_EQ(model.sliding_window, 1024);
}

TEST(Families, no_type_is_both_counted_and_refused) {
  for (const std::string& type : known_model_types()) EXPECT_EQ(why_not_modelled(type), "") << type;
}

}  // namespace
}  // namespace sizesheet
