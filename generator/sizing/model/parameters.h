// SPDX-License-Identifier: Apache-2.0
// Exact parameter counts of a model and of adapters on it, and the names of its projections.
#pragma once

#include <algorithm>
#include <array>
#include <boost/container/static_vector.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "catalog/models/architecture.h"
#include "support/named.h"

namespace sizesheet {

/// In the order of their names.
enum class Projection : std::uint8_t {
  kDown,
  kEmbedding,
  kLatentIn,
  kLatentOut,
  kOutputGate,  ///< a gate a head on the output of attention
  kGate,
  kMixerIn,         ///< into a Mamba-2 mixer or a short convolution
  kDeltaDecay,      ///< into a Gated DeltaNet: decay,
  kDeltaBeta,       ///< write strength,
  kDeltaScalars,    ///< both in one,
  kDeltaInput,      ///< queries, keys and values,
  kDeltaInputGate,  ///< those with the output's gate,
  kDeltaGate,       ///< and that gate alone
  kKey,
  kKvDown,  ///< into the latent space of keys and values
  kKvUp,
  kHead,
  kOutput,    ///< of attention
  kMixerOut,  ///< of a Mamba-2 mixer, a Gated DeltaNet or a short convolution
  kPerLayerIn,
  kPerLayerOut,
  kQueryDown,  ///< into the latent space of queries
  kQueryUp,
  kQuery,
  kRouter,
  kSharedDown,
  kSharedGate,
  kSharedUp,
  kUp,
  kValue
};

using Projections = EnumSet<Projection>;

// ---- Exact parameter counts of a model, component by component, and the list of its projections.

enum class Sublayer { kAttention, kLinear, kConvolution, kMamba, kMlp, kMoe, kPerLayer };

struct SublayerName {
  Sublayer value;
  std::string_view id;
  std::string_view title;
  std::string_view suffix;  ///< in the names of a formula; of the first ones also a module's name
  std::string_view saved;   ///< the step of a formula with what it saves
  bool measured = true;     ///< false: no published run says what it keeps
};
inline constexpr std::array<SublayerName, 7> kSublayers{
    {{Sublayer::kAttention, "attention", "Attention", "attn", "saved_attention"},
     {Sublayer::kLinear, "delta", "Gated DeltaNet", "delta", "saved_delta", false},
     {Sublayer::kConvolution, "convolution", "Short convolution", "conv", "saved_convolution",
      false},
     {Sublayer::kMamba, "mamba", "Mamba-2", "mamba", "saved_mamba"},
     {Sublayer::kMlp, "mlp", "MLP", "mlp", "saved_mlp"},
     {Sublayer::kMoe, "moe", "Experts", "moe", "saved_moe"},
     {Sublayer::kPerLayer, "per-layer", "Per-layer embedding", "per_layer", "saved_per_layer",
      false}}};
constexpr const auto& table_of(Sublayer) { return kSublayers; }

/// Which saved tensor feeds a projection; projections of one group share it.
enum class InputGroup : std::uint8_t {
  kBlock,
  kQueryLatent,
  kKvLatent,
  kAttentionOut,
  kMiddle,
  kSharedMiddle,
  kPermuted,
  kExpertMiddle,
  kMoeLatent
};
using InputGroups = EnumSet<InputGroup>;

/// One projection d_in -> d_out of a sublayer; `copies` > 1 for routed experts.
struct Linear {
  Projection name = Projection::kQuery;
  std::int64_t in = 0;
  std::int64_t out = 0;
  std::int64_t copies = 1;
  InputGroup group = InputGroup::kBlock;
  bool expert = false;  ///< a routed expert's matrix

  std::int64_t parameters() const { return in * out * copies; }
};

/// At most those of latent attention, an MLP, experts with latent and shared ones, a mixer, and a
/// per-layer embedding.
using Linears = boost::container::static_vector<Linear, 24>;
using Sublayers = boost::container::static_vector<Sublayer, 5>;

Sublayers sublayers(const Block& block);
Linears linears(const Architecture& model, const Block& block, Sublayer sublayer);
/// All projections of a block, sublayer by sublayer.
Linears linears(const Architecture& model, const Block& block);

/// The embedding with a trained table of positions and the norm after it, and with the table of
/// per-layer embeddings, its projection and norm, where there are any.
std::int64_t embedding_parameters(const Architecture& model);
/// The head beyond the embedding: none when it is tied, but for its bias.
std::int64_t head_parameters(const Architecture& model);

/// The model with a head that gives a sequence one score, in the place of the one that says words.
Architecture with_score_head(Architecture model);
/// The norms of the blocks have as many each.
std::int64_t final_norm_parameters(const Architecture& model);

/// Of the blocks that predict further, whether a run keeps them or not.
std::int64_t prediction_parameters(const Architecture& model);
/// The model as a run that keeps them has it.
Architecture with_predictions(Architecture model);

/// Whether the test holds of some block of the model.
template <typename Test>
bool any_block(const Architecture& model, const Test& test) {
  return std::ranges::any_of(model.runs, [&](const BlockRun& run) { return test(run.block); });
}

/// The sum over all blocks of a model of what `of` gives for one.
template <typename Of>
double over_blocks(const Architecture& model, const Of& of) {
  double sum = 0;
  for (const BlockRun& run : model.runs) sum += static_cast<double>(run.count) * of(run.block);
  return sum;
}

/// Some block of the model routes tokens to experts.
inline bool has_experts(const Architecture& model) {
  return any_block(model, [](const Block& block) { return block.moe.has_value(); });
}
/// Some block has a Mamba-2 mixer, whose fused kernel never calls an adapter on its out_proj.
inline bool has_mamba(const Architecture& model) {
  return any_block(model, [](const Block& block) { return block.mamba.has_value(); });
}

/// Parameters by component; embedding and head as stored (a tied head counts 0).
struct ComponentCounts {
  std::int64_t embedding = 0;
  std::int64_t lm_head = 0;
  std::int64_t attention = 0;  ///< with biases, sinks and gates
  std::int64_t indexer = 0;    ///< of sparse attention, with its norms
  std::int64_t mlp = 0;
  std::int64_t experts = 0;  ///< routed
  std::int64_t shared = 0;   ///< shared experts and their gate
  std::int64_t router = 0;
  std::int64_t latent = 0;            ///< projections into and out of a latent expert space
  std::int64_t mamba = 0;             ///< mixer with convolution and gated norm
  std::int64_t delta = 0;             ///< Gated DeltaNet with convolution and gated norm
  std::int64_t convolution = 0;       ///< short convolutions with their projections
  std::int64_t per_layer = 0;         ///< gates and projections of per-layer embeddings
  std::int64_t norms = 0;             ///< block norms, q/k norms, latent norms, the final norm
  std::int64_t inactive_experts = 0;  ///< routed experts one token does not visit
  std::int64_t biases = 0;            ///< within attention and mlp
  std::int64_t mixers = 0;            ///< within mamba, delta, convolution: what is no projection

  std::int64_t total() const;
  /// Parameters one token meets; counts the input embedding.
  std::int64_t active() const { return total() - inactive_experts; }
};

ComponentCounts count_parameters(const Architecture& model);

/// What an image of so many pixels becomes.
struct ImageSize {
  std::int64_t patches = 0;
  std::int64_t tokens = 0;  ///< of the language model
};

/// Parameters of one block by how tensor and expert parallelism split them.
struct SplitCounts {
  std::int64_t matrix = 0;       ///< divided by tp: projections and their biases
  std::int64_t matrix_bias = 0;  ///< the biases within `matrix`
  std::int64_t replicated = 0;   ///< norms, router, indexer, convolution
  std::int64_t expert = 0;       ///< divided by ep * etp
};

SplitCounts split_parameters(const Architecture& model, const Block& block);

/// Which projections carry an adapter, and how.
/// Which projections share a module, and so an adapter.
enum class FusedModules {
  kNone,
  kCheckpoint,  ///< as the checkpoint's fused linears are
  kMegatron     ///< qkv and fc1
};
inline constexpr NameTable<FusedModules, 3> kFusedModules{
    {{FusedModules::kNone, "none"},
     {FusedModules::kCheckpoint, "checkpoint"},
     {FusedModules::kMegatron, "megatron"}}};

struct AdapterSpec {
  std::int64_t rank = 16;
  Projections targets;
  std::string experts = "none";  ///< none | shared | per-expert
  FusedModules fused = FusedModules::kNone;
  bool magnitudes = false;  ///< DoRA: one magnitude per output of every target
};

struct AdapterCounts {
  std::int64_t dense = 0;    ///< parameters outside routed experts
  std::int64_t expert = 0;   ///< parameters on routed experts
  std::int64_t rows = 0;     ///< summed output sizes of the adapter matrices (factored optimizers)
  std::int64_t columns = 0;  ///< summed input sizes
  std::int64_t vectors = 0;  ///< of `dense` and `expert`: DoRA's magnitudes, which are no matrices

  std::int64_t total() const { return dense + expert; }
};

}  // namespace sizesheet
