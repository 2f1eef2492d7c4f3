// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/inputs.h"

#include <algorithm>
#include <map>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/facts/engine_constants.h"
#include "catalog/facts/gpu.h"
#include "catalog/facts/method.h"
#include "catalog/files/entry.h"
#include "catalog/models/model.h"
#include "catalog/prices/price.h"
#include "catalog/prices/price_age.h"
#include "catalog/prices/price_warnings.h"
#include "catalog/prices/project_rates.h"
#include "catalog/prices/provider.h"
#include "catalog/prices/purchase.h"
#include "catalog/prices/service.h"
#include "catalog/published/measured.h"
#include "sheet/assemble/checks.h"
#include "sheet/diff/earlier_programs.h"
#include "sheet/diff/edition.h"
#include "sheet/spec.h"
#include "sizing/time/throughput.h"
#include "support/error.h"
#include "support/json.h"
#include "support/named.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// A list that an edition without such entries lacks.
std::vector<ObjectReader> rows_or_none(ObjectReader& reader, const std::string& key) {
  if (!reader.mentions(key)) return {};
  return reader.objects(key);
}

template <typename Read>
auto read_each(std::vector<ObjectReader> rows, const Read& read) {
  std::vector<std::invoke_result_t<Read, ObjectReader&>> all;
  check_unique(rows, "id", "an id");
  for (ObjectReader& row : rows) all.push_back(read(row));
  return all;
}

template <typename T>
std::map<std::string, T> read_named(ObjectReader& reader, const std::string& key,
                                    T (*read)(ObjectReader)) {
  std::map<std::string, T> all;
  for (T& entry : read_each(reader.objects(key), read)) {
    const std::string id = entry.id;
    all.emplace(id, std::move(entry));
  }
  return all;
}

/// An older edition has none: its prices did not age.
void read_ages(ObjectReader& reader, const std::string& file, Faults& faults, Catalog& catalog) {
  if (!reader.mentions("price_age")) return;
  catalog.price_age =
      read_price_age(ObjectReader(reader.raw("price_age"), file, "/inputs/price_age", faults));
  for (ObjectReader& row : rows_or_none(reader, "price_history")) {
    catalog.price_histories.push_back(read_price_history(row));
  }
  note_rises(catalog.price_histories, catalog.price_age);
}

void read_prices(ObjectReader& reader, const std::string& file, Faults& faults, Catalog& catalog) {
  if (reader.mentions("exchange")) {
    const Json as_its_file = {{"rates", reader.raw("exchange")},
                              {"max_age_days", reader.raw("exchange_max_age_days")}};
    catalog.exchange = read_exchange(ObjectReader(as_its_file, file, "/inputs/exchange", faults));
  }
  std::set<std::string> seen;
  for (ObjectReader& row : rows_or_none(reader, "prices")) {
    Price price = read_price(row, read_filled_text(row, "provider"), catalog.exchange);
    refuse_repeated(price, seen, faults);
    catalog.prices.push_back(std::move(price));
  }
  mark_doubts(catalog.prices);
  catalog.providers = read_each(rows_or_none(reader, "providers"), read_provider);
  place_prices(catalog.providers, catalog.prices);
  read_ages(reader, file, faults, catalog);
  mark_ages(catalog.price_age, catalog.providers, catalog.prices);
}

void read_services(ObjectReader& reader, Faults& faults, Catalog& catalog) {
  std::set<std::string> seen;
  for (ObjectReader& row : rows_or_none(reader, "services")) {
    Service service = read_service_input(row);
    refuse_repeated(service, seen, faults);
    catalog.services.push_back(std::move(service));
  }
}

/// The entries of one edition.
Catalog catalog_from_inputs(const Json& inputs, const std::string& file) {
  Faults faults;
  ObjectReader reader(inputs, file, "/inputs", faults);
  Catalog catalog;
  catalog.models = read_named<Model>(reader, "models", read_model);
  catalog.gpus = read_named<Gpu>(reader, "gpus", read_gpu);
  catalog.methods = read_named<Method>(reader, "methods", read_method);
  catalog.stacks = read_named<Stack>(reader, "stacks", read_stack);
  catalog.engine = read_engine(reader.object("engine"), SpeedsIn::kEngine);
  catalog.intervals = read_intervals(reader.object("intervals"));
  catalog.speed_intervals = read_intervals(reader.object("speed_intervals"));
  if (reader.mentions("team_runs")) {
    ObjectReader runs = reader.object("team_runs");
    catalog.intervals.team = read_each(rows_or_none(runs, "memory"), read_team_run);
    catalog.speed_intervals.team = read_each(rows_or_none(runs, "speed"), read_team_run);
  }
  read_prices(reader, file, faults, catalog);
  read_services(reader, faults, catalog);
  catalog.purchase.nodes = read_each(rows_or_none(reader, "purchase_nodes"), read_purchase_node);
  catalog.purchase.rates = read_each(rows_or_none(reader, "rates"), read_rate);
  convert_rates(catalog.exchange, catalog.purchase.rates);
  if (reader.mentions("project")) {
    catalog.project =
        read_project_rates(ObjectReader(reader.raw("project"), file, "/inputs/project", faults));
  }
  faults.refuse();
  complete_earlier(catalog);
  return catalog;
}

/// The specification, with the day that the edition was made for.
SheetSpec spec_from_inputs(const Json& inputs, const std::string& file, const Catalog& catalog) {
  Faults faults;
  if (at_dotted(inputs, "sheet").is_null()) {
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

EditionInputs read_inputs(Json inputs, const std::string& file) {
  Catalog catalog = catalog_from_inputs(inputs, file);
  SheetSpec spec = spec_from_inputs(inputs, file, catalog);
  return {std::move(inputs), std::move(catalog), std::move(spec)};
}

EditionAges ages_of(const Json& inputs) {
  EditionAges ages;
  if (!inputs.is_object()) return ages;
  Faults faults;
  ObjectReader reader(inputs, "", "/inputs", faults);
  Catalog catalog;
  read_ages(reader, "", faults, catalog);
  ages.age = std::move(catalog.price_age);
  ages.providers = read_each(rows_or_none(reader, "providers"), read_provider);
  return faults.empty() ? ages : EditionAges{};
}

const std::vector<InputPlace>& input_places() {
  static const std::vector<InputPlace> kInputPlaces{
      {"prices", "/prices", nullptr, Affects::kOffer},
      {"prices", "/providers", "provider", Affects::kProvider, "providers/"},
      {"prices", "/exchange", "rates of exchange", Affects::kAll},
      {"prices", "/exchange_max_age_days", "age of rates of exchange", Affects::kAll},
      {"prices", "/sheet/prices", "price policy", Affects::kAll},
      {"prices", "/project/rates", "project rate", Affects::kNone, "project/"},
      {"prices", "/project/spot_interruptions", "interruptions of", Affects::kNone, "spot/"},
      {"prices", "/sheet/project", "project", Affects::kNone},
      {kAgeGroup, "/sheet/as_of", "day of the sheet", Affects::kAll},
      {kAgeGroup, "/price_age", "ages of prices", Affects::kAll},
      {kAgeGroup, "/price_history", nullptr, Affects::kNone},
      {"gpus", "/gpus", "GPU", Affects::kGpu, ""},
      {"gpus", "/sheet/gpus", "GPUs of the sheet", Affects::kNone},
      {"models", "/models", "model", Affects::kModel, ""},
      {"models", "/sheet/models", "label of model", Affects::kNone, "labels/"},
      {"models", "/sheet/highlight_model", "highlighted model", Affects::kNone},
      {"methods", "/methods", "method", Affects::kMethod, ""},
      {"methods", "/sheet/methods", "methods of the sheet", Affects::kNone},
      {"workload", "/stacks", "stack", Affects::kStack, "stacks/"},
      {"workload", "/scenarios", nullptr, Affects::kScenario},
      {"workload", "/sheet/scenarios", "scenario", Affects::kScenario, "scenarios/"},
      {"workload", "/sheet/tokens", "workload tokens", Affects::kAll},
      {"workload", "/sheet/adapter_tokens", "workload tokens of adapters", Affects::kAll},
      {"workload", "/sheet/headroom", "workload headroom", Affects::kAll},
      {"workload", "/sheet/max_gpus", "workload max_gpus", Affects::kAll},
      {"workload", "/sheet/deadline_hours", "workload deadline_hours", Affects::kAll},
      {"workload", "/sheet/picks", "rules of picks", Affects::kAll},
      {"workload", "/sheet/series_seq_lens", "workload series_seq_lens", Affects::kNone},
      {"workload", "/sheet/pick_seq_lens", "workload pick_seq_lens", Affects::kNone},
      {"ownership", "/purchase_nodes", "machine", Affects::kMachine, "machines/"},
      {"ownership", "/rates", "rate", Affects::kOwned, "rates/"},
      {"ownership", "/sheet/ownership", "ownership", Affects::kOwned},
      {kServiceGroup, "/services", nullptr, Affects::kNone},
      {"engine", "/engine/constants", "constant", Affects::kAll, "constants/"},
      {"engine", "/engine/recipes", "state recipe", Affects::kAll, "recipes/"},
      {"engine", "/engine/optimizers", "optimizer", Affects::kAll, "optimizers/"},
      {"engine", "/engine/losses", "loss", Affects::kAll, "losses/"},
      {"engine", "/engine/speeds", "speed of", Affects::kGpu, "speeds/"},
      {"engine", "/intervals/classes", "interval of memory", Affects::kAll, "intervals/"},
      {"engine", "/intervals/rules", "rules of intervals of memory", Affects::kAll},
      {"engine", "/speed_intervals/classes", "interval of speed", Affects::kAll,
       "speed_intervals/"},
      {"engine", "/speed_intervals/rules", "rules of intervals of speed", Affects::kAll},
      {kMeasuredGroup, "/team_runs/memory", "memory of your run", Affects::kAll},
      {kMeasuredGroup, "/team_runs/speed", "speed of your run", Affects::kAll},
      {kDemandGroup, "/sheet/plan", "demand", Affects::kNone},
  };
  return kInputPlaces;
}

std::set<std::string> keys_of_group(const std::string& group) {
  std::set<std::string> keys;
  for (const InputPlace& place : input_places()) {
    if (place.group != group) continue;
    Json::json_pointer key(place.place);
    if (!starts_with(place.place, "/sheet/")) {
      while (!key.parent_pointer().empty()) key.pop_back();
    }
    keys.insert(key.to_string());
  }
  return keys;
}

const Json& input_at(const Json& inputs, const std::string& place) {
  static const Json kNothing;
  const Json::json_pointer pointer(place);
  return inputs.contains(pointer) ? inputs.at(pointer) : kNothing;
}

// ---- Inputs under other names, and inputs of which some groups are OLD's and some NEW's.

namespace {

using Ids = std::set<std::string>;

/// The list under `key`, or nothing to go through.
Json* list_in(Json& object, const std::string& key) {
  if (!object.is_object() || !object.contains(key) || !object[key].is_array()) return nullptr;
  return &object[key];
}

/// The text under `field` of an object, or the value itself where `field` is ""; nullptr for none.
const std::string* text_of(const Json& value, const std::string& field) {
  return (field.empty() ? value : at_dotted(value, field)).get_ptr<const std::string*>();
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
  keep_of(inputs, "price_history", "gpu", gpus);
  keep_of(inputs, "purchase_nodes", "gpu", gpus);
}

/// What stands at a JSON pointer, or its absence.
void take(const Json& from, const std::string& place, Json& to) {
  const Json::json_pointer pointer(place);
  if (from.contains(pointer)) {
    to[pointer] = from.at(pointer);
  } else {
    to.at(pointer.parent_pointer()).erase(pointer.back());
  }
}

/// Appends the elements of `from` that `wanted` picks and that have no equal in `to` yet.
template <typename Wanted>
void lend(const Json& from, const std::string& key, const Wanted& wanted, Json& to) {
  for (const Json& row : at_dotted(from, key)) {
    if (!wanted(row)) continue;
    const Json* there = list_in(to, key);
    if (there == nullptr || std::find(there->begin(), there->end(), row) == there->end()) {
      to[key].push_back(row);
    }
  }
}

Ids sheet_gpus(const Json& inputs) { return texts_in(at_dotted(inputs, "sheet.gpus"), ""); }

/// What only one side can say of a GPU that only it sizes goes with the GPU: its prices, with who
/// asks them, its machines and its speed.
void lend_facts_of_gpus(const Json& from, const Json& other, const Groups& missing, Json& mix) {
  Ids gpus = sheet_gpus(from);
  for (const std::string& gpu : sheet_gpus(other)) gpus.erase(gpu);
  if (gpus.empty()) return;
  const auto of_gpu = [&](const Json& row) { return names_one_of(row, "gpu", gpus); };
  if (missing.contains("prices")) {
    lend(from, "prices", of_gpu, mix);
    const Ids known = texts_in(at_dotted(mix, "providers"), "id");
    const auto unknown = [&](const Json& row) { return !names_one_of(row, "id", known); };
    lend(from, "providers", unknown, mix);
    const auto any = [](const Json&) { return true; };
    lend(from, "exchange", any, mix);
    if (!mix.contains("exchange_max_age_days")) take(from, "/exchange_max_age_days", mix);
  }
  if (missing.contains(kAgeGroup)) lend(from, "price_history", of_gpu, mix);
  if (missing.contains("ownership")) lend(from, "purchase_nodes", of_gpu, mix);
  if (!missing.contains("engine")) return;
  const Ids timed = texts_in(at_dotted(mix, "engine.speeds"), "id");
  const auto untimed = [&](const Json& row) {
    return names_one_of(row, "id", gpus) && !names_one_of(row, "id", timed);
  };
  lend(from.at("engine"), "speeds", untimed, mix.at("engine"));
}

/// Inputs without what goes with GPUs that `other` does not size.
Json shared_part(Json inputs, const Json& other) {
  keep_gpus(inputs, sheet_gpus(inputs));
  keep_gpus(inputs, sheet_gpus(other));
  keep_of(inputs, "providers", "id", texts_in(at_dotted(inputs, "prices"), "provider"));
  if (at_dotted(inputs, "price_history").empty()) inputs.erase("price_history");
  return inputs;
}

void keep_known_demand(Json& mix) {
  Json& sheet = mix.at("sheet");
  if (!sheet.contains("plan")) return;
  Json& plan = sheet["plan"];
  keep_of(plan, "runs", "model", texts_in(at_dotted(sheet, "models"), "id"));
  keep_of(plan, "runs", "method", texts_in(at_dotted(sheet, "methods"), ""));
  keep_of(plan, "contracts", "gpu", sheet_gpus(mix));
  const Ids machines = texts_in(at_dotted(mix, "purchase_nodes"), "id");
  keep_of(plan, "machines", "machine", machines);
  if (Json& leads = plan["lead_months_of"]; leads.is_object()) {
    std::erase_if(leads.get_ref<Json::object_t&>(),
                  [&](const auto& lead) { return !machines.contains(lead.first); });
  } else {
    plan.erase("lead_months_of");
  }
  if (at_dotted(plan, "runs").empty()) sheet.erase("plan");
}

/// Where inputs name a part of a row's key.
struct NamingPlace {
  NewNames Renames::*renamed;
  const char* place;  ///< JSON pointer to a text or a list
  const char* field;  ///< of the list's entries; "" where the list is of texts
};
constexpr auto kNamingPlaces = std::to_array<NamingPlace>({
    {&Renames::models, "/models", "id"},
    {&Renames::models, "/services", "models"},
    {&Renames::models, "/sheet/models", "id"},
    {&Renames::models, "/sheet/highlight_model", ""},
    {&Renames::models, "/sheet/project", "model"},
    {&Renames::methods, "/sheet/project", "method"},
    {&Renames::models, "/sheet/handout/models", ""},
    {&Renames::gpus, "/sheet/handout/gpus", ""},
    {&Renames::models, "/sheet/plan/runs", "model"},
    {&Renames::methods, "/sheet/plan/runs", "method"},
    {&Renames::gpus, "/sheet/plan/contracts", "gpu"},
    {&Renames::methods, "/methods", "id"},
    {&Renames::methods, "/sheet/methods", ""},
    {&Renames::methods, "/sheet/scenarios", "methods"},
    {&Renames::gpus, "/gpus", "id"},
    {&Renames::gpus, "/prices", "gpu"},
    {&Renames::gpus, "/price_history", "gpu"},
    {&Renames::gpus, "/purchase_nodes", "gpu"},
    {&Renames::gpus, "/engine/speeds", "id"},
    {&Renames::gpus, "/engine/speeds", "sibling"},
    {&Renames::gpus, "/sheet/gpus", ""},
    {&Renames::scenarios, "/scenarios", "id"},
    {&Renames::scenarios, "/sheet/scenarios", "id"},
});

void rename(Json& value, const std::string& field, const NewNames& names) {
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
  for (const std::string& group : kInputGroups) {
    const bool differs = std::ranges::any_of(keys_of_group(group), [&](const std::string& key) {
      return input_at(old_inputs, key) != input_at(new_inputs, key);
    });
    if (differs) differing.insert(group);
  }
  return differing;
}

Json inputs_under_new_names(Json inputs, const Renames& renames) {
  for (const NamingPlace& named : kNamingPlaces) {
    const Json::json_pointer pointer(named.place);
    if (inputs.contains(pointer)) rename(inputs[pointer], named.field, renames.*named.renamed);
  }
  for (const RowPart& part : kRowParts) {
    const Json::json_pointer pointer(part.inputs);
    if (!inputs.contains(pointer) || !inputs[pointer].is_array()) continue;
    for (Json& entry : inputs[pointer]) {
      if (entry.is_object()) entry.erase("was");
    }
  }
  return inputs;
}

Json mixed_inputs(const Json& old_inputs, const Json& new_inputs, const Groups& switched) {
  Groups from_new = switched;
  if (std::ranges::any_of(switched, comes_with_its_day)) from_new.insert(kAgeGroup);
  Json mix = old_inputs;
  for (const std::string& group : from_new) {
    for (const std::string& key : keys_of_group(group)) take(new_inputs, key, mix);
  }
  const bool new_gpus = from_new.contains("gpus");
  Groups elsewhere;  // groups that are of the other side than the GPUs
  for (const std::string& group : kInputGroups) {
    if (from_new.contains(group) != new_gpus) elsewhere.insert(group);
  }
  if (new_gpus) {
    lend_facts_of_gpus(new_inputs, old_inputs, elsewhere, mix);
  } else {
    lend_facts_of_gpus(old_inputs, new_inputs, elsewhere, mix);
  }
  Json& sheet = mix.at("sheet");
  // A mix is not printed, and may lack models that are named there; no row rests on a project.
  for (const char* key : {"handout", "project"}) sheet.erase(key);
  keep_gpus(mix, sheet_gpus(mix));
  keep_known_demand(mix);
  if (Json* scenarios = list_in(sheet, "scenarios")) {
    const Ids methods = texts_in(at_dotted(sheet, "methods"), "");
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
