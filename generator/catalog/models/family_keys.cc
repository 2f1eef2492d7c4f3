// SPDX-License-Identifier: Apache-2.0
// A document of configuration keys under our names, and what the model has by it and by its family.

#include <algorithm>
#include <vector>

#include "catalog/models/families.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Our name first, then the family's.
std::vector<std::string> names_of(const Family& family, const std::string& key) {
  std::vector<std::string> names{key};
  const auto published = family.names.find(key);
  if (published != family.names.end()) {
    names.insert(names.end(), published->second.begin(), published->second.end());
  }
  return names;
}

}  // namespace

FamilyKeys::Place FamilyKeys::place(const std::string& path) {
  const std::size_t slash = path.find('/');
  if (slash == std::string::npos) return {std::nullopt, path, true};
  const std::string outer = path.substr(0, slash);
  if (!reader_->has(outer) || !reader_->sound(outer)) {
    return {std::nullopt, path.substr(slash + 1), false};
  }
  return {reader_->object(outer), path.substr(slash + 1), true};
}

bool FamilyKeys::stands(const std::string& path) {
  const Place there = place(path);
  if (!there.reachable) return false;
  return there.within ? there.within->has(there.key) : reader_->has(there.key);
}

std::string FamilyKeys::name(const std::string& key) {
  const std::vector<std::string> names = names_of(*family_, key);
  for (const std::string& each : names) {
    if (stands(each)) return each;
  }
  return names.size() > 1 ? names[1] : key;
}

bool FamilyKeys::has(const std::string& key) { return stands(name(key)); }

Json FamilyKeys::raw(const std::string& key) {
  Place there = place(name(key));
  if (!there.reachable) return nullptr;
  return there.within ? there.within->raw(there.key) : reader_->raw(there.key);
}

bool FamilyKeys::sound(const std::string& key) { return reader_->sound(name(key)); }

void FamilyKeys::fault(const std::string& key, const std::string& message) {
  Place there = place(name(key));
  if (there.within) {
    there.within->fault(there.key, message);
  } else {
    reader_->fault(there.key, message);
  }
}

void FamilyKeys::check_equal_names(const std::string& key, std::int64_t value,
                                   const std::string& used) {
  for (const std::string& each : names_of(*family_, key)) {
    if (each == used || !stands(each)) continue;
    Place there = place(each);
    const Json& other = there.within ? there.within->raw(there.key) : reader_->raw(there.key);
    if (other == value) continue;
    ObjectReader& place_of_fault = there.within ? *there.within : *reader_;
    place_of_fault.fault(there.key, "expected the same as " + used + ", " + std::to_string(value) +
                                        ", got " + shown(other));
  }
}

std::optional<std::int64_t> FamilyKeys::value(const std::string& key, bool required,
                                              Bounds<std::int64_t> bounds) {
  const std::string used = name(key);
  const auto number = family_->numbers.find(key);
  if (!stands(used) && number != family_->numbers.end()) return number->second;
  Place there = place(used);
  if (!there.reachable) {
    if (required) reader_->fault(used.substr(0, used.find('/')), "expected an object, got nothing");
    return std::nullopt;
  }
  ObjectReader& reader = there.within ? *there.within : *reader_;
  if (required) return reader.integer(there.key, bounds);
  const auto found = reader.optional_integer(there.key, bounds);
  return found;
}

std::int64_t FamilyKeys::integer(const std::string& key, Bounds<std::int64_t> bounds) {
  const std::int64_t found = value(key, true, bounds).value_or(bounds.low);
  if (sound(key) && has(key)) check_equal_names(key, found, name(key));
  return found;
}

std::int64_t FamilyKeys::integer_or(const std::string& key, std::int64_t fallback,
                                    Bounds<std::int64_t> bounds) {
  const std::int64_t found = value(key, false, bounds).value_or(fallback);
  if (sound(key) && has(key)) check_equal_names(key, found, name(key));
  return found;
}

bool FamilyKeys::flag_or(const std::string& key, bool fallback) {
  Place there = place(name(key));
  if (!there.reachable) return fallback;
  ObjectReader& reader = there.within ? *there.within : *reader_;
  return reader.flag_or(there.key, fallback);
}

std::string FamilyKeys::text_or(const std::string& key, const std::string& fallback) {
  Place there = place(name(key));
  if (!there.reachable) return fallback;
  ObjectReader& reader = there.within ? *there.within : *reader_;
  return reader.text_or(there.key, fallback);
}

namespace {

const std::vector<std::string>& explicit_trait_keys() {
  static const std::vector<std::string> keys = {
      "gated_mlp",          "norm_type",        "norm_has_bias",      "norms_per_layer",
      "attention_qkv_bias", "attention_o_bias", "mlp_bias",           "qk_norm",
      "head_dim",           "fused_linears",    "tie_word_embeddings"};
  return keys;
}

/// Flags by which some family adds parameters; where another family has one set, its model is not
/// what that family's code builds.
const std::vector<std::string>& known_flags() {
  static const std::vector<std::string> keys = {
      "attention_bias", "attention_out_bias",  "mlp_bias",          "bias",
      "use_bias",       "use_qkv_bias",        "qkv_bias",          "add_qkv_bias",
      "lm_head_bias",   "use_qk_norm",         "qk_layernorm",      "add_bias_linear",
      "head_bias",      "add_cross_attention", "is_encoder_decoder"};
  return keys;
}

template <typename Key>
bool holds(const std::vector<Key>& keys, const std::string& name) {
  return std::any_of(keys.begin(), keys.end(), [&](const Key& key) { return key.key == name; });
}

bool reads_flag(const Family& family, const std::string& key) {
  return family.qk_norm_key == key || holds(family.flags, key) || holds(family.fixed, key);
}

/// A bias that the family has anyway, or a key in the catalog's own meaning.
bool says_nothing_new(const Family& family, const std::string& key) {
  if (key == "mlp_bias") return true;
  if (key == "head_bias") return true;
  const bool attention = key == "attention_bias" || key == "use_qkv_bias" || key == "qkv_bias" ||
                         key == "add_qkv_bias" || key == "bias" || key == "use_bias";
  return attention && family.traits.qkv_bias;
}

void refuse_unread_flags(FamilyKeys& keys) {
  for (const std::string& key : known_flags()) {
    const Family& family = keys.family();
    if (family.model_type.empty() || reads_flag(family, key) || says_nothing_new(family, key)) {
      continue;
    }
    if (keys.reader().raw(key) != true) continue;
    keys.fault(key, "expected false: " + family.model_type + " has no such part, got true");
  }
}

std::string list_of(const std::vector<Json>& values) {
  std::vector<std::string> texts;
  for (const Json& value : values) texts.push_back(value.is_null() ? "no such key" : shown(value));
  return join(texts, " or ");
}

/// Per-layer kinds may only be those of attention over everything or over a window.
void refuse_layer_types(ObjectReader& reader) {
  const std::vector<std::string> known{"full_attention", "sliding_attention", "chunked_attention"};
  const Json& types = reader.raw("layer_types");
  if (types.is_null()) return;
  for (const std::string& type : reader.texts("layer_types")) {
    if (std::find(known.begin(), known.end(), type) != known.end()) continue;
    reader.fault("layer_types", "expected " + join(known, ", ") + ", got " + shown(type) +
                                    ", which is not modelled");
    return;
  }
}

/// The published key is true or false, the catalog's names the kind.
void read_qk_norm(FamilyKeys& keys, Traits& traits) {
  const Family& family = keys.family();
  ObjectReader& reader = keys.reader();
  if (!family.qk_norm_key.empty() && keys.flag_or(family.qk_norm_key, false)) {
    traits.qk_norm = family.qk_norm_kind;
  }
  const Json& kind = reader.raw("qk_norm");
  if (!kind.is_boolean()) {
    traits.qk_norm = reader.one_of_or("qk_norm", {"none", "per_head", "full"}, traits.qk_norm);
  } else if (kind == true && traits.qk_norm == "none") {
    reader.fault("qk_norm", "expected one of none, per_head, full; got true");
  }
}

}  // namespace

Family read_family(ObjectReader& reader) {
  const std::string type = reader.text_or("model_type", "");
  if (const Family* known = family_of(type)) return *known;
  const auto& needed = explicit_trait_keys();
  const bool spelled_out = std::all_of(needed.begin(), needed.end(),
                                       [&](const std::string& key) { return reader.has(key); });
  const std::string reason = why_not_modelled(type);
  if (!spelled_out && reader.sound("model_type")) {
    const std::vector<std::string> known = known_model_types();
    const std::string got = reader.has("model_type") ? shown(type) : "nothing";
    reader.fault("model_type", reason.empty() ? "expected one of " + join(known, ", ") + "; got " +
                                                    got + did_you_mean(type, known)
                                              : "expected a model that is counted here, got " +
                                                    got + ": " + reason);
  }
  Family family;  // of no type, so that no family's rules speak
  family.flags = {{"attention_bias", {&Traits::qkv_bias, &Traits::output_bias}}};
  family.routing = Routing::kMaybeRouted;
  family.shared = Shared::kCopies;
  family.kv_like_heads = true;
  return family;
}

Traits read_traits(FamilyKeys& keys) {
  const Family& family = keys.family();
  ObjectReader& reader = keys.reader();
  Traits traits = family.traits;
  for (const FlagKey& flag : family.flags) {
    if (!keys.has(flag.key)) continue;
    const bool set = keys.flag_or(flag.key, false) != flag.negated;
    for (bool Traits::*trait : flag.sets) traits.*trait = set;
  }
  traits.tied_head = reader.flag_or("tie_word_embeddings", traits.tied_head);
  traits.gated = reader.flag_or("gated_mlp", traits.gated);
  traits.qkv_bias = reader.flag_or("attention_qkv_bias", traits.qkv_bias);
  traits.output_bias = reader.flag_or("attention_o_bias", traits.output_bias);
  traits.mlp_bias = reader.flag_or("mlp_bias", traits.mlp_bias);
  traits.sinks = reader.flag_or("attention_sinks", traits.sinks);
  traits.norm_bias = reader.flag_or("norm_has_bias", traits.norm_bias);
  traits.norm_weight = reader.flag_or("norm_has_weight", traits.norm_weight);
  traits.head_bias = reader.flag_or("head_bias", traits.head_bias);
  traits.embedding_norm = reader.flag_or("embedding_norm", traits.embedding_norm);
  if (!holds(family.fixed, "norm_type")) {  // a published key of another meaning
    traits.layer_norm =
        reader.one_of_or("norm_type", {"rmsnorm", "layernorm"},
                         traits.layer_norm ? "layernorm" : "rmsnorm") == "layernorm";
  }
  read_qk_norm(keys, traits);
  return traits;
}

void refuse_other_shapes(FamilyKeys& keys) {
  for (const FixedKey& fixed : keys.family().fixed) {
    const Json value = keys.raw(fixed.key);
    const bool allowed = value.is_null() || std::find(fixed.allowed.begin(), fixed.allowed.end(),
                                                      value) != fixed.allowed.end();
    if (allowed || !keys.sound(fixed.key)) continue;
    keys.fault(fixed.key, "expected " + list_of(fixed.allowed) + ", got " + shown(value) + ": " +
                              fixed.otherwise + " not modelled");
  }
  refuse_unread_flags(keys);
  refuse_layer_types(keys.reader());
}

namespace {

bool is_activation(const std::string& name) {
  constexpr std::size_t kLongest = 40;
  return !name.empty() && name.size() <= kLongest &&
         name.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
             std::string::npos;
}

}  // namespace

std::string read_activation(FamilyKeys& keys) {
  for (const char* key :
       {"hidden_act", "hidden_activation", "mlp_hidden_act", "activation_function", "activation"}) {
    if (!keys.has(key)) continue;
    const std::string name = keys.text_or(key, "");
    if (keys.sound(key) && !is_activation(name)) {
      keys.fault(key, "expected the name of a function such as silu, got " + shown(name));
    }
    return name;
  }
  return keys.family().activation;
}

}  // namespace sizesheet
