// SPDX-License-Identifier: Apache-2.0
#include "sheet/check_practice.h"

#include <optional>
#include <utility>
#include <vector>

#include "sizing/question.h"
#include "sizing/stack_merge.h"

namespace sizesheet {
namespace {

/// A catalog may lack models with experts, of which a stack may speak all the same.
const Json& routed_model() {
  static const Json kModel = {{"model_type", "mixtral"},
                              {"hidden_size", 64},
                              {"intermediate_size", 128},
                              {"num_hidden_layers", 2},
                              {"num_attention_heads", 4},
                              {"num_key_value_heads", 4},
                              {"vocab_size", 128},
                              {"num_local_experts", 8},
                              {"num_experts_per_tok", 2},
                              {"hidden_act", "silu"},
                              {"tie_word_embeddings", false},
                              {"max_position_embeddings", 4096}};
  return kModel;
}

/// What the engine minds in a request at `pointer` or below, for the model that it minds it least
/// for; nullopt where some model takes it.
std::optional<Fault> refusal_of(const Catalog& catalog, Json request, const std::string& pointer) {
  std::vector<Json> models;
  for (const auto& [id, unused] : catalog.models) models.emplace_back(id);
  models.push_back(routed_model());
  std::optional<Fault> first;
  for (const Json& model : models) {
    request["model"] = model;
    Faults faults;
    read_question(request, catalog, catalog.engine.current, faults);
    std::optional<Fault> here;
    for (const Fault& fault : faults.all()) {
      if (!here && fault.pointer.starts_with(pointer)) here = fault;
    }
    if (!here) return std::nullopt;
    if (!first) first = std::move(here);
  }
  return first;
}

void check_methods(const Catalog& catalog, const std::string& directory, Faults& faults) {
  const std::string place = "/method";
  for (const auto& [id, method] : catalog.methods) {
    const Json request = {{"method", id}, {"layout", {{"gpus", 1}}}};
    const auto refusal = refusal_of(catalog, request, place);
    if (!refusal) continue;
    faults.add(directory + "/methods/" + id + ".json",
               "/request" + refusal->pointer.substr(place.size()), refusal->message);
  }
}

/// One value that a stack may set: where it stands, and for which ways of spreading.
struct Practice {
  std::string place;
  const Json* value;
  std::vector<Spread> spreads;
};

/// The value holds where no variant does.
std::vector<Practice> practices_of(const StackSetting& setting) {
  std::vector<Practice> all{{"/value", &setting.value, {}}};
  for (const Spread spread : {Spread::kSharded, Spread::kDdp, Spread::kSingle}) {
    std::size_t i = 0;
    while (i < setting.variants.size() && setting.variants[i].when != name_of(spread)) ++i;
    if (i == setting.variants.size()) {
      all.front().spreads.push_back(spread);
    } else {
      const std::string place = "/variants/" + std::to_string(i) + "/value";
      all.push_back({place, &setting.variants[i].value, {spread}});
    }
  }
  for (std::size_t i = 0; i < setting.alternatives.size(); ++i) {
    all.push_back({"/alternatives/" + std::to_string(i) + "/value", &setting.alternatives[i].value,
                   all.front().spreads});
  }
  return all;
}

/// The kind's settings with one of them at this value, as a request of its own.
Json request_with(const std::string& kind, std::vector<StackSetting> settings, std::size_t changed,
                  const Json& value, Spread spread) {
  settings[changed].value = value;
  settings[changed].variants.clear();
  const bool several = spread != Spread::kSingle;
  Json request = {{"method", {{"kind", kind}}}, {"layout", {{"gpus", several ? 8 : 1}}}};
  if (several) request["layout"]["dp"] = 8;
  return merge_stack(request, AppliedSettings(settings.begin(), settings.end()), spread).request;
}

std::string pointer_of(const std::string& key) {
  const std::size_t dot = key.find('.');
  return dot == std::string::npos ? "/" + key
                                  : "/" + key.substr(0, dot) + "/" + key.substr(dot + 1);
}

/// Why no way of spreading that it is for can have the value.
std::optional<Fault> refusal_of(const Catalog& catalog, const std::string& kind,
                                const std::vector<StackSetting>& settings, std::size_t changed,
                                const Practice& practice) {
  const std::string pointer = pointer_of(settings[changed].key);
  std::optional<Fault> refusal;
  for (const Spread spread : practice.spreads) {
    refusal = refusal_of(catalog, request_with(kind, settings, changed, *practice.value, spread),
                         pointer);
    if (!refusal) return std::nullopt;
  }
  // A key may be stated for what the stack does not do itself: how FSDP gathers, under DDP.
  Json alone = {{"method", {{"kind", kind}}},
                {"layout", {{"gpus", 8}, {"dp", 8}, {"shard", "zero3"}}}};
  StackSetting only = settings[changed];
  only.value = *practice.value;
  only.variants.clear();
  alone = merge_stack(alone, {AppliedSetting(only)}, Spread::kSharded).request;
  return refusal_of(catalog, alone, pointer) ? refusal : std::nullopt;
}

void check_kind(const Catalog& catalog, const std::string& file, const std::string& kind,
                const std::vector<StackSetting>& settings, Faults& faults) {
  for (std::size_t i = 0; i < settings.size(); ++i) {
    // What a stack says of adapters is nothing to full fine-tuning.
    if (kind == "full" && settings[i].key.starts_with("method.")) continue;
    for (const Practice& practice : practices_of(settings[i])) {
      const auto refusal = refusal_of(catalog, kind, settings, i, practice);
      if (!refusal) continue;
      faults.add(file, "/kinds/" + kind + "/" + std::to_string(i) + practice.place,
                 settings[i].key + ": " + refusal->message);
    }
  }
}

void check_stacks(const Catalog& catalog, const std::string& directory, Faults& faults) {
  for (const auto& [id, stack] : catalog.stacks) {
    for (const auto& [kind, settings] : stack.kinds) {
      check_kind(catalog, directory + "/stacks/" + id + ".json", kind, settings, faults);
    }
  }
}

}  // namespace

void check_practice(const Catalog& catalog, const std::string& directory, Faults& faults) {
  check_methods(catalog, directory, faults);
  check_stacks(catalog, directory, faults);
}

}  // namespace sizesheet
