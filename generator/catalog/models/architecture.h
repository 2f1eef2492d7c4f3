// SPDX-License-Identifier: Apache-2.0
// Reading an architecture: the catalog's explicit keys first, then the names that published
// config.json files use, then what the model type implies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/models/stored_weights.h"
#include "catalog/models/tower.h"
#include "support/json.h"

namespace sizesheet {

/// Multi-head latent attention (DeepSeek). `query_rank` 0: queries are not compressed.
struct LatentAttention {
  std::int64_t query_rank = 0;
  std::int64_t kv_rank = 0;
  std::int64_t nope_dim = 0;
  std::int64_t rope_dim = 0;
  std::int64_t value_dim = 0;

  bool operator==(const LatentAttention&) const = default;
};

/// Picks the positions that sparse attention reads (DeepSeek V3.2): heads of its own score them
/// all.
struct Indexer {
  std::int64_t heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t positions = 0;    ///< a token attends to at most as many
  std::int64_t query_input = 0;  ///< width of what its queries are projected from
  bool weighted = true;          ///< its heads are weighed by a projection of the hidden state
  bool owned = true;             ///< false: takes another layer's choice and has no weights

  bool operator==(const Indexer&) const = default;
};

struct Attention {
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t value_dim = 0;  ///< of a head's values where it is not head_dim; 0: the same
  std::int64_t gate = 0;       ///< width of a gate on the output: 0, heads or heads * head_dim
  std::int64_t window = 0;     ///< positions that a token looks back; 0: all, or the model's window
  bool shares_kv = false;      ///< reads the keys and values of an earlier layer (Gemma 4)
  bool keys_are_values = false;  ///< one projection for both (Gemma 4)
  bool qkv_bias = false;
  bool output_bias = false;
  bool sinks = false;            ///< one learned sink per head (gpt-oss)
  std::string qk_norm = "none";  ///< none | per_head (2*head_dim) | full (q width + kv width)
  std::optional<LatentAttention> latent;
  std::optional<Indexer> indexer;

  std::int64_t value_width() const {
    return heads * (latent ? latent->value_dim : value_dim > 0 ? value_dim : head_dim);
  }
  bool operator==(const Attention&) const = default;
};

/// Gated DeltaNet (Qwen3-Next, Qwen3.5): linear attention with a state a value head.
struct LinearAttention {
  std::int64_t key_heads = 0;
  std::int64_t value_heads = 0;
  std::int64_t key_dim = 0;
  std::int64_t value_dim = 0;
  std::int64_t conv_kernel = 4;
  bool fused_inputs = false;  ///< queries, keys, values and the gate come from one projection

  std::int64_t key_width() const { return key_heads * key_dim; }
  std::int64_t value_width() const { return value_heads * value_dim; }
  bool operator==(const LinearAttention&) const = default;
};

/// A gated depthwise convolution over a few tokens in the place of attention (LFM2).
struct ShortConvolution {
  std::int64_t kernel = 3;
  bool bias = false;  ///< on the convolution and both projections

  bool operator==(const ShortConvolution&) const = default;
};

struct Mlp {
  std::int64_t width = 0;
  bool gated = true;
  bool bias = false;

  bool operator==(const Mlp&) const = default;
};

struct Moe {
  std::int64_t experts = 0;
  std::int64_t experts_per_token = 0;
  std::int64_t expert_width = 0;
  std::int64_t shared_width = 0;  ///< 0: no shared expert
  std::int64_t latent_size = 0;   ///< 0: routed experts work at hidden size
  bool gated = true;
  bool router_bias = false;  ///< a trained bias (a correction buffer is not a parameter)
  bool expert_bias = false;
  bool shared_gate = false;   ///< Qwen2-MoE: h -> 1 gate on the shared expert
  bool router_scale = false;  ///< Gemma 4: a scale of the router's input and one an expert

  bool operator==(const Moe&) const = default;
};

struct Mamba {
  std::int64_t heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t groups = 0;
  std::int64_t state = 0;
  std::int64_t conv_kernel = 4;
  std::int64_t chunk = 256;
  bool conv_bias = true;
  bool gated_norm = true;  ///< Falcon-H1 has none

  bool operator==(const Mamba&) const = default;
};

/// One residual block; at least one part is present. Parts run in the order of the members.
struct Block {
  std::optional<Attention> attention;
  std::optional<LinearAttention> linear;
  std::optional<ShortConvolution> convolution;
  std::optional<Mamba> mamba;
  std::optional<Mlp> mlp;
  std::optional<Moe> moe;
  std::int64_t per_layer_width = 0;  ///< of its own embedding of each token (Gemma 4); 0: none
  std::int64_t norms = 2;            ///< norm layers of hidden size in this block
  /// Behind the last layer: joins its output with the next token's embedding and predicts a token
  /// further than the one before.
  bool predicts_further = false;

  bool operator==(const Block&) const = default;
};

/// `count` equal blocks in a row.
struct BlockRun {
  Block block;
  std::int64_t count = 0;

  bool operator==(const BlockRun&) const = default;
};

struct Architecture {
  std::string model_type;
  std::int64_t hidden = 0;
  std::int64_t vocab = 0;
  std::int64_t max_positions = 0;      ///< 0: the document does not say
  std::int64_t learned_positions = 0;  ///< rows of a trained table of positions; 0: no table
  bool embedding_norm = false;         ///< a norm right after the embedding (BLOOM)
  std::int64_t per_layer_vocab = 0;    ///< rows of the table of per-layer embeddings; 0: no table
  bool tied_head = false;
  bool head_bias = false;
  double logit_cap = 0;     ///< logits are softly capped at it; 0: not at all
  bool alibi = false;       ///< attention adds a bias by distance to its scores
  bool scores = false;      ///< a head of one output, a sequence's score, in the place of words
  bool layer_norm = false;  ///< LayerNorm rather than RMSNorm
  bool norm_weight = true;  ///< false: the norms of hidden size have nothing to train (OLMo)
  bool norm_bias = false;   ///< every norm of hidden size has a bias as well
  std::string activation;   ///< as config.json names it
  std::optional<std::int64_t> sliding_window;
  /// Attention layers that have it; absent: as many as its model type usually gives it.
  std::optional<std::int64_t> windowed_layers;
  std::vector<std::string>
      fused_linears;  ///< fused modules of the checkpoint: qkv_proj, gate_up_proj, query_key_value
  std::vector<BlockRun> runs;  ///< first block first
  std::optional<Tower> tower;  ///< absent: none, or one that is not counted
  /// Blocks like the last that predict further, which a run has among its own where it keeps them.
  std::int64_t further_predictions = 0;
  std::optional<StoredWeights> stored;  ///< absent: in 16 or 32 bits
  std::vector<std::string> remarks;     ///< what an answer must say about how its config was read

  /// Those of further predictions not among them.
  std::int64_t layers() const;
  std::int64_t kept_predictions() const;
  std::int64_t head_outputs() const { return scores ? 1 : vocab; }
  /// Summed width of the per-layer embeddings of all blocks; 0 where there are none.
  std::int64_t per_layer_columns() const;
  bool operator==(const Architecture&) const = default;
};

/// Reads the architecture from an object with the keys of a Hugging Face config.json.
Architecture read_architecture(ObjectReader& reader);

/// Share of the attention layers of a model type that look back no further than its window.
double usual_windowed_share(const std::string& model_type);

}  // namespace sizesheet
