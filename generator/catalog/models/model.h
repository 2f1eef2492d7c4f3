// SPDX-License-Identifier: Apache-2.0
// A model's architecture as catalog facts: the shape of every block, enough to count each
// parameter.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "support/described.h"
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

/// A vision tower, a transformer over the patches of an image, and the projector that maps what it
/// sees to the width of the language model. Counts, widths and pixels.
struct Tower {
  std::int64_t hidden_size = 0;
  std::int64_t intermediate_size = 0;
  std::int64_t num_hidden_layers = 0;
  std::int64_t num_attention_heads = 0;
  std::int64_t patch_size = 0;    ///< pixels of a side
  std::int64_t merge_size = 1;    ///< patches of a side that become one token of text
  std::int64_t image_size = 0;    ///< every image is brought to this side; 0: it keeps its own
  std::int64_t least_pixels = 0;  ///< a smaller image is enlarged to them
  std::int64_t most_pixels = 0;   ///< a larger one is shrunk to them; 0: none is
  std::int64_t temporal_patch_size = 1;
  std::int64_t position_rows = 0;  ///< of the trained table, the class token's among them
  std::int64_t norms_per_layer = 2;
  std::int64_t outer_norms = 0;  ///< before and behind the layers
  bool gated_mlp = false;
  bool linear_bias = true;
  bool norm_bias = true;  ///< LayerNorm; false: RMSNorm
  bool patch_bias = false;
  bool class_token = false;
  bool qk_norm = false;
  bool layer_scale = false;
  std::int64_t projector_parameters = 0;

  bool operator==(const Tower&) const = default;
};
BOOST_DESCRIBE_STRUCT(Tower, (),
                      (hidden_size, intermediate_size, num_hidden_layers, num_attention_heads,
                       patch_size, merge_size, image_size, least_pixels, most_pixels,
                       temporal_patch_size, position_rows, norms_per_layer, outer_norms, gated_mlp,
                       linear_bias, norm_bias, patch_bias, class_token, qk_norm, layer_scale,
                       projector_parameters))

/// The format in which a checkpoint holds its matrices, as its quantization_config says it.
struct StoredWeights {
  std::string quant_method = {};  ///< bitsandbytes, compressed-tensors, fp8 or mxfp4
  std::string format = {};        ///< nf4, int8, fp8, mxfp4, nvfp4, int4, sparse; "fp8 and int4"
  bool as_stored = false;         ///< trains as it is stored; false: is dequantised on loading
  bool fp4 = false;               ///< FP4 of bitsandbytes in the place of NF4
  bool fp32_products = false;     ///< what is unpacked is multiplied in fp32
  bool double_quant = false;      ///< the scales of NF4 are quantised themselves
  std::vector<std::string> skipped = {};  ///< "layers.3.mlp": what stays in 16 bits

  bool operator==(const StoredWeights&) const = default;
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

/// A published parameter count and what it covers beside the text model.
struct PublishedCount {
  std::int64_t value = 0;
  std::vector<std::string> covers;
  std::string source;
};
BOOST_DESCRIBE_STRUCT(PublishedCount, (), (value, covers, source))

/// Parts of a checkpoint that no run holds, by name (inv_freq_buffers, audio, mtp …).
struct ExtraCount {
  std::string name;
  std::int64_t value = 0;
  std::string source;
};
BOOST_DESCRIBE_STRUCT(ExtraCount, (), (name, value, source))

struct ModelIdentity {
  std::string id;
  std::string title;       ///< "Llama 3.1 8B"
  std::string repository;  ///< "meta-llama/Llama-3.1-8B", or "" for a hypothetical shape
  std::string source;
  std::string date;
};
BOOST_DESCRIBE_STRUCT(ModelIdentity, (), (id, title, repository, source, date))

struct Model : ModelIdentity {
  std::string family;
  std::string note;
  Architecture architecture;
  std::vector<PublishedCount> published;
  std::vector<ExtraCount> extras;
  std::vector<std::string> was;  ///< ids that it had before
  Json raw;                      ///< the entry whole, as sheet.json keeps it
};
/// In the order in which an entry is read, and its faults are told.
BOOST_DESCRIBE_STRUCT(Model, (), (id, title, family, repository, was, note, source, date))

/// Reads a catalog entry (keys of a Hugging Face config.json plus id, title, source, date,
/// published …).
Model read_model(ObjectReader reader);

/// Reads the architecture from an object with the keys of a Hugging Face config.json.
Architecture read_architecture(ObjectReader& reader);

/// The same of a config that somebody published: a key that nothing reads is told in `remarks`
/// unless it is known to change no figure, and refused where it is a slip for a key that is read.
Architecture read_config(ObjectReader& reader);

/// Share of the attention layers of a model type that look back no further than its window.
double usual_windowed_share(const std::string& model_type);

/// The format that "quantization_config" or "compression_config" says; nullopt where there is none.
/// A format that no run is modelled from is a fault.
std::optional<StoredWeights> read_stored_weights(ObjectReader& config);

/// A quantization_config that says the same.
Json stored_json(const StoredWeights& stored);

/// The tower that an entry's "vision" says, else the one of a published "vision_config"; nullopt
/// where there is none, and where the model type's towers are not counted.
std::optional<Tower> read_tower(ObjectReader& reader, std::int64_t text_hidden);

/// The members of a tower that are not as most towers have them, in their order.
Json tower_json(const Tower& tower);

// ---- From a published config.json to a catalog entry: every key that decides the shape spelled
// out, the family's defaults included.

/// A published config.json. Python writes limits that are none as Infinity, which JSON does not
/// have: they are read as null. Throws InputError for a file that cannot be read or is not JSON.
Json read_config_file(const std::filesystem::path& file);

/// What a config.json does not say about its model.
/// Keys and values in the order of the catalog's files.
using EntryKeys = Members;

/// The model that an entry makes, read and checked as the catalog does it.
Model entry_model(const EntryKeys& keys, Faults& faults);

/// `{`, a key a line, `}`.
std::string entry_text(const EntryKeys& keys);

/// The entry. What the config lacks, or what the catalog would refuse, is told in `faults`; then
/// the keys are of no use.
EntryKeys model_entry(const Json& config, const std::string& file, const ModelIdentity& identity,
                      Faults& faults);

}  // namespace sizesheet
