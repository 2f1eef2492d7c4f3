// SPDX-License-Identifier: Apache-2.0
#include "sheet/assemble/checks.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/facts/method.h"
#include "catalog/files/loader.h"
#include "catalog/prices/purchase.h"
#include "cost/ownership.h"
#include "cost/rent.h"
#include "evidence/guides.h"
#include "sheet/rows/cells.h"
#include "sheet/rows/size_row.h"
#include "sheet/spec.h"
#include "sheet/spec_ownership.h"
#include "sheet/tables/advice.h"
#include "sheet/tables/frameworks.h"
#include "sheet/tables/worksheets.h"
#include "sizing/job/training.h"
#include "sizing/request/question.h"
#include "sizing/request/stack_defaults.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
#include "support/named.h"
#include "support/text.h"
#include "support/trace.h"

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

void check_methods(const Catalog& catalog, const CatalogLayers& layers, Faults& faults) {
  const std::string place = "/method";
  for (const auto& [id, method] : catalog.methods) {
    const Json request = {{"method", id}, {"layout", {{"gpus", 1}}}};
    const auto refusal = refusal_of(catalog, request, place);
    if (!refusal) continue;
    faults.add(layers.shown("methods/" + id + ".json"),
               "/request" + refusal->pointer.substr(place.size()), refusal->message);
  }
}

/// One value that a stack may set: where it stands, and for which ways of spreading.
struct ValueInPlace {
  std::string place;
  const Json* value;
  std::vector<Spread> spreads;
};

/// The value holds where no variant does.
std::vector<ValueInPlace> settable_values(const StackSetting& setting) {
  std::vector<ValueInPlace> all{{"/value", &setting.value, {}}};
  for (const Spread spread : {Spread::kSharded, Spread::kDdp, Spread::kSingle}) {
    const auto own =
        std::ranges::find(setting.variants, id_of(kSpreads, spread), &StackSetting::Variant::when);
    if (own == setting.variants.end()) {
      all.front().spreads.push_back(spread);
    } else {
      const auto i = std::to_string(own - setting.variants.begin());
      all.push_back({"/variants/" + i + "/value", &own->value, {spread}});
    }
  }
  for (std::size_t i = 0; i < setting.variants.size(); ++i) {
    const StackSetting::Variant& variant = setting.variants[i];
    if (!variant.of_question()) continue;
    all.push_back(
        {"/variants/" + std::to_string(i) + "/value", &variant.value, all.front().spreads});
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
  return merge_stack(request, AppliedSettings(settings.begin(), settings.end()), spread);
}

std::string pointer_of(std::string key) {
  std::replace(key.begin(), key.end(), '.', '/');
  return "/" + key;
}

/// Why no way of spreading that it is for can have the value.
std::optional<Fault> refusal_of(const Catalog& catalog, const std::string& kind,
                                const std::vector<StackSetting>& settings, std::size_t changed,
                                const ValueInPlace& value) {
  const std::string pointer = pointer_of(settings[changed].key);
  std::optional<Fault> refusal;
  for (const Spread spread : value.spreads) {
    refusal =
        refusal_of(catalog, request_with(kind, settings, changed, *value.value, spread), pointer);
    if (!refusal) return std::nullopt;
  }
  // A key may be stated for what the stack does not do itself: how FSDP gathers, under DDP.
  Json alone = {{"method", {{"kind", kind}}},
                {"layout", {{"gpus", 8}, {"dp", 8}, {"shard", "zero3"}}}};
  StackSetting only = settings[changed];
  only.value = *value.value;
  only.variants.clear();
  alone = merge_stack(alone, {AppliedSetting(only)}, Spread::kSharded);
  return refusal_of(catalog, alone, pointer) ? refusal : std::nullopt;
}

void check_kind(const Catalog& catalog, const std::string& file, const std::string& kind,
                const std::vector<StackSetting>& settings, Faults& faults) {
  for (std::size_t i = 0; i < settings.size(); ++i) {
    // What a stack says of adapters is nothing to full fine-tuning.
    if (kind == "full" && settings[i].key.starts_with("method.")) continue;
    for (const ValueInPlace& value : settable_values(settings[i])) {
      const auto refusal = refusal_of(catalog, kind, settings, i, value);
      if (!refusal) continue;
      faults.add(file, "/kinds/" + kind + "/" + std::to_string(i) + value.place,
                 settings[i].key + ": " + refusal->message);
    }
  }
}

/// Each trainer that a stack names is one that a request can ask for.
void check_trainers(const std::string& file, const Stack& stack, Faults& faults) {
  for (const auto& [kind, objectives] : stack.trains.objectives) {
    for (std::size_t i = 0; i < objectives.size(); ++i) {
      if (contains(trainers(), objectives[i])) continue;
      faults.add(file, "/trains/" + kind + "/" + std::to_string(i),
                 "expected one of " + join(trainers(), ", ") + ", got " + in_quotes(objectives[i]) +
                     did_you_mean(objectives[i], trainers()));
    }
  }
}

void check_stacks(const Catalog& catalog, const CatalogLayers& layers, Faults& faults) {
  std::vector<std::string> vendors;
  for (const auto& [id, gpu] : catalog.gpus) {
    if (!contains(vendors, gpu.vendor)) vendors.push_back(gpu.vendor);
  }
  for (const auto& [id, stack] : catalog.stacks) {
    const std::string file = layers.shown("stacks/" + id + ".json");
    for (const auto& [kind, settings] : stack.kinds) {
      check_kind(catalog, file, kind, settings, faults);
    }
    check_trainers(file, stack, faults);
    for (const std::string& vendor : stack.vendors) {
      // A catalog need not have a card of everybody.
      const std::string near = contains(vendors, vendor) ? "" : did_you_mean(vendor, vendors);
      if (near.empty()) continue;
      faults.add(file, "/needs/vendors",
                 "no GPU of the catalog is of vendor " + in_quotes(vendor) + near);
    }
  }
}

/// Terms that are in range, all of them, so that what is wrong after a change is the change.
OwnershipTerms sound_terms() {
  OwnershipTerms terms;
  terms.gpus = terms.gpus_per_node = 1;
  terms.life_years = terms.pue = 1;
  terms.utilisation = 1;
  terms.hours_per_month = 730;
  terms.staff_fte_per_node = terms.least_fte_per_node = 1;
  terms.usd_per_fte_year = MicroUsd{1};
  return terms;
}

/// Calls `visit` with the place and the figure of each value of the rates of this id.
template <typename Visit>
void for_each_value(const Purchase& purchase, const std::string& id, const Visit& visit) {
  for (std::size_t i = 0; i < purchase.rates.size(); ++i) {
    const Rate& rate = purchase.rates[i];
    if (rate.id != id) continue;
    for (const auto& [key, value] : {std::pair("low", rate.value.low),
                                     {"typical", rate.value.typical},
                                     {"high", rate.value.high}}) {
      visit("/" + std::to_string(i) + "/value/" + key, value);
    }
  }
}

/// The first fault of the cell's question; nullopt where it can be asked.
std::optional<Fault> refusal_of(const SheetSpec& spec, const Catalog& catalog, const Cell& cell) {
  Faults faults;
  read_question(request_of(catalog, spec, cell), catalog, catalog.engine.current, faults);
  return faults.empty() ? std::nullopt : std::optional(faults.all().front());
}

}  // namespace

void check_facts(const Catalog& catalog, const CatalogLayers& layers, Faults& faults) {
  check_practice(catalog, layers, faults);
  check_guides(catalog, layers, faults);
  check_frameworks(catalog, layers, faults);
  check_advice(catalog, layers, faults);
  check_worksheets(catalog, layers, faults);
}

void check_practice(const Catalog& catalog, const CatalogLayers& layers, Faults& faults) {
  check_methods(catalog, layers, faults);
  check_stacks(catalog, layers, faults);
}

void check_rates(const SpecOwnership& own, const Purchase& purchase, const std::string& file,
                 const std::string& list, Faults& faults) {
  const auto add = [&](const std::string& place, const std::string& message,
                       const std::string& role) {
    faults.add(file, list + place, message + " (the sheet takes it for: " + role + ")");
  };
  const auto check_range = [&](const std::string& id, double low, double high,
                               const std::string& role) {
    for_each_value(purchase, id, [&](const std::string& place, double value) {
      if (value >= low && value <= high) return;
      add(place,
          "expected a number from " + shortest(low) + " to " + shortest(high) + ", got " +
              shortest(value),
          role);
    });
  };
  check_range(own.hours_per_month, 1, kHoursOfLongestMonth, "hours counted as a month");
  if (!own.utilisation.empty()) {
    check_range(own.utilisation, 1e-6, 1, "share of the hours that are used");
  }
  if (!faults.empty()) return;
  PurchaseNode used;
  used.condition = Condition::kUsed;
  std::vector<OwnershipInput> inputs = ownership_inputs(purchase, own, PurchaseNode{}, true);
  for (OwnershipInput& input : ownership_inputs(purchase, own, used, true)) {
    const bool known = entry_with(inputs, &OwnershipInput::id, input.id) != nullptr;
    if (!known) inputs.push_back(std::move(input));
  }
  for (const OwnershipInput& input : inputs) {
    if (!input.varies && input.id == own.hours_per_month) continue;
    for_each_value(purchase, input.id, [&](const std::string& place, double value) {
      OwnershipTerms terms = sound_terms();
      input.set(terms, value);
      Faults found;
      check_terms(terms, "", "", found);
      for (const Fault& fault : found.all()) add(place, fault.message, input.role);
    });
  }
}

void check_requests(const SheetSpec& spec, const Catalog& catalog, const std::string& file,
                    Faults& faults) {
  for (std::size_t i = 0; i < spec.scenarios.size(); ++i) {
    const SpecScenario& scenario = spec.scenarios[i];
    std::optional<Fault> first;
    bool asked = false;
    for (const Cell& cell : cells_of(spec)) {
      if (cell.scenario != &scenario || asked) continue;
      const auto refusal = refusal_of(spec, catalog, cell);
      asked = !refusal;
      if (refusal && !first) first = refusal;
    }
    if (asked || !first) continue;
    const std::string place = "/scenarios/" + std::to_string(i) + "/request";
    const bool stated =
        !first->pointer.empty() && scenario.request.contains(Json::json_pointer(first->pointer));
    faults.add(file, stated ? place + first->pointer : place,
               "no row of this scenario can be asked: " +
                   (stated ? first->message : to_request_text(*first)));
  }
}

}  // namespace sizesheet
