// SPDX-License-Identifier: Apache-2.0
// What a config.json means: the families of models with their defaults and spellings, the keys read
// by our names, and the parts and blocks that follow.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "catalog/models/architecture.h"
#include "support/json.h"

namespace sizesheet {

/// What a model has beside its sizes.
struct Traits {
  bool gated = true;
  bool layer_norm = false;
  bool norm_weight = true;  ///< false: OLMo's norms have nothing to train
  bool norm_bias = false;
  bool qkv_bias = false;
  bool output_bias = false;
  bool mlp_bias = false;
  bool head_bias = false;
  bool tied_head = false;
  std::string qk_norm = "none";
  bool sinks = false;
  bool expert_bias = false;  ///< biases on router and experts
  bool shared_gate = false;
  bool learned_positions = false;
  bool embedding_norm = false;
  double logit_cap = 0;  ///< logits are softly capped at it; 0: not at all
  bool alibi = false;    ///< attention adds a bias by distance to its scores
};

/// A published true-or-false key and the traits that follow it (its opposite when `negated`).
struct FlagKey {
  std::string key;
  std::vector<bool Traits::*> sets;
  bool negated = false;
};

/// A key whose other values make a model that is not counted here.
struct FixedKey {
  std::string key;
  std::vector<Json> allowed;
  std::string otherwise;  ///< what other values would mean
};

enum class Routing {
  kNone,
  kMlpWidth,       ///< experts as wide as intermediate_size
  kMaybeMlpWidth,  ///< the same, and a config with 0 experts or none is a dense model
  kOwnWidth,       ///< moe_intermediate_size
  kMaybeRouted     ///< as kOwnWidth, and a config without experts is a dense model
};

enum class Shared {
  kNone,
  kLikeExpert,  ///< one shared expert as wide as a routed one
  kTotalWidth,  ///< a width for all of them together
  kCopies       ///< a number of experts as wide as a routed one
};

class FamilyKeys;
struct Parts;

/// Makes of the block that a layer has by the usual keys the one that its family gives it.
using LayerRule = std::function<void(std::int64_t layer, Block& block)>;

/// What a model_type stands for where its config.json says nothing, and how it spells what it does
/// say. Keys may be paths: attn_config/kv_n_heads.
struct Family {
  std::string model_type = {};
  Traits traits = {};
  std::int64_t norms = 2;                            ///< norm layers in a block
  std::vector<std::string> fused = {};               ///< fused linears of the checkpoint
  std::map<std::string, std::string> names = {};     ///< our key -> the published one
  std::map<std::string, std::int64_t> numbers = {};  ///< for keys that are left out
  std::vector<FlagKey> flags = {};
  std::string qk_norm = "none";  ///< none | per_head | full
  std::string qk_norm_key = {};  ///< published flag that switches it on; "": it is always there
  std::vector<FixedKey> fixed = {};
  Routing routing = Routing::kNone;
  Shared shared = Shared::kNone;
  bool latent = false;               ///< multi-head latent attention
  bool predicts_alike = false;       ///< its further predictions are blocks like its last one
  bool kv_like_heads = false;        ///< num_key_value_heads left out: as many as query heads
  std::int64_t width_multiple = 0;   ///< intermediate_size left out: this times hidden_size
  std::int64_t position_offset = 0;  ///< rows of the position table beyond the positions
  std::string activation = {};       ///< where the document names none; "": silu, gelu if not gated
  /// Of a family whose layers differ by keys of its own; nullptr: of others.
  LayerRule (*layers)(FamilyKeys& keys, const Parts& parts) = nullptr;
};

// Keys that several families have.
inline const FlagKey kAttentionBias = {"attention_bias", {&Traits::qkv_bias, &Traits::output_bias}};
inline const FlagKey kQkvBias = {"attention_bias", {&Traits::qkv_bias}};
inline const FlagKey kMlpBias = {"mlp_bias", {&Traits::mlp_bias}};
inline const FixedKey kNoLatentBias = {"attention_bias", {false}, "biases in latent attention are"};

/// Of Gemma 2 and 4 where the config is silent.
inline constexpr double kUsualLogitCap = 30;

/// The table of families, by model type.
const std::vector<Family>& families();

/// Routed experts and the layers that have them.
struct MoePlan {
  Moe moe;
  std::int64_t first_dense = 0;             ///< leading layers with a plain MLP
  std::int64_t step = 1;                    ///< of the others, every step-th layer has experts
  std::set<std::int64_t> dense_layers;      ///< layers with a plain MLP whatever the step says
  std::optional<std::int64_t> dense_width;  ///< width of the plain MLPs where it differs
};

/// Everything blocks are made of.
struct Parts {
  std::string model_type;
  std::int64_t hidden = 0;
  std::int64_t layers = 0;
  std::int64_t norms = 2;
  Attention attention;
  Mlp mlp;  ///< width 0: the document gives none
  std::optional<MoePlan> moe;
  std::optional<Mamba> mamba;
};

/// Whether remarks name what is not counted, or the caller does.
enum class Uncounted { kTold, kLeft };

}  // namespace sizesheet
