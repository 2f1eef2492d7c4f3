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

#include "catalog/models/model.h"
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

/// Model types of one family, which has no type of its own yet.
struct FamilyRow {
  std::vector<std::string> model_types;
  Family family;
};

// Keys that several families have.
inline const FlagKey kAttentionBias = {"attention_bias", {&Traits::qkv_bias, &Traits::output_bias}};
inline const FlagKey kQkvBias = {"attention_bias", {&Traits::qkv_bias}};
inline const FlagKey kMlpBias = {"mlp_bias", {&Traits::mlp_bias}};
inline const FixedKey kNoLatentBias = {"attention_bias", {false}, "biases in latent attention are"};

/// The table of families, by model type.
const std::vector<Family>& families();

/// The family, or nullptr when the model type is not known here.
const Family* family_of(const std::string& model_type);

std::vector<std::string> known_model_types();

/// Why a model type that is known is not counted; "" when it is counted or not known at all.
std::string why_not_modelled(const std::string& model_type);

/// One object of configuration keys, read by our names: each key also under the name its family
/// publishes it by, which may be a path into an object within (attn_config/kv_n_heads).
class FamilyKeys {
 public:
  FamilyKeys(ObjectReader& reader, const Family& family) : reader_(&reader), family_(&family) {}

  /// True when the key stands there, not null, under one of its names.
  bool has(const std::string& key) { return stands(name(key)); }
  /// The name that is used; where none is, the one its family publishes.
  std::string name(const std::string& key);
  /// The value, else the family's, else a fault.
  std::int64_t integer(const std::string& key, Bounds<std::int64_t> bounds) {
    return value(key, true, bounds).value_or(bounds.low);
  }
  /// The value, else the family's, else `fallback`.
  std::int64_t integer_or(const std::string& key, std::int64_t fallback,
                          Bounds<std::int64_t> bounds) {
    return value(key, false, bounds).value_or(fallback);
  }
  bool flag_or(const std::string& key, bool fallback);
  std::string text_or(const std::string& key, const std::string& fallback);
  Json raw(const std::string& key);
  bool sound(const std::string& key) { return reader_->sound(name(key)); }
  void fault(const std::string& key, const std::string& message);

  ObjectReader& reader() { return *reader_; }
  const Family& family() const { return *family_; }

 private:
  /// The reader of the object a path ends in, and the last part of the path.
  struct Place {
    ObjectReader* outer;
    std::optional<ObjectReader> within;  ///< absent: the outer object, or none at all
    std::string key;
    bool reachable = true;

    ObjectReader& reader() { return within ? *within : *outer; }
  };
  Place place(const std::string& path);
  bool stands(const std::string& path);
  std::optional<std::int64_t> value(const std::string& key, bool required,
                                    Bounds<std::int64_t> bounds);
  /// Both names of a key may stand there, with one value.
  void check_equal_names(const std::string& key, std::int64_t value);

  ObjectReader* reader_;
  const Family* family_;
};

/// The family of the document's model_type. One that is not known is a fault, unless the document
/// spells out every trait in the catalog's own keys.
Family read_family(ObjectReader& reader, const std::string& usual_type = "");

/// The family's traits after the document's flags; the catalog's own keys come last.
Traits read_traits(FamilyKeys& keys);

/// Faults every key whose value makes the model one that is not counted here.
void refuse_other_shapes(FamilyKeys& keys);

/// The activation function that the document names, or the family's.
std::string read_activation(FamilyKeys& keys);

Attention read_attention(FamilyKeys& keys, const Traits& traits, std::int64_t hidden);

/// Norm layers in a block.
std::int64_t read_norms(FamilyKeys& keys);

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

/// The blocks, first one first, equal neighbours joined. Reads hybrid_pattern, blocks and their
/// spellings in published configs; without any of them all layers follow `parts`, and the family's
/// rule where it has one.
std::vector<BlockRun> read_blocks(FamilyKeys& keys, const Parts& parts);

/// Of the families whose layers differ, each with its rule.
const std::vector<FamilyRow>& layered_rows();

/// The experts of the model; nullopt when it has none. `mlp_width` is its intermediate_size, or 0.
std::optional<MoePlan> read_moe(FamilyKeys& keys, const Traits& traits, std::int64_t mlp_width);

/// What a published checkpoint holds beside the text model that is counted.
struct UncountedPart {
  std::string pointer;  ///< of the key that tells of it
  std::string what;     ///< "a vision tower"
};

std::vector<UncountedPart> uncounted_parts(const Json& config);

/// Of a config that has been read.
std::vector<UncountedPart> uncounted_parts(const Json& config, const Architecture& model);

/// Whether remarks name what is not counted, or the caller does.
enum class Uncounted { kTold, kLeft };

/// As `read_config` of model.h, which has kTold.
Architecture read_config(ObjectReader& reader, Uncounted uncounted);

/// What an answer must say about how a config that reads without a fault was read.
std::vector<std::string> config_remarks(const Json& config, Uncounted uncounted);

/// Keys of a config.json that change no figure.
struct SilentKeys {
  std::string why;  ///< what they do: "are of generation alone"
  std::vector<std::string> keys;
};

const std::vector<SilentKeys>& silent_keys();

/// Those of a vision_config beside them.
const std::vector<SilentKeys>& silent_keys_of_towers();

/// Keys that an answer names where they have another value than the usual ones.
struct ToldKey {
  std::vector<std::string> keys;
  std::vector<Json> usual;
  std::string words;  ///< what is not sized then
};

const std::vector<ToldKey>& told_keys();

}  // namespace sizesheet
