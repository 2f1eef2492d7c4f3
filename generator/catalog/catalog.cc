// SPDX-License-Identifier: Apache-2.0
#include "catalog/catalog.h"

#include <algorithm>
#include <set>
#include <utility>

#include "catalog/facts/engine_constants.h"
#include "catalog/facts/gpu.h"
#include "catalog/facts/method.h"
#include "catalog/files/entry.h"
#include "catalog/files/layer.h"
#include "catalog/files/loader.h"
#include "catalog/models/model.h"
#include "catalog/models/model_alias.h"
#include "catalog/prices/accelerator_names.h"
#include "catalog/prices/price.h"
#include "catalog/prices/price_age.h"
#include "catalog/prices/price_warnings.h"
#include "catalog/prices/project_rates.h"
#include "catalog/prices/provider.h"
#include "catalog/prices/purchase.h"
#include "catalog/prices/service.h"
#include "catalog/published/convention.h"
#include "catalog/published/measured.h"
#include "catalog/published/worksheet.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

template <typename Known>
const auto& look_up(const Known& all, const std::string& id, const char* what) {
  return entry_of(all, id, what, " is not in the catalog");
}

void load_price_file(CatalogLoader& loader, const std::string& path,
                     const std::vector<std::string>& gpus, Catalog& catalog) {
  const std::size_t first = catalog.prices.size();
  ObjectReader rest = loader.read_each(path, "rows", [&](ObjectReader& row) {
    if (!row.whole().is_object()) return;
    catalog.prices.push_back(read_price(row, "", catalog.exchange));
    if (!is_empty_text(row.raw("gpu"))) check_reference(row, "gpu", "GPU", gpus);
  });
  const std::string provider = read_filled_text(rest, "provider");
  for (std::size_t i = first; i < catalog.prices.size(); ++i) catalog.prices[i].provider = provider;
  rest.done();
}

void load_prices(CatalogLoader& loader, const CatalogFiles& files, Faults& faults,
                 Catalog& catalog) {
  const std::vector<std::string> gpus = keys_of(catalog.gpus);
  if (files.contains("exchange.json")) {
    catalog.exchange = read_exchange(loader.reader("exchange.json"));
  }
  std::vector<std::string> paths;
  std::size_t most = 0;  // rows; moving them takes a large catalog longer than what is done to them
  for (const std::string& stem : stems_in(files, "prices")) {
    if (stem == "excluded") continue;
    paths.push_back("prices/" + stem + ".json");
    const std::string& bytes = files.at(paths.back());
    most += static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '{'));
  }
  catalog.prices.reserve(most);
  for (const std::string& path : paths) load_price_file(loader, path, gpus, catalog);
  std::set<std::string> seen;
  for (const Price& price : catalog.prices) refuse_repeated(price, seen, faults);
  mark_doubts(catalog.prices);
  ObjectReader excluded = loader.reader("prices/excluded.json");
  for (ObjectReader& row : excluded.objects("excluded")) {
    catalog.excluded_prices.push_back(read_excluded_price(row));
  }
  excluded.done();
}

/// Each rate with its service, which the file names once. A catalog may do without any.
void load_services(CatalogLoader& loader, const CatalogFiles& files, Faults& faults,
                   Catalog& catalog) {
  const std::vector<std::string> models = keys_of(catalog.models);
  std::set<std::string> seen;
  for (const std::string& stem : stems_in(files, "services")) {
    ObjectReader file = loader.reader("services/" + stem + ".json");
    const std::string provider = read_filled_text(file, "provider");
    const std::string title = read_filled_text(file, "title");
    for (ObjectReader& row : read_rows(file, "rows")) {
      Service service = read_service(row, provider, title);
      for (std::size_t i = 0; i < service.models.size(); ++i) {
        if (contains(models, service.models[i])) continue;
        row.fault_below("/models/" + std::to_string(i),
                        not_in_catalog("model", service.models[i], models));
      }
      refuse_repeated(service, seen, faults);
      catalog.services.push_back(std::move(service));
    }
    file.done();
  }
}

/// One list of a file, every id, or what else `unique` names, once.
template <typename T>
std::vector<T> load_list(CatalogLoader& loader, const std::string& path, const std::string& key,
                         T (*read)(ObjectReader&), const std::string& unique = "id",
                         const std::string& what = "an id") {
  ObjectReader reader = loader.reader(path);
  std::vector<T> list = read_list(reader, key, read, unique, what);
  reader.done();
  return list;
}

/// What a row of measurements may name; flags are faults where their reasons are not loaded.
MeasuredNames measured_names(const Catalog& catalog) {
  MeasuredNames known{keys_of(catalog.models), keys_of(catalog.gpus),
                      each_of(catalog.validation.reasons, &OutOfModelReason::id)};
  std::erase(known.reasons, kRefusedRequest);
  return known;
}

void load_team_runs(CatalogLoader& loader, const CatalogFiles& files, Catalog& catalog,
                    Faults& faults) {
  if (!files.contains(kTeamRunsFile)) return;
  catalog.team_runs = read_measured_source(loader.reader(kTeamRunsFile));
  std::set<std::string> seen;
  check_measured(*catalog.team_runs, loader.shown_path(kTeamRunsFile), measured_names(catalog),
                 seen, faults);
}

void load_measured(CatalogLoader& loader, Catalog& catalog, Faults& faults) {
  catalog.validation = read_validation_rules(loader.reader("validation.json"));
  catalog.measured = loader.entries_if_any<MeasuredSource>("measured", read_measured_source);
  catalog.measured.erase(kTeamRuns);
  const MeasuredNames known = measured_names(catalog);
  std::set<std::string> seen;
  for (const auto& [id, source] : catalog.measured) {
    check_measured(source, loader.shown_path("measured/" + id + ".json"), known, seen, faults);
  }
}

/// Every guide's accounting, and its figures from the file of the same name one folder down.
void load_conventions(CatalogLoader& loader, const CatalogFiles& files, Faults& faults,
                      Catalog& catalog) {
  catalog.conventions = loader.entries<Convention>("conventions", read_convention);
  for (auto& [id, convention] : catalog.conventions) {
    ObjectReader reader = loader.reader("conventions/figures/" + id + ".json");
    convention.figures = read_guide_figures(reader);
  }
  const std::vector<std::string> known = keys_of(catalog.conventions);
  for (const std::string& stem : stems_in(files, "conventions/figures")) {
    if (catalog.conventions.contains(stem)) continue;
    faults.add(loader.shown_path("conventions/figures/" + stem + ".json"), "",
               not_in_catalog("convention", stem, known));
  }
  catalog.guide_differences = load_list(loader, "conventions/differences/physical-model.json",
                                        "differences", read_guide_difference);
}

/// A card whose speed leans on another's names one of the catalog.
void check_siblings(CatalogLoader& loader, const Catalog& catalog) {
  const std::vector<std::string> gpus = keys_of(catalog.gpus);
  for (const auto& [id, gpu] : catalog.gpus) {
    if (!gpu.speed || !gpu.speed->sibling) continue;
    ObjectReader card = loader.reader("gpus/" + id + ".json");
    ObjectReader speed = card.object("speed");
    check_reference(speed, "sibling", "GPU", gpus);
  }
}

/// In a catalog without aliases a model has the names of its entry alone.
void load_sizing(CatalogLoader& loader, const CatalogFiles& files, Catalog& catalog,
                 Faults& faults) {
  catalog.models = loader.entries_on_use<Model>("models", read_model);
  if (files.contains("model_aliases.json")) {
    catalog.model_aliases =
        read_model_aliases(loader.reader("model_aliases.json"), keys_of(catalog.models));
  }
  catalog.gpus = loader.entries<Gpu>("gpus", read_gpu);
  catalog.methods = loader.entries<Method>("methods", read_method);
  catalog.stacks = loader.entries_on_use<Stack>("stacks", read_stack);
  if (!stems_in(files, "models").empty()) {
    loader.check_earlier_ids("models", catalog.models.all(), "model");
  }
  loader.check_earlier_ids("gpus", catalog.gpus, "GPU");
  loader.check_earlier_ids("methods", catalog.methods, "method");
  ObjectReader engine = loader.reader("engine.json");
  catalog.engine = read_engine(engine, SpeedsIn::kFilesOfCards);
  add_speeds(catalog.gpus, catalog.engine);
  if (engine.sound("")) {
    check_engine_names(catalog.engine, loader.shown_path("engine.json"), faults);
  }
  check_siblings(loader, catalog);
  for (const std::string& stem : stems_in(files, "import")) {  // further names of cards
    AcceleratorNames names =
        read_accelerator_names(loader.reader("import/" + stem + ".json"), keys_of(catalog.gpus));
    for (const auto& [id, gpu] : catalog.gpus) {
      if (gpu.memory_gb > 0) names.memory_gb[id] = gpu.memory_gb;
    }
    catalog.feeds[stem] = std::move(names);
  }
  catalog.intervals = read_intervals(loader.reader("intervals.json"));
  catalog.speed_intervals = read_intervals(loader.reader("speed_intervals.json"));
}

void check_units(const Catalog& catalog, Faults& faults) {
  for (const Price& price : catalog.prices) {
    const WrongUnit wrong = wrong_unit(catalog.providers, price);
    if (wrong) faults.add(price.file, price.pointer + "/" + wrong.key, wrong.words);
  }
}

/// A catalog may do without providers, then no seat and no tenancy is known, without names,
/// without ages, then no price ages, and without rates of projects.
void load_money(CatalogLoader& loader, const CatalogFiles& files, Faults& faults,
                Catalog& catalog) {
  load_prices(loader, files, faults, catalog);
  load_services(loader, files, faults, catalog);
  if (files.contains("providers.json")) {
    catalog.providers = load_list(loader, "providers.json", "providers", read_provider);
    place_prices(catalog.providers, catalog.prices);
    check_nodes(catalog.providers, keys_of(catalog.gpus), faults);
    check_units(catalog, faults);
  }
  const std::vector<std::string> gpus = keys_of(catalog.gpus);
  Purchase& purchase = catalog.purchase;
  purchase.nodes = load_list(loader, "purchase/nodes.json", "nodes", read_purchase_node);
  purchase.cards = load_list(loader, "purchase/cards.json", "cards", read_purchase_card);
  purchase.rates = load_list(loader, "purchase/rates.json", "rates", read_rate);
  convert_rates(catalog.exchange, purchase.rates);
  loader.check_gpus("purchase/nodes.json", "nodes", "gpu", gpus);
  loader.check_gpus("purchase/cards.json", "cards", "gpu", gpus);
  if (files.contains("price_history.json")) {
    catalog.price_histories =
        load_list(loader, "price_history.json", "series", read_price_history, "gpu", "a GPU");
    loader.check_gpus("price_history.json", "series", "gpu", gpus);
  }
  if (files.contains("price_age.json")) {
    catalog.price_age = read_price_age(loader.reader("price_age.json"));
    note_rises(catalog.price_histories, catalog.price_age);
    mark_ages(catalog.price_age, catalog.providers, catalog.prices);
  }
  if (files.contains("project.json")) {
    catalog.project = read_project_rates(loader.reader("project.json"));
  }
  for (auto& [stem, names] : catalog.feeds) {
    for (const Provider& provider : catalog.providers) {
      if (!provider.offer.empty()) names.offers[provider.id] = provider.offer;
    }
  }
}

void load_guidance(CatalogLoader& loader, const CatalogFiles& files, Catalog& catalog,
                   Faults& faults) {
  load_conventions(loader, files, faults, catalog);
  const FrameworkNames known{keys_of(catalog.models), keys_of(catalog.gpus)};
  catalog.frameworks = loader.entries_if_any<FrameworkSet>("frameworks", [&](ObjectReader reader) {
    return read_framework_set(std::move(reader), known);
  });
  catalog.advice = loader.entries_if_any<AdviceTopic>("advice", [&](ObjectReader reader) {
    return read_advice_topic(std::move(reader), known.gpus);
  });
  catalog.worksheets = loader.entries_if_any<Worksheet>("worksheets", read_worksheet);
}

std::string top_of(const std::string& path) { return path.substr(0, path.find('/')); }

/// Words of forms, and what other programs call their keys: no figure rests on either.
bool says_no_fact(const std::string& path) {
  return contains({"labels", "configs", "writers"}, top_of(path)) ||
         contains({"schema/config-format.schema.json", "schema/config-writer.schema.json"}, path);
}

std::optional<CatalogPart> part_of(const std::string& path) {
  const CatalogPlace* place = catalog_place(top_of(path));
  return place == nullptr ? std::nullopt : place->part;
}

bool is_wanted(const std::string& path, CatalogParts parts) {
  if (says_no_fact(path)) return false;
  const auto part = part_of(path);
  return !part || parts.contains(*part) || path == kTeamRunsFile;
}

}  // namespace

const Model& Catalog::model(const std::string& id) const { return look_up(models, id, "model"); }
const Gpu& Catalog::gpu(const std::string& id) const { return look_up(gpus, id, "GPU"); }
const Method& Catalog::method(const std::string& id) const {
  return look_up(methods, id, "method");
}
const Stack& Catalog::stack(const std::string& id) const { return look_up(stacks, id, "stack"); }
const Convention& Catalog::convention(const std::string& id) const {
  return look_up(conventions, id, "convention");
}

CatalogFiles read_catalog_files(const CatalogLayers& layers, CatalogParts parts) {
  return read_catalog_files(layers,
                            [&](const std::string& path) { return is_wanted(path, parts); });
}

namespace {

Catalog catalog_of(const CatalogLayers& layers, const CatalogFiles& files, Faults& faults,
                   CatalogParts parts) {
  CatalogLoader loader(layers, files, faults);
  Catalog catalog;
  if (files.contains(kLayerManifest)) check_manifest(loader.reader(kLayerManifest));
  load_sizing(loader, files, catalog, faults);
  load_team_runs(loader, files, catalog, faults);
  if (parts.contains(CatalogPart::kMoney)) load_money(loader, files, faults, catalog);
  if (parts.contains(CatalogPart::kMeasured)) load_measured(loader, catalog, faults);
  if (parts.contains(CatalogPart::kGuidance)) load_guidance(loader, files, catalog, faults);
  loader.check_all_nulls();
  catalog.sheets = stems_in(files, "sheets");
  if (parts == kWholeCatalog) catalog.hash = hash_of(files);
  return catalog;
}

/// Of the catalog that is compiled in, without entries that are read on use. The whole is needed
/// for its hash.
CatalogFiles files_read_first(CatalogParts parts) {
  return read_catalog_files(kBuiltInCatalog, [&](const std::string& path) {
    return is_wanted(path, parts) && !contains({"models", "stacks"}, top_of(path));
  });
}

}  // namespace

Catalog load_catalog(const CatalogLayers& layers, Faults& faults, CatalogParts parts) {
  refuse_no_catalog(layers);
  const CatalogFiles files = read_catalog_files(layers, parts);
  check_layers(layers, faults);
  return catalog_of(layers, files, faults, parts);
}

Catalog load_sound_catalog(const CatalogFiles& files, const std::string& folder,
                           CatalogParts parts) {
  Faults faults;
  Catalog catalog = catalog_of(CatalogLayers(folder), files, faults, parts);
  faults.refuse();
  return catalog;
}

Catalog load_sound_catalog(const CatalogLayers& layers, CatalogParts parts) {
  Faults faults;
  Catalog catalog = is_built_in(layers) && parts != kWholeCatalog
                        ? catalog_of(layers, files_read_first(parts), faults, parts)
                        : load_catalog(layers, faults, parts);
  faults.refuse();
  return catalog;
}

}  // namespace sizesheet
