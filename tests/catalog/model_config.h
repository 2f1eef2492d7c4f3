// SPDX-License-Identifier: Apache-2.0
// A model's config as the loader reads it, and what it reads as JSON.
#pragma once

#include <gtest/gtest.h>

#include "catalog/models/model.h"
#include "support/described.h"
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
                       norm_weight, norm_bias, sliding_window, fused_linears))

struct ConfigReading {
  Architecture model;
  Texts faults;
};

/// Reads `config` as "c".
inline ConfigReading read_config(const Json& config) {
  Faults faults;
  ObjectReader reader(config, "c", "", faults);
  ConfigReading reading{read_architecture(reader), {}};
  reading.faults = texts_of(faults);
  return reading;
}

/// The architecture of a config that must have no fault.
inline Architecture sound(const Json& config) {
  const ConfigReading reading = read_config(config);
  EXPECT_EQ(reading.faults, Texts{}) << config;
  return reading.model;
}

/// With each layer's block, and how many equal ones follow each other.
inline Json shape_json(const Architecture& model) {
  Json shape = as_json(model);
  shape["layer_count"] = model.layers();
  shape["per_layer_columns"] = model.per_layer_columns();
  for (const BlockRun& run : model.runs) {
    shape["runs"].push_back(run.count);
    for (std::int64_t i = 0; i < run.count; ++i) shape["layers"].push_back(as_json(run.block));
  }
  return shape;
}

}  // namespace sizesheet
