// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/inputs.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "catalog/loader.h"
#include "catalog/prices/price.h"
#include "sheet/build/checks.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// A list that an edition without such entries lacks.
std::vector<ObjectReader> rows_or_none(ObjectReader& reader, const std::string& key) {
  if (!reader.mentions(key)) return {};
  return reader.objects(key);
}

template <typename T>
std::map<std::string, T> read_named(ObjectReader& reader, const std::string& key,
                                    T (*read)(ObjectReader)) {
  std::map<std::string, T> all;
  std::vector<ObjectReader> rows = reader.objects(key);
  check_unique(rows, "id", "an id");
  for (ObjectReader& row : rows) {
    T entry = read(row);
    const std::string id = entry.id;
    all.emplace(id, std::move(entry));
  }
  return all;
}

template <typename T>
std::vector<T> read_listed(ObjectReader& reader, const std::string& key, T (*read)(ObjectReader&)) {
  std::vector<T> all;
  std::vector<ObjectReader> rows = rows_or_none(reader, key);
  check_unique(rows, "id", "an id");
  for (ObjectReader& row : rows) all.push_back(read(row));
  return all;
}

/// The rates of exchange in the shape of their own file; the reader points into `json`.
Exchange exchange_of(const Json& json, const std::string& file, Faults& faults) {
  return read_exchange(ObjectReader(json, file, "/inputs/exchange", faults));
}

void read_prices(ObjectReader& reader, const std::string& file, Faults& faults, Catalog& catalog) {
  if (reader.mentions("exchange")) {
    const Json exchange = {{"rates", reader.raw("exchange")},
                           {"max_age_days", reader.raw("exchange_max_age_days")}};
    catalog.exchange = exchange_of(exchange, file, faults);
  }
  std::set<std::string> seen;
  for (ObjectReader& row : rows_or_none(reader, "prices")) {
    Price price = read_price(row, read_filled_text(row, "provider"), catalog.exchange);
    refuse_repeated(price, seen, faults);
    catalog.prices.push_back(std::move(price));
  }
  mark_doubts(catalog.prices);
  catalog.providers = read_listed(reader, "providers", read_provider);
  place_prices(catalog.providers, catalog.prices);
}

}  // namespace

std::vector<std::string> missing_inputs(const Json& inputs) {
  std::vector<std::string> missing;
  for (const char* key : {"sheet", "models", "methods", "gpus", "stacks", "rates", "engine",
                          "intervals", "speed_intervals"}) {
    if (!inputs.is_object() || !inputs.contains(key)) missing.emplace_back(key);
  }
  if (inputs.is_object() && inputs.contains("exchange") &&
      !inputs.contains("exchange_max_age_days")) {
    missing.emplace_back("exchange_max_age_days");
  }
  return missing;
}

Catalog catalog_from_inputs(const Json& inputs, const std::string& file) {
  Faults faults;
  ObjectReader reader(inputs, file, "/inputs", faults);
  Catalog catalog;
  catalog.models = read_named<Model>(reader, "models", read_model);
  catalog.gpus = read_named<Gpu>(reader, "gpus", read_gpu);
  catalog.methods = read_named<Method>(reader, "methods", read_method);
  catalog.stacks = read_named<Stack>(reader, "stacks", read_stack);
  catalog.engine = read_engine(reader.object("engine"));
  catalog.intervals = read_intervals(reader.object("intervals"));
  catalog.speed_intervals = read_intervals(reader.object("speed_intervals"));
  read_prices(reader, file, faults, catalog);
  catalog.purchase.nodes = read_listed(reader, "purchase_nodes", read_purchase_node);
  catalog.purchase.rates = read_listed(reader, "rates", read_rate);
  convert_rates(catalog.exchange, catalog.purchase.rates);
  faults.refuse();
  return catalog;
}

SheetSpec spec_from_inputs(const Json& inputs, const std::string& file, const Catalog& catalog) {
  Faults faults;
  ObjectReader reader(inputs, file, "/inputs", faults);
  if (!reader.has("sheet")) {
    throw InputError(file + ":/inputs/sheet: expected an object, got nothing");
  }
  const ObjectReader sheet(inputs.at("sheet"), file, "/inputs/sheet", faults);
  SheetSpec spec = read_sheet_spec(sheet, catalog, PriceOrigins::kTrusted);
  if (faults.empty()) {
    check_rates(spec.ownership, catalog.purchase, file, "/inputs/rates", faults);
  }
  faults.refuse();
  return spec;
}

EditionInputs read_inputs(Json inputs, const std::string& file) {
  Catalog catalog = catalog_from_inputs(inputs, file);
  SheetSpec spec = spec_from_inputs(inputs, file, catalog);
  return {std::move(inputs), std::move(catalog), std::move(spec)};
}

namespace {

using Names = std::map<std::string, std::string>;

Json part(const Json& object, const std::string& key) {
  return object.is_object() ? object.value(key, Json()) : Json();
}

/// The list under `key`, or nothing to go through.
Json* list_in(Json& object, const std::string& key) {
  if (!object.is_object() || !object.contains(key) || !object[key].is_array()) return nullptr;
  return &object[key];
}

void rename_text(Json& text, const Names& names) {
  if (!text.is_string()) return;
  const auto entry = names.find(text.get<std::string>());
  if (entry != names.end()) text = entry->second;
}

void rename_texts(Json& object, const std::string& key, const Names& names) {
  if (Json* list = list_in(object, key)) {
    for (Json& text : *list) rename_text(text, names);
  }
}

/// The text under `field` of every object in the list.
void rename_field(Json& object, const std::string& key, const std::string& field,
                  const Names& names) {
  if (Json* list = list_in(object, key)) {
    for (Json& element : *list) {
      if (element.is_object() && element.contains(field)) rename_text(element[field], names);
    }
  }
}

void drop_earlier_ids(Json& object, const std::string& key) {
  if (Json* list = list_in(object, key)) {
    for (Json& entry : *list) {
      if (entry.is_object()) entry.erase("was");
    }
  }
}

std::set<std::string> ids_in(const Json& list) {
  std::set<std::string> ids;
  for (const Json& one : list) {
    if (one.is_string()) ids.insert(one.get<std::string>());
  }
  return ids;
}

bool names_one_of(const Json& object, const std::string& key, const std::set<std::string>& ids) {
  return object.is_object() && object.contains(key) && object.at(key).is_string() &&
         ids.contains(object.at(key).get<std::string>());
}

/// The texts under `key` in the objects of a list.
std::set<std::string> texts_in(const Json& list, const std::string& key) {
  std::set<std::string> texts;
  for (const Json& row : list) {
    if (row.is_object() && row.contains(key) && row.at(key).is_string()) {
      texts.insert(row.at(key).get<std::string>());
    }
  }
  return texts;
}

void drop_other_gpus(Json& inputs, const std::string& key, const std::set<std::string>& gpus) {
  if (Json* list = list_in(inputs, key)) {
    const auto other = [&](const Json& row) { return !names_one_of(row, "gpu", gpus); };
    list->erase(std::remove_if(list->begin(), list->end(), other), list->end());
  }
}

void drop_other_methods(Json& sheet, const std::set<std::string>& methods) {
  Json* scenarios = list_in(sheet, "scenarios");
  if (scenarios == nullptr) return;
  const auto without_method = [&](Json& scenario) {
    Json* own = list_in(scenario, "methods");
    if (own == nullptr) return false;
    const auto other = [&](const Json& id) {
      return !id.is_string() || !methods.contains(id.get<std::string>());
    };
    own->erase(std::remove_if(own->begin(), own->end(), other), own->end());
    return own->empty();
  };
  scenarios->erase(std::remove_if(scenarios->begin(), scenarios->end(), without_method),
                   scenarios->end());
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

std::set<std::string> sheet_gpus(const Json& inputs) {
  return ids_in(part(part(inputs, "sheet"), "gpus"));
}

/// What only one side can say of a GPU that only it sizes goes with the GPU: its prices, with who
/// asks them, its machines and its speed.
void lend_facts_of_gpus(const Json& from, const Json& other, const Groups& missing, Json& mix) {
  std::set<std::string> gpus = sheet_gpus(from);
  for (const std::string& gpu : sheet_gpus(other)) gpus.erase(gpu);
  if (gpus.empty()) return;
  const auto of_gpu = [&](const Json& row) { return names_one_of(row, "gpu", gpus); };
  if (missing.contains("prices")) {
    lend(from, "prices", of_gpu, mix);
    const std::set<std::string> known = texts_in(part(mix, "providers"), "id");
    lend(
        from, "providers", [&](const Json& row) { return !names_one_of(row, "id", known); }, mix);
    lend(
        from, "exchange", [](const Json&) { return true; }, mix);
    if (!mix.contains("exchange_max_age_days")) take(from, "exchange_max_age_days", mix);
  }
  if (missing.contains("ownership")) lend(from, "purchase_nodes", of_gpu, mix);
  if (!missing.contains("engine")) return;
  const std::set<std::string> timed = texts_in(part(mix.at("engine"), "speeds"), "id");
  const auto untimed = [&](const Json& row) {
    return names_one_of(row, "id", gpus) && !names_one_of(row, "id", timed);
  };
  lend(from.at("engine"), "speeds", untimed, mix.at("engine"));
}

/// Inputs without what goes with GPUs that `other` does not size.
Json shared_part(Json inputs, const Json& other) {
  for (const std::set<std::string>& gpus : {sheet_gpus(inputs), sheet_gpus(other)}) {
    drop_other_gpus(inputs, "prices", gpus);
    drop_other_gpus(inputs, "purchase_nodes", gpus);
  }
  const std::set<std::string> providers = texts_in(part(inputs, "prices"), "provider");
  if (Json* list = list_in(inputs, "providers")) {
    const auto unused = [&](const Json& row) { return !names_one_of(row, "id", providers); };
    list->erase(std::remove_if(list->begin(), list->end(), unused), list->end());
  }
  return inputs;
}

}  // namespace

const std::vector<std::string>& input_groups() {
  static const std::vector<std::string> kGroups{"prices",   "gpus",      "models", "methods",
                                                "workload", "ownership", "engine"};
  return kGroups;
}

const std::vector<std::string>& switch_order() {
  static const std::vector<std::string> kOrder{"engine",   "models",    "methods", "gpus",
                                               "workload", "ownership", "prices"};
  return kOrder;
}

const GroupKeys& keys_of_group(const std::string& group) {
  static const std::map<std::string, GroupKeys> kKeys{
      {"prices",
       {{"prices", "providers", "exchange", "exchange_max_age_days"}, {"prices", "as_of"}}},
      {"gpus", {{"gpus"}, {"gpus"}}},
      {"models", {{"models"}, {"models", "highlight_model"}}},
      {"methods", {{"methods"}, {"methods"}}},
      {"workload",
       {{"stacks", "scenarios"},
        {"scenarios", "tokens", "headroom", "max_gpus", "deadline_hours", "series_seq_lens"}}},
      {"ownership", {{"purchase_nodes", "rates"}, {"ownership"}}},
      {"engine", {{"engine", "intervals", "speed_intervals"}, {}}}};
  return kKeys.at(group);
}

Groups differing_groups(const Json& all_old_inputs, const Json& all_new_inputs) {
  const Json old_inputs = shared_part(all_old_inputs, all_new_inputs);
  const Json new_inputs = shared_part(all_new_inputs, all_old_inputs);
  Groups differing;
  const Json old_sheet = part(old_inputs, "sheet");
  const Json new_sheet = part(new_inputs, "sheet");
  for (const std::string& group : input_groups()) {
    const GroupKeys& keys = keys_of_group(group);
    const auto differs = [&](const Json& a, const Json& b, const std::vector<std::string>& all) {
      return std::any_of(all.begin(), all.end(),
                         [&](const std::string& key) { return part(a, key) != part(b, key); });
    };
    if (differs(old_inputs, new_inputs, keys.inputs) || differs(old_sheet, new_sheet, keys.sheet)) {
      differing.insert(group);
    }
  }
  return differing;
}

Json inputs_under_new_names(Json inputs, const Renames& renames) {
  if (!inputs.is_object()) return inputs;
  for (const char* key : {"models", "methods", "gpus"}) drop_earlier_ids(inputs, key);
  rename_field(inputs, "models", "id", renames.models);
  rename_field(inputs, "methods", "id", renames.methods);
  rename_field(inputs, "gpus", "id", renames.gpus);
  rename_field(inputs, "scenarios", "id", renames.scenarios);
  rename_field(inputs, "prices", "gpu", renames.gpus);
  rename_field(inputs, "purchase_nodes", "gpu", renames.gpus);
  if (inputs.contains("engine")) rename_field(inputs["engine"], "speeds", "id", renames.gpus);
  if (!inputs.contains("sheet") || !inputs["sheet"].is_object()) return inputs;
  Json& sheet = inputs["sheet"];
  drop_earlier_ids(sheet, "scenarios");
  rename_field(sheet, "models", "id", renames.models);
  if (sheet.contains("highlight_model")) rename_text(sheet["highlight_model"], renames.models);
  if (sheet.contains("handout") && sheet["handout"].is_object()) {
    rename_texts(sheet["handout"], "models", renames.models);
  }
  rename_texts(sheet, "methods", renames.methods);
  rename_texts(sheet, "gpus", renames.gpus);
  rename_field(sheet, "scenarios", "id", renames.scenarios);
  if (Json* scenarios = list_in(sheet, "scenarios")) {
    for (Json& scenario : *scenarios) rename_texts(scenario, "methods", renames.methods);
  }
  return inputs;
}

Json mixed_inputs(const Json& old_inputs, const Json& new_inputs, const Groups& from_new) {
  Json mix = old_inputs;
  for (const std::string& group : from_new) {
    const GroupKeys& keys = keys_of_group(group);
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
  mix.at("sheet").erase("handout");  // a mix is sized, not printed, and may lack chosen models
  const std::set<std::string> gpus = sheet_gpus(mix);
  drop_other_gpus(mix, "prices", gpus);
  drop_other_gpus(mix, "purchase_nodes", gpus);
  drop_other_methods(mix.at("sheet"), ids_in(part(mix.at("sheet"), "methods")));
  return mix;
}

}  // namespace sizesheet
