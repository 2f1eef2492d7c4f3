// SPDX-License-Identifier: Apache-2.0
// The catalog: every fact the engine and the sheet rest on, loaded from JSON files and checked
// whole.
#pragma once

#include <concepts>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "catalog/engine_constants.h"
#include "catalog/gpu.h"
#include "catalog/method.h"
#include "catalog/models/model.h"
#include "catalog/models/model_alias.h"
#include "catalog/prices/accelerator_names.h"
#include "catalog/prices/price.h"
#include "catalog/prices/purchase.h"
#include "catalog/published/convention.h"
#include "catalog/published/measured.h"
#include "catalog/published/worksheet.h"
#include "support/error.h"
#include "support/named.h"

namespace sizesheet {

/// In the place of a folder: the catalog that is compiled in. A folder of that name is ./builtin.
inline constexpr const char* kBuiltInCatalog = "builtin";

/// The folders that a catalog is read from, the later laid over the earlier: a file takes the place
/// of the one that has its path in an earlier folder, whole, and all others stand side by side.
class CatalogLayers {
 public:
  template <std::convertible_to<std::filesystem::path> Folder>
  CatalogLayers(Folder folder)  // NOLINT(google-explicit-constructor): one folder is a catalog
      : folders_{std::move(folder)} {}
  explicit CatalogLayers(const std::vector<std::string>& folders)
      : folders_(folders.begin(), folders.end()) {}

  /// "builtin:ours", as a variable of the environment holds several; what is a folder is one.
  static CatalogLayers in(const std::string& text);

  const std::vector<std::filesystem::path>& folders() const { return folders_; }
  bool holds(const std::string& path) const;
  /// Where the file of this path is read: in the last folder that holds it, else the first.
  std::filesystem::path place(const std::string& path) const;
  std::string shown(const std::string& path) const;
  /// As `in` reads it, for talk.
  std::string shown() const;

 private:
  std::vector<std::filesystem::path> folders_;  ///< at least one
};

struct Catalog {
  std::map<std::string, Model> models;
  ModelAliases model_aliases;  ///< further names of models, and who mirrors them
  std::map<std::string, Gpu> gpus;
  std::map<std::string, Method> methods;
  std::map<std::string, Stack> stacks;
  std::vector<Price> prices;  ///< by provider file, then file order
  std::vector<ExcludedPrice> excluded_prices;
  std::vector<PriceHistory> price_histories;  ///< of some GPU types
  std::vector<Provider> providers;            ///< seats and tenancies, for those that are known
  Exchange exchange;                          ///< for prices and rates that are not in dollars
  Purchase purchase;
  EngineCatalog engine;
  std::map<std::string, MeasuredSource> measured;  ///< published measurements, by source
  ValidationRules validation;
  Intervals intervals;                             ///< of memory
  Intervals speed_intervals;                       ///< of tokens per second
  std::map<std::string, Convention> conventions;   ///< of published guides
  std::vector<GuideDifference> guide_differences;  ///< how the sheet differs from them
  std::map<std::string, FrameworkSet> frameworks;  ///< what frameworks are asked for one model
  std::map<std::string, AdviceTopic> advice;       ///< sentences with sources, by topic
  std::map<std::string, Worksheet> worksheets;     ///< tables that guides print, to be worked out
  std::map<std::string, AcceleratorNames> feeds;   ///< what price files of others call things
  std::vector<std::string> sheets;                 ///< ids of catalog/sheets/*.json
  std::string hash;  ///< SHA-256 over sorted paths and bytes; "" for a part of it

  /// Look-ups that throw InputError `what "id" is not in the catalog (did you mean …?)`.
  const Model& model(const std::string& id) const;
  const Gpu& gpu(const std::string& id) const;
  const Method& method(const std::string& id) const;
  const Stack& stack(const std::string& id) const;
  const Convention& convention(const std::string& id) const;
};

/// What a command may do without; models, GPUs, methods, stacks, their names and the engine's
/// constants are always loaded.
enum class CatalogPart {
  kMoney,     ///< prices, providers, exchange, purchase
  kMeasured,  ///< published measurements and how they are judged
  kGuidance   ///< conventions, frameworks, advice, worksheets
};
using CatalogParts = EnumSet<CatalogPart>;

inline constexpr CatalogParts kWholeCatalog{CatalogPart::kMoney, CatalogPart::kMeasured,
                                            CatalogPart::kGuidance};

/// Loads these parts of the catalog, recording every fault; files of other parts are not read.
/// Unreadable files and malformed JSON throw InputError.
Catalog load_catalog(const CatalogLayers& layers, Faults& faults,
                     CatalogParts parts = kWholeCatalog);

/// The same, for commands that need a sound catalog: any fault throws InputError listing them all.
Catalog load_sound_catalog(const CatalogLayers& layers, CatalogParts parts = kWholeCatalog);

}  // namespace sizesheet
