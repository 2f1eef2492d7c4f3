// SPDX-License-Identifier: Apache-2.0
// What a model_type stands for where its config.json says nothing, and how its config.json spells
// what it does say.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "support/json.h"

namespace sizesheet {

/// What a model has beside its sizes.
struct Traits {
  bool gated = true;
  bool layer_norm = false;
  bool norm_weight = true;  ///< false: OLMo's norms have nothing to train
  bool norm_bias = false;
  std::int64_t norms = 2;  ///< norm layers in a block
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
  kMlpWidth,    ///< experts as wide as intermediate_size
  kOwnWidth,    ///< moe_intermediate_size
  kMaybeRouted  ///< as kOwnWidth, and a config without experts is a dense model
};

enum class Shared {
  kNone,
  kLikeExpert,  ///< one shared expert as wide as a routed one
  kTotalWidth,  ///< a width for all of them together
  kCopies       ///< a number of experts as wide as a routed one
};

/// Keys may be paths: attn_config/kv_n_heads.
struct Family {
  std::string model_type;
  Traits traits = {};
  std::vector<std::string> fused = {};                         ///< fused linears of the checkpoint
  std::map<std::string, std::vector<std::string>> names = {};  ///< our key -> published ones
  std::map<std::string, std::int64_t> numbers = {};            ///< for keys that are left out
  std::vector<FlagKey> flags = {};
  std::string qk_norm_key = {};  ///< published flag that switches the norm of queries and keys
  std::string qk_norm_kind = "none";
  std::vector<FixedKey> fixed = {};
  Routing routing = Routing::kNone;
  Shared shared = Shared::kNone;
  bool latent = false;               ///< multi-head latent attention
  bool kv_like_heads = false;        ///< num_key_value_heads left out: as many as query heads
  std::int64_t width_multiple = 0;   ///< intermediate_size left out: this times hidden_size
  std::int64_t position_offset = 0;  ///< rows of the position table beyond the positions
  std::string activation = "silu";   ///< where the document names none
};

/// The family, or nullptr when the model type is not known here.
const Family* family_of(const std::string& model_type);

std::vector<std::string> known_model_types();

/// Why a model type that is known is not counted; "" when it is counted or not known at all.
std::string why_not_modelled(const std::string& model_type);

/// Model types whose text part stands under text_config.
const std::vector<std::string>& wrapper_model_types();

}  // namespace sizesheet
