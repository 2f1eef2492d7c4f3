// SPDX-License-Identifier: Apache-2.0
// Inputs under other names, and inputs of which some groups are OLD's and some NEW's.
#include <algorithm>
#include <array>

#include "sheet/diff/inputs.h"

namespace sizesheet {
namespace {

using Ids = std::set<std::string>;

Json part(const Json& object, const std::string& key) {
  return object.is_object() ? object.value(key, Json()) : Json();
}

/// The list under `key`, or nothing to go through.
Json* list_in(Json& object, const std::string& key) {
  if (!object.is_object() || !object.contains(key) || !object[key].is_array()) return nullptr;
  return &object[key];
}

/// The text under `field` of an object, or the value itself where `field` is ""; nullptr for none.
const std::string* text_of(const Json& value, const std::string& field) {
  if (field.empty()) return value.get_ptr<const std::string*>();
  if (!value.is_object() || !value.contains(field)) return nullptr;
  return value.at(field).get_ptr<const std::string*>();
}

bool names_one_of(const Json& value, const std::string& field, const Ids& ids) {
  const std::string* text = text_of(value, field);
  return text != nullptr && ids.contains(*text);
}

Ids texts_in(const Json& list, const std::string& field) {
  Ids texts;
  for (const Json& element : list) {
    if (const std::string* text = text_of(element, field)) texts.insert(*text);
  }
  return texts;
}

/// Drops the elements of a list, if it is one, that do not name one of the ids.
void keep_of(Json& object, const std::string& key, const std::string& field, const Ids& ids) {
  if (Json* list = list_in(object, key)) {
    const auto other = [&](const Json& element) { return !names_one_of(element, field, ids); };
    list->erase(std::remove_if(list->begin(), list->end(), other), list->end());
  }
}

void keep_gpus(Json& inputs, const Ids& gpus) {
  keep_of(inputs, "prices", "gpu", gpus);
  keep_of(inputs, "purchase_nodes", "gpu", gpus);
}

void take(const Json& from, const std::string& key, Json& to) {
  if (from.contains(key)) {
    to[key] = from.at(key);
  } else {
    to.erase(key);
  }
}

/// Appends the elements of `from` that `wanted` picks and that have no equal in `to` yet.
template <typename Wanted>
void lend(const Json& from, const std::string& key, const Wanted& wanted, Json& to) {
  for (const Json& row : part(from, key)) {
    if (!wanted(row)) continue;
    const Json* there = list_in(to, key);
    if (there == nullptr || std::find(there->begin(), there->end(), row) == there->end()) {
      to[key].push_back(row);
    }
  }
}

Ids sheet_gpus(const Json& inputs) { return texts_in(part(part(inputs, "sheet"), "gpus"), ""); }

/// What only one side can say of a GPU that only it sizes goes with the GPU: its prices, with who
/// asks them, its machines and its speed.
void lend_facts_of_gpus(const Json& from, const Json& other, const Groups& missing, Json& mix) {
  Ids gpus = sheet_gpus(from);
  for (const std::string& gpu : sheet_gpus(other)) gpus.erase(gpu);
  if (gpus.empty()) return;
  const auto of_gpu = [&](const Json& row) { return names_one_of(row, "gpu", gpus); };
  if (missing.contains("prices")) {
    lend(from, "prices", of_gpu, mix);
    const Ids known = texts_in(part(mix, "providers"), "id");
    const auto unknown = [&](const Json& row) { return !names_one_of(row, "id", known); };
    lend(from, "providers", unknown, mix);
    const auto any = [](const Json&) { return true; };
    lend(from, "exchange", any, mix);
    if (!mix.contains("exchange_max_age_days")) take(from, "exchange_max_age_days", mix);
  }
  if (missing.contains("ownership")) lend(from, "purchase_nodes", of_gpu, mix);
  if (!missing.contains("engine")) return;
  const Ids timed = texts_in(part(mix.at("engine"), "speeds"), "id");
  const auto untimed = [&](const Json& row) {
    return names_one_of(row, "id", gpus) && !names_one_of(row, "id", timed);
  };
  lend(from.at("engine"), "speeds", untimed, mix.at("engine"));
}

/// Inputs without what goes with GPUs that `other` does not size.
Json shared_part(Json inputs, const Json& other) {
  keep_gpus(inputs, sheet_gpus(inputs));
  keep_gpus(inputs, sheet_gpus(other));
  keep_of(inputs, "providers", "id", texts_in(part(inputs, "prices"), "provider"));
  return inputs;
}

void keep_known_demand(Json& mix) {
  Json& sheet = mix.at("sheet");
  if (!sheet.contains("plan")) return;
  Json& plan = sheet["plan"];
  keep_of(plan, "runs", "model", texts_in(part(sheet, "models"), "id"));
  keep_of(plan, "runs", "method", texts_in(part(sheet, "methods"), ""));
  keep_of(plan, "contracts", "gpu", sheet_gpus(mix));
  const Ids machines = texts_in(part(mix, "purchase_nodes"), "id");
  keep_of(plan, "machines", "machine", machines);
  if (Json& leads = plan["lead_months_of"]; leads.is_object()) {
    std::erase_if(leads.get_ref<Json::object_t&>(),
                  [&](const auto& lead) { return !machines.contains(lead.first); });
  } else {
    plan.erase("lead_months_of");
  }
  if (part(plan, "runs").empty()) sheet.erase("plan");
}

/// Where inputs name a part of a row's key.
struct NamingPlace {
  std::map<std::string, std::string> Renames::*renamed;
  const char* place;  ///< JSON pointer to a text or a list
  const char* field;  ///< of the list's entries; "" where the list is of texts
};
constexpr auto kNamingPlaces = std::to_array<NamingPlace>({
    {&Renames::models, "/models", "id"},
    {&Renames::models, "/sheet/models", "id"},
    {&Renames::models, "/sheet/highlight_model", ""},
    {&Renames::models, "/sheet/handout/models", ""},
    {&Renames::models, "/sheet/plan/runs", "model"},
    {&Renames::methods, "/sheet/plan/runs", "method"},
    {&Renames::gpus, "/sheet/plan/contracts", "gpu"},
    {&Renames::methods, "/methods", "id"},
    {&Renames::methods, "/sheet/methods", ""},
    {&Renames::methods, "/sheet/scenarios", "methods"},
    {&Renames::gpus, "/gpus", "id"},
    {&Renames::gpus, "/prices", "gpu"},
    {&Renames::gpus, "/purchase_nodes", "gpu"},
    {&Renames::gpus, "/engine/speeds", "id"},
    {&Renames::gpus, "/engine/speeds", "sibling"},
    {&Renames::gpus, "/sheet/gpus", ""},
    {&Renames::scenarios, "/scenarios", "id"},
    {&Renames::scenarios, "/sheet/scenarios", "id"},
});

void rename(Json& value, const std::string& field,
            const std::map<std::string, std::string>& names) {
  if (value.is_array()) {
    for (Json& element : value) rename(element, field, names);
  } else if (!field.empty()) {
    if (value.is_object() && value.contains(field)) rename(value[field], "", names);
  } else if (value.is_string()) {
    const auto entry = names.find(value.get<std::string>());
    if (entry != names.end()) value = entry->second;
  }
}

}  // namespace

Groups differing_groups(const Json& all_old_inputs, const Json& all_new_inputs) {
  const Json old_inputs = shared_part(all_old_inputs, all_new_inputs);
  const Json new_inputs = shared_part(all_new_inputs, all_old_inputs);
  Groups differing;
  const auto differ_in = [](const Json& a, const Json& b, const std::set<std::string>& keys) {
    return std::any_of(keys.begin(), keys.end(),
                       [&](const std::string& key) { return part(a, key) != part(b, key); });
  };
  for (const std::string& group : input_groups()) {
    const GroupKeys keys = keys_of_group(group);
    if (differ_in(old_inputs, new_inputs, keys.inputs) ||
        differ_in(part(old_inputs, "sheet"), part(new_inputs, "sheet"), keys.sheet)) {
      differing.insert(group);
    }
  }
  return differing;
}

Json inputs_under_new_names(Json inputs, const Renames& renames) {
  for (const NamingPlace& named : kNamingPlaces) {
    const Json::json_pointer pointer(named.place);
    if (inputs.contains(pointer)) rename(inputs[pointer], named.field, renames.*named.renamed);
  }
  for (const char* place : {"/models", "/methods", "/gpus", "/sheet/scenarios"}) {
    const Json::json_pointer pointer(place);
    if (!inputs.contains(pointer) || !inputs[pointer].is_array()) continue;
    for (Json& entry : inputs[pointer]) {
      if (entry.is_object()) entry.erase("was");
    }
  }
  return inputs;
}

Json mixed_inputs(const Json& old_inputs, const Json& new_inputs, const Groups& from_new) {
  Json mix = old_inputs;
  for (const std::string& group : from_new) {
    const GroupKeys keys = keys_of_group(group);
    for (const std::string& key : keys.inputs) take(new_inputs, key, mix);
    for (const std::string& key : keys.sheet) take(new_inputs.at("sheet"), key, mix.at("sheet"));
  }
  const bool new_gpus = from_new.contains("gpus");
  Groups elsewhere;  // groups that are of the other side than the GPUs
  for (const std::string& group : input_groups()) {
    if (from_new.contains(group) != new_gpus) elsewhere.insert(group);
  }
  if (new_gpus) {
    lend_facts_of_gpus(new_inputs, old_inputs, elsewhere, mix);
  } else {
    lend_facts_of_gpus(old_inputs, new_inputs, elsewhere, mix);
  }
  Json& sheet = mix.at("sheet");
  sheet.erase("handout");  // a mix is not printed, and may lack models that are named there
  keep_gpus(mix, sheet_gpus(mix));
  keep_known_demand(mix);
  if (Json* scenarios = list_in(sheet, "scenarios")) {
    const Ids methods = texts_in(part(sheet, "methods"), "");
    const auto without_method = [&](Json& scenario) {
      keep_of(scenario, "methods", "", methods);
      const Json* own = list_in(scenario, "methods");
      return own != nullptr && own->empty();
    };
    scenarios->erase(std::remove_if(scenarios->begin(), scenarios->end(), without_method),
                     scenarios->end());
  }
  return mix;
}

}  // namespace sizesheet
