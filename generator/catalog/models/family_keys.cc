// SPDX-License-Identifier: Apache-2.0
#include "catalog/models/family_keys.h"

#include <algorithm>

#include "catalog/models/families.h"
#include "support/described.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {

FamilyKeys::Place FamilyKeys::place(const std::string& path) {
  const std::size_t slash = path.find('/');
  if (slash == std::string::npos) return {reader_, std::nullopt, path, true};
  const std::string outer = path.substr(0, slash);
  Place there{reader_, std::nullopt, path.substr(slash + 1), reader_->has(outer)};
  there.reachable = there.reachable && reader_->sound(outer);
  if (there.reachable) there.within = reader_->object(outer);
  return there;
}

bool FamilyKeys::stands(const std::string& path) {
  Place there = place(path);
  return there.reachable && there.reader().has(there.key);
}

std::string FamilyKeys::name(const std::string& key) {
  const auto published = family_->names.find(key);
  if (published == family_->names.end() || stands(key)) return key;
  return published->second;
}

Json FamilyKeys::raw(const std::string& key) {
  Place there = place(name(key));
  if (!there.reachable) return nullptr;
  return there.reader().raw(there.key);
}

void FamilyKeys::fault(const std::string& key, const std::string& message) {
  Place there = place(name(key));
  there.reader().fault(there.key, message);
}

void FamilyKeys::check_equal_names(const std::string& key, std::int64_t value) {
  const auto published = family_->names.find(key);
  if (published == family_->names.end() || !stands(key) || !stands(published->second)) return;
  Place there = place(published->second);
  const Json& other = there.reader().raw(there.key);
  if (other == value) return;
  there.reader().fault(there.key, "expected the same as " + key + ", " + std::to_string(value) +
                                      ", got " + shown(other));
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
  const auto found = required ? there.reader().integer(there.key, bounds)
                              : there.reader().optional_integer(there.key, bounds);
  if (found && sound(key)) check_equal_names(key, *found);
  return found;
}

bool FamilyKeys::flag_or(const std::string& key, bool fallback) {
  Place there = place(name(key));
  return there.reachable ? there.reader().flag_or(there.key, fallback) : fallback;
}

std::string FamilyKeys::text_or(const std::string& key, const std::string& fallback) {
  Place there = place(name(key));
  return there.reachable ? there.reader().text_or(there.key, fallback) : fallback;
}

const Family* family_of(const std::string& model_type) {
  return entry_with(families(), &Family::model_type, model_type);
}

std::vector<std::string> known_model_types() { return each_of(families(), &Family::model_type); }

std::string why_not_modelled(const std::string& model_type) {
  static const std::vector<std::pair<const char*, std::vector<std::string>>> reasons = {
      {"its layers share their weights", {"albert"}},
      {"its hybrid of Mamba-2 and attention is not counted", {"bamba"}},
      {"it is an encoder", {"bert"}},
      {"its compressed attention and hyper-connections are not counted", {"deepseek_v4"}},
      {"Mamba-1 layers are not counted", {"falcon_mamba", "jamba", "mamba"}},
      {"its alternating updates (AltUp) and LAuReL layers are not counted",
       {"gemma3n", "gemma3n_text"}},
      {"its Kimi delta attention is not counted", {"kimi_k3", "kimi_linear"}},
      {"a model without attention is not counted", {"mamba2"}},
      {"its latent attention is not counted", {"minicpm3"}},
      {"its cross-attention layers are not counted", {"mllama", "mllama_text_model"}},
      {"its vision and speech adapters are not counted", {"phi4mm"}},
      {"its lightning attention is not counted", {"minimax", "minimax_text_01"}},
      {"its recurrent layers are not counted", {"recurrent_gemma", "rwkv"}},
      {"it is an encoder with a decoder", {"t5"}},
      {"its shared attention layers are not counted", {"zamba", "zamba2"}},
  };
  for (const auto& [reason, types] : reasons) {
    if (contains(types, model_type)) return reason;
  }
  return "";
}

namespace {

template <typename Key>
bool holds(const std::vector<Key>& keys, const std::string& name) {
  return std::ranges::any_of(keys, [&](const Key& key) { return key.key == name; });
}

/// Flags by which some family adds parameters; where another family has one set, its model is not
/// what that family's code builds.
void refuse_unread_flags(FamilyKeys& keys) {
  const Family& family = keys.family();
  if (family.model_type.empty()) return;
  for (const std::string key :
       {"attention_bias", "attention_out_bias", "bias", "use_bias", "use_qkv_bias", "qkv_bias",
        "add_qkv_bias", "lm_head_bias", "use_qk_norm", "qk_layernorm", "add_bias_linear",
        "add_cross_attention", "is_encoder_decoder"}) {
    const bool read =
        family.qk_norm_key == key || holds(family.flags, key) || holds(family.fixed, key);
    // A bias that the family has anyway says nothing new.
    const bool attention = contains(
        {"attention_bias", "use_qkv_bias", "qkv_bias", "add_qkv_bias", "bias", "use_bias"}, key);
    if (read || (attention && family.traits.qkv_bias) || keys.reader().raw(key) != true) continue;
    keys.fault(key, "expected false: " + family.model_type + " has no such part, got true");
  }
}

/// The published key is true or false, the catalog's names the kind.
std::string read_qk_norm(FamilyKeys& keys) {
  const Family& family = keys.family();
  ObjectReader& reader = keys.reader();
  const bool there = family.qk_norm_key.empty() || keys.flag_or(family.qk_norm_key, false);
  const std::string usual = there ? family.qk_norm : "none";
  const Json& kind = reader.raw("qk_norm");
  if (!kind.is_boolean()) return reader.one_of_or("qk_norm", {"none", "per_head", "full"}, usual);
  if (kind == true && usual == "none") {
    reader.fault("qk_norm", "expected one of none, per_head, full; got true");
  }
  return usual;
}

/// A published key that is null or 0 says that logits are not capped.
double read_logit_cap(FamilyKeys& keys) {
  constexpr Bounds<double> kCap{0, 1e6};
  ObjectReader& reader = keys.reader();
  for (const char* key :
       {"final_logit_softcapping", "logit_softcapping", "output_logit_softcapping"}) {
    if (reader.mentions(key)) return reader.number_or(key, 0, kCap);
  }
  return keys.family().traits.logit_cap;
}

}  // namespace

Family read_family(ObjectReader& reader, const std::string& usual_type) {
  const std::string type = reader.text_or("model_type", usual_type);
  if (const Family* known = family_of(type)) return *known;
  const std::vector<std::string> needed = {
      "gated_mlp",          "norm_type",        "norm_has_bias",      "norms_per_layer",
      "attention_qkv_bias", "attention_o_bias", "mlp_bias",           "qk_norm",
      "head_dim",           "fused_linears",    "tie_word_embeddings"};
  const bool spelled_out =
      std::ranges::all_of(needed, [&](const std::string& key) { return reader.has(key); });
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
  traits.logit_cap = read_logit_cap(keys);
  traits.alibi = keys.flag_or("alibi", traits.alibi);
  if (!holds(family.fixed, "norm_type")) {  // a published key of another meaning
    traits.layer_norm =
        reader.one_of_or("norm_type", {"rmsnorm", "layernorm"},
                         traits.layer_norm ? "layernorm" : "rmsnorm") == "layernorm";
  }
  traits.qk_norm = read_qk_norm(keys);
  return traits;
}

void refuse_other_shapes(FamilyKeys& keys) {
  for (const FixedKey& fixed : keys.family().fixed) {
    const Json value = keys.raw(fixed.key);
    if (value.is_null() || contains(fixed.allowed, value) || !keys.sound(fixed.key)) continue;
    std::vector<std::string> allowed;
    for (const Json& one : fixed.allowed) {
      allowed.push_back(one.is_null() ? "no such key" : shown(one));
    }
    keys.fault(fixed.key, "expected " + join(allowed, " or ") + ", got " + shown(value) + ": " +
                              fixed.otherwise + " not modelled");
  }
  refuse_unread_flags(keys);
}

std::string read_activation(FamilyKeys& keys) {
  for (const char* key :
       {"hidden_act", "hidden_activation", "mlp_hidden_act", "activation_function", "activation"}) {
    if (!keys.has(key)) continue;
    const std::string name = keys.text_or(key, "");
    constexpr std::size_t kLongest = 40;
    const bool word =
        std::ranges::all_of(name, [](char c) { return is_letter_or_digit(c) || c == '_'; });
    if (keys.sound(key) && (name.empty() || name.size() > kLongest || !word)) {
      keys.fault(key, "expected the name of a function such as silu, got " + shown(name));
    }
    return name;
  }
  const Family& family = keys.family();
  if (!family.activation.empty()) return family.activation;
  return family.traits.gated ? "silu" : "gelu";
}

}  // namespace sizesheet
