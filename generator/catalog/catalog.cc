// SPDX-License-Identifier: Apache-2.0
#include "catalog/catalog.h"

#include <functional>
#include <set>
#include <utility>

#include "catalog/catalog_files.h"
#include "catalog/engine_ranges.h"
#include "catalog/entry.h"
#include "catalog/renames.h"
#include "support/files.h"
#include "support/text.h"

namespace sizesheet {
namespace {

namespace fs = std::filesystem;

template <typename T>
std::vector<std::string> keys_of(const std::map<std::string, T>& map) {
  std::vector<std::string> keys;
  for (const auto& [key, unused] : map) keys.push_back(key);
  return keys;
}

template <typename T>
const T& look_up(const std::map<std::string, T>& map, const std::string& id,
                 const std::string& what) {
  const auto entry = map.find(id);
  if (entry != map.end()) return entry->second;
  throw InputError(what + " \"" + id + "\" is not in the catalog" + did_you_mean(id, keys_of(map)));
}

/// Turns files into entries; each file is parsed once and its texts are looked through for
/// what has no place in any.
class Loader {
 public:
  Loader(const fs::path& directory, const CatalogFiles& files, Faults& faults)
      : directory_(directory), files_(files), faults_(faults) {}

  /// Throws InputError when a required file is missing.
  const Json& document(const std::string& path) {
    const auto known = documents_.find(path);
    if (known != documents_.end()) return known->second;
    const auto file = files_.find(path);
    if (file == files_.end()) throw InputError(shown_path(path) + ": this file is required");
    const Json& parsed = documents_[path] = parse_json(file->second, shown_path(path));
    check_texts(parsed, shown_path(path), faults_);
    return parsed;
  }

  ObjectReader reader(const std::string& path) {
    return {document(path), shown_path(path), "", faults_};
  }

  /// Every entry of a folder by file name, which must be its id too.
  template <typename T>
  std::map<std::string, T> entries(const std::string& folder,
                                   const std::function<T(ObjectReader)>& read) {
    const std::vector<std::string> stems = stems_in(files_, folder);
    if (stems.empty()) throw InputError(shown_path(folder) + ": expected at least one .json file");
    std::map<std::string, T> all;
    for (const std::string& stem : stems) {
      const std::string path = folder + "/" + stem + ".json";
      all[stem] = read(reader(path));
      if (!document(path).is_object()) continue;
      ObjectReader whole = reader(path);
      const Json& id = whole.raw("id");
      if (!whole.sound("id") || id == stem) continue;
      whole.fault("id", "expected \"" + stem + "\", the name of the file, got " + shown(id));
    }
    return all;
  }

  /// Earlier ids of a folder's entries, which nothing else may have.
  template <typename T>
  void check_earlier_ids(const std::string& folder, const std::map<std::string, T>& all,
                         const std::string& what) {
    std::vector<EarlierIds> earlier;
    for (const auto& [id, entry] : all) {
      const std::string path = shown_path(folder + "/" + id + ".json");
      earlier.push_back({id, entry.was, [this, path](const std::string& message) {
                           faults_.add(path, "/was", message);
                         }});
    }
    check_was(earlier, what);
  }

  /// Faults every row of a list in a file whose "gpu" (or other key) is no GPU of the catalog.
  void check_gpus(const std::string& path, const std::string& list, const std::string& key,
                  const std::vector<std::string>& gpus) {
    const Json& whole = document(path);
    if (!whole.is_object() || !whole.contains(list) || !whole.at(list).is_array()) return;
    for (std::size_t i = 0; i < whole.at(list).size(); ++i) {
      const Json& row = whole.at(list)[i];
      if (!row.is_object()) continue;
      ObjectReader place(row, shown_path(path), "/" + list + "/" + std::to_string(i), faults_);
      if (row.contains(key) && !is_empty_text(row.at(key)))
        check_reference(place, key, "GPU", gpus);
    }
  }

  /// Run last: nulls that no reader minded.
  void check_all_nulls() {
    for (const auto& [path, parsed] : documents_) check_nulls(parsed, shown_path(path), faults_);
  }

  std::string shown_path(const std::string& path) const {
    return (directory_ / path).generic_string();
  }

 private:
  const fs::path& directory_;
  const CatalogFiles& files_;
  Faults& faults_;
  std::map<std::string, Json> documents_;
};

void load_price_file(Loader& loader, const std::string& path, std::set<std::string>& seen,
                     Catalog& catalog) {
  ObjectReader reader = loader.reader(path);
  const std::string provider = read_filled_text(reader, "provider");
  for (ObjectReader& row : read_rows(reader, "rows")) {
    Price price = read_price(row, provider, catalog.exchange);
    if (!seen.insert(price.key()).second) {
      row.fault("", "expected a price key that stands once, got \"" + price.key() + "\" again");
    }
    catalog.prices.push_back(std::move(price));
  }
  reader.done();
}

void load_prices(Loader& loader, const CatalogFiles& files, Catalog& catalog) {
  const std::vector<std::string> gpus = keys_of(catalog.gpus);
  if (files.contains("exchange.json")) {
    catalog.exchange = read_exchange(loader.reader("exchange.json"));
  }
  std::set<std::string> seen;
  for (const std::string& stem : stems_in(files, "prices")) {
    if (stem == "excluded") continue;
    const std::string path = "prices/" + stem + ".json";
    load_price_file(loader, path, seen, catalog);
    loader.check_gpus(path, "rows", "gpu", gpus);
  }
  ObjectReader excluded = loader.reader("prices/excluded.json");
  for (ObjectReader& row : excluded.objects("excluded")) {
    catalog.excluded_prices.push_back(read_excluded_price(row));
  }
  excluded.done();
}

/// One list of a file, every id once.
template <typename T>
std::vector<T> load_list(Loader& loader, const std::string& path, const std::string& key,
                         T (*read)(ObjectReader&)) {
  ObjectReader reader = loader.reader(path);
  std::vector<ObjectReader> rows = read_rows(reader, key);
  check_unique(rows, "id", "an id");
  std::vector<T> list;
  for (ObjectReader& row : rows) list.push_back(read(row));
  reader.done();
  return list;
}

/// A catalog may do without them; then no seat and no tenancy is known.
void load_providers(Loader& loader, const CatalogFiles& files, Catalog& catalog) {
  if (!files.contains("providers.json")) return;
  catalog.providers = load_list(loader, "providers.json", "providers", read_provider);
  place_prices(catalog.providers, catalog.prices);
}

void load_purchase(Loader& loader, Catalog& catalog) {
  const std::vector<std::string> gpus = keys_of(catalog.gpus);
  Purchase& purchase = catalog.purchase;
  purchase.nodes = load_list(loader, "purchase/nodes.json", "nodes", read_purchase_node);
  purchase.cards = load_list(loader, "purchase/cards.json", "cards", read_purchase_card);
  purchase.rates = load_list(loader, "purchase/rates.json", "rates", read_rate);
  loader.check_gpus("purchase/nodes.json", "nodes", "gpu", gpus);
  loader.check_gpus("purchase/cards.json", "cards", "gpu", gpus);
}

void load_evidence(Loader& loader, const CatalogFiles& files, Catalog& catalog, Faults& faults) {
  catalog.validation = read_validation_rules(loader.reader("validation.json"));
  catalog.intervals = read_intervals(loader.reader("intervals.json"));
  catalog.speed_intervals = read_intervals(loader.reader("speed_intervals.json"));
  if (!stems_in(files, "measured").empty()) {
    catalog.measured = loader.entries<MeasuredSource>("measured", read_measured_source);
  }
  MeasuredNames known{keys_of(catalog.models), keys_of(catalog.gpus), {}};
  for (const OutOfModelReason& reason : catalog.validation.reasons) {
    if (reason.id != kRefused) known.reasons.push_back(reason.id);
  }
  std::set<std::string> seen;
  for (const auto& [id, source] : catalog.measured) {
    check_measured(source, loader.shown_path("measured/" + id + ".json"), known, seen, faults);
  }
}

/// Every guide's accounting, and its figures from the file of the same name one folder down.
void load_conventions(Loader& loader, const CatalogFiles& files, Faults& faults, Catalog& catalog) {
  catalog.conventions = loader.entries<Convention>("conventions", read_convention);
  for (auto& [id, convention] : catalog.conventions) {
    ObjectReader reader = loader.reader("conventions/figures/" + id + ".json");
    convention.figures = read_guide_figures(reader);
  }
  const std::vector<std::string> known = keys_of(catalog.conventions);
  for (const std::string& stem : stems_in(files, "conventions/figures")) {
    if (catalog.conventions.contains(stem)) continue;
    faults.add(loader.shown_path("conventions/figures/" + stem + ".json"), "",
               "no convention \"" + stem + "\" in the catalog" + did_you_mean(stem, known));
  }
  catalog.guide_differences = load_list(loader, "conventions/differences/physical-model.json",
                                        "differences", read_guide_difference);
}

/// A catalog may do without them.
void load_frameworks(Loader& loader, const CatalogFiles& files, Catalog& catalog) {
  if (stems_in(files, "frameworks").empty()) return;
  const FrameworkNames known{keys_of(catalog.models), keys_of(catalog.gpus)};
  catalog.frameworks = loader.entries<FrameworkSet>("frameworks", [&](ObjectReader reader) {
    return read_framework_set(std::move(reader), known);
  });
}

/// A catalog may do without it.
void load_advice(Loader& loader, const CatalogFiles& files, Catalog& catalog) {
  if (stems_in(files, "advice").empty()) return;
  const std::vector<std::string> gpus = keys_of(catalog.gpus);
  catalog.advice = loader.entries<AdviceTopic>(
      "advice", [&](ObjectReader reader) { return read_advice_topic(std::move(reader), gpus); });
}

/// A catalog may do without them.
void load_worksheets(Loader& loader, const CatalogFiles& files, Catalog& catalog) {
  if (stems_in(files, "worksheets").empty()) return;
  catalog.worksheets = loader.entries<Worksheet>("worksheets", read_worksheet);
}

/// A catalog may do without them.
void load_import_names(Loader& loader, const CatalogFiles& files, Catalog& catalog) {
  const std::string path = "import/skypilot.json";
  if (!files.contains(path)) return;
  catalog.skypilot = read_accelerator_names(loader.reader(path), keys_of(catalog.gpus));
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

Catalog load_catalog(const fs::path& directory, Faults& faults) {
  const CatalogFiles files = read_catalog_files(directory);
  Loader loader(directory, files, faults);
  Catalog catalog;
  catalog.models = loader.entries<Model>("models", read_model);
  catalog.gpus = loader.entries<Gpu>("gpus", read_gpu);
  catalog.methods = loader.entries<Method>("methods", read_method);
  catalog.stacks = loader.entries<Stack>("stacks", read_stack);
  loader.check_earlier_ids("models", catalog.models, "model");
  loader.check_earlier_ids("gpus", catalog.gpus, "GPU");
  loader.check_earlier_ids("methods", catalog.methods, "method");
  ObjectReader engine = loader.reader("engine.json");
  catalog.engine = read_engine(engine);
  if (engine.sound("")) {
    check_engine_names(catalog.engine, loader.shown_path("engine.json"), faults);
  }
  loader.check_gpus("engine.json", "speeds", "id", keys_of(catalog.gpus));
  load_prices(loader, files, catalog);
  load_providers(loader, files, catalog);
  load_purchase(loader, catalog);
  load_evidence(loader, files, catalog, faults);
  load_conventions(loader, files, faults, catalog);
  load_frameworks(loader, files, catalog);
  load_advice(loader, files, catalog);
  load_worksheets(loader, files, catalog);
  load_import_names(loader, files, catalog);
  loader.check_all_nulls();
  catalog.sheets = stems_in(files, "sheets");
  catalog.hash = hash_of(files);
  return catalog;
}

Catalog load_sound_catalog(const fs::path& directory) {
  Faults faults;
  Catalog catalog = load_catalog(directory, faults);
  faults.refuse();
  return catalog;
}

}  // namespace sizesheet
