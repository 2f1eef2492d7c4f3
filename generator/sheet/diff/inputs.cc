// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/inputs.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "catalog/loader.h"
#include "catalog/prices/price.h"
#include "sheet/spec.h"
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
  catalog.providers = read_listed(reader, "providers", read_provider);
  place_prices(catalog.providers, catalog.prices);
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

/// The specification, with the day that the edition was made for.
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

const std::vector<std::string>& input_groups() {
  static const std::vector<std::string> kGroups{"prices",   "gpus",      "models", "methods",
                                                "workload", "ownership", "engine", kDemandGroup};
  return kGroups;
}

const std::vector<std::string>& switch_order() {
  static const std::vector<std::string> kOrder{"engine",   "models",    "methods", "gpus",
                                               "workload", "ownership", "prices",  kDemandGroup};
  return kOrder;
}

const std::vector<InputPlace>& input_places() {
  static const std::vector<InputPlace> kInputPlaces{
      {"prices", "/prices", nullptr, Bears::kOffer},
      {"prices", "/providers", "provider", Bears::kProvider, "providers/"},
      {"prices", "/exchange", "rates of exchange", Bears::kAll},
      {"prices", "/exchange_max_age_days", "age of rates of exchange", Bears::kAll},
      {"prices", "/sheet/prices", "price policy", Bears::kAll},
      {"prices", "/sheet/as_of", "day of the sheet", Bears::kNone},
      {"gpus", "/gpus", "GPU", Bears::kGpu, ""},
      {"gpus", "/sheet/gpus", "GPUs of the sheet", Bears::kNone},
      {"models", "/models", "model", Bears::kModel, ""},
      {"models", "/sheet/models", "label of model", Bears::kNone, "labels/"},
      {"models", "/sheet/highlight_model", "highlighted model", Bears::kNone},
      {"methods", "/methods", "method", Bears::kMethod, ""},
      {"methods", "/sheet/methods", "methods of the sheet", Bears::kNone},
      {"workload", "/stacks", "stack", Bears::kStack, "stacks/"},
      {"workload", "/scenarios", nullptr, Bears::kScenario},
      {"workload", "/sheet/scenarios", "scenario", Bears::kScenario, "scenarios/"},
      {"workload", "/sheet/tokens", "workload tokens", Bears::kAll},
      {"workload", "/sheet/adapter_tokens", "workload tokens of adapters", Bears::kAll},
      {"workload", "/sheet/headroom", "workload headroom", Bears::kAll},
      {"workload", "/sheet/max_gpus", "workload max_gpus", Bears::kAll},
      {"workload", "/sheet/deadline_hours", "workload deadline_hours", Bears::kAll},
      {"workload", "/sheet/picks", "rules of picks", Bears::kAll},
      {"workload", "/sheet/series_seq_lens", "workload series_seq_lens", Bears::kNone},
      {"ownership", "/purchase_nodes", "machine", Bears::kMachine, "machines/"},
      {"ownership", "/rates", "rate", Bears::kOwned, "rates/"},
      {"ownership", "/sheet/ownership", "ownership", Bears::kOwned},
      {"engine", "/engine/constants", "constant", Bears::kAll, "constants/"},
      {"engine", "/engine/recipes", "state recipe", Bears::kAll, "recipes/"},
      {"engine", "/engine/optimizers", "optimizer", Bears::kAll, "optimizers/"},
      {"engine", "/engine/losses", "loss", Bears::kAll, "losses/"},
      {"engine", "/engine/speeds", "speed of", Bears::kGpu, "speeds/"},
      {"engine", "/intervals/classes", "interval of memory", Bears::kAll, "intervals/"},
      {"engine", "/intervals/rules", "rules of intervals of memory", Bears::kAll},
      {"engine", "/speed_intervals/classes", "interval of speed", Bears::kAll, "speed_intervals/"},
      {"engine", "/speed_intervals/rules", "rules of intervals of speed", Bears::kAll},
      {kDemandGroup, "/sheet/plan", "demand", Bears::kNone},
  };
  return kInputPlaces;
}

GroupKeys keys_of_group(const std::string& group) {
  GroupKeys keys;
  for (const InputPlace& place : input_places()) {
    if (place.group != group) continue;
    const std::vector<std::string> path = split(place.place, '/');  // begins with ""
    const bool sheet = path[1] == "sheet";
    (sheet ? keys.sheet : keys.inputs).insert(path[sheet ? 2 : 1]);
  }
  return keys;
}

}  // namespace sizesheet
