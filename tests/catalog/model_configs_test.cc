// SPDX-License-Identifier: Apache-2.0
// From the keys of a config.json to blocks: what tests/oracles/model_configs.json says is read of
// each family and of families whose layers differ, and what is refused.
#include <gtest/gtest.h>

#include "catalog/models/architecture.h"
#include "catalog/models/config_keys.h"
#include "catalog/models/family_keys.h"
#include "catalog/sample_catalog.h"
#include "support/error.h"
#include "support/json.h"
#include "support/project_catalog.h"
#include "support/refusal.h"

namespace sizesheet {

BOOST_DESCRIBE_STRUCT(LatentAttention, (), (query_rank, kv_rank, nope_dim, rope_dim, value_dim))
BOOST_DESCRIBE_STRUCT(Indexer, (), (heads, head_dim, positions, query_input, weighted, owned))
BOOST_DESCRIBE_STRUCT(Attention, (),
                      (heads, kv_heads, head_dim, value_dim, gate, window, shares_kv,
                       keys_are_values, qkv_bias, output_bias, sinks, qk_norm, latent, indexer))
BOOST_DESCRIBE_STRUCT(LinearAttention, (),
                      (key_heads, value_heads, key_dim, value_dim, conv_kernel, fused_inputs))
BOOST_DESCRIBE_STRUCT(ShortConvolution, (), (kernel, bias))
BOOST_DESCRIBE_STRUCT(Mlp, (), (width, gated, bias))
BOOST_DESCRIBE_STRUCT(Moe, (),
                      (experts, experts_per_token, expert_width, shared_width, latent_size, gated,
                       router_bias, expert_bias, shared_gate, router_scale))
BOOST_DESCRIBE_STRUCT(Mamba, (),
                      (heads, head_dim, groups, state, conv_kernel, chunk, conv_bias, gated_norm))
BOOST_DESCRIBE_STRUCT(Block, (),
                      (attention, linear, convolution, mamba, mlp, moe, per_layer_width, norms))
BOOST_DESCRIBE_STRUCT(Architecture, (),
                      (hidden, vocab, learned_positions, embedding_norm, tied_head, head_bias,
                       norm_weight, norm_bias, sliding_window, fused_linears, logit_cap, alibi))

}  // namespace sizesheet

namespace sizesheet {
namespace {

struct ConfigReading {
  Architecture model;
  Texts faults;
};

/// Reads `config` as "c".
ConfigReading read_config(const Json& config) {
  Faults faults;
  ObjectReader reader(config, "c", "", faults);
  ConfigReading reading{read_architecture(reader), {}};
  reading.faults = texts_of(faults);
  return reading;
}

/// The architecture of a config that must have no fault.
Architecture sound(const Json& config) {
  const ConfigReading reading = read_config(config);
  EXPECT_EQ(reading.faults, Texts{}) << config;
  return reading.model;
}

/// With each layer's block, and how many equal ones follow each other.
Json shape_json(const Architecture& model) {
  Json shape = as_json(model);
  shape["layer_count"] = model.layers();
  shape["per_layer_columns"] = model.per_layer_columns();
  for (const BlockRun& run : model.runs) {
    shape["runs"].push_back(run.count);
    for (std::int64_t i = 0; i < run.count; ++i) shape["layers"].push_back(as_json(run.block));
  }
  return shape;
}

/// "catalog x": the config of the catalog's entry x.
Json base_config(const Json& bases, const std::string& name) {
  const std::string catalog = "catalog ";
  if (!name.starts_with(catalog)) return bases.at(name);
  return project_catalog().model(name.substr(catalog.size())).raw.at("config");
}

Json config_of(Json config, const Json& row) {
  const Json removed = row.value("without", Json::array());
  for (const std::string key : removed) config.erase(key);
  config.update(row.value("with", Json::object()));
  return config;
}

void expect_shape(const Json& shape, const Json& has) {
  for (const auto& [place, value] : has.items()) {
    const Json::json_pointer at(place);
    if (value == "none") {
      EXPECT_FALSE(shape.contains(at)) << place;
    } else if (value == "any") {
      EXPECT_FALSE(shape.at(at).is_null()) << place;
    } else {
      EXPECT_EQ(shape.at(at), value) << place;
    }
  }
}

TEST(ModelConfigs, AreReadAsBlocks) {
  const Json file = oracle("model_configs.json");
  for (const auto& [base, rows] : file.at("read").items()) {
    for (const Json& row : rows) {
      SCOPED_TRACE(base + " " + row.dump());
      const Json config = config_of(base_config(file.at("bases"), base), row);
      expect_shape(shape_json(sound(config)), row.at("has"));
    }
  }
}

TEST(ModelConfigs, AreRefusedByTheirKey) {
  const Json file = oracle("model_configs.json");
  for (const auto& [base, rows] : file.at("refused").items()) {
    for (const Json& row : rows) {
      Texts expected = row.at("faults");
      for (std::string& fault : expected) fault.insert(0, "c:");
      const Json config = config_of(base_config(file.at("bases"), base), row);
      EXPECT_EQ(read_config(config).faults, expected) << base << " " << row;
    }
  }
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

TEST(Architecture, unknown_types_are_refused_unless_every_trait_is_spelled_out) {
  std::string known;
  for (const std::string& type : known_model_types()) known += (known.empty() ? "" : ", ") + type;
  EXPECT_EQ(read_config({{"model_type", "newcomer"}}).faults,
            Texts{"c:/model_type: expected one of " + known + "; got \"newcomer\""});
  EXPECT_EQ(read_config({{"model_type", "lama"}}).faults,
            Texts{"c:/model_type: expected one of " + known +
                  "; got \"lama\" (did you mean \"llama\"?)"});
  EXPECT_EQ(read_config({{"hidden_size", 64}}).faults,
            Texts{"c:/model_type: expected one of " + known + "; got nothing"});
  Json entry = sample_model();
  entry["model_type"] = "newcomer";
  EXPECT_EQ(sound(entry).runs, sound(sample_model()).runs);
}

TEST(Architecture, an_indexer_may_be_another_layers) {
  const Architecture model = sound(base_config({}, "catalog glm-5.2"));
  std::int64_t owned = 0;
  for (const BlockRun& run : model.runs) {
    ASSERT_TRUE(run.block.attention->indexer);
    owned += run.block.attention->indexer->owned ? run.count : 0;
  }
  EXPECT_EQ(owned, 21);
}

TEST(Families, no_type_is_both_counted_and_refused) {
  for (const std::string& type : known_model_types()) EXPECT_EQ(why_not_modelled(type), "") << type;
}

}  // namespace
}  // namespace sizesheet
