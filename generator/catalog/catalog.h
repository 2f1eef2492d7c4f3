// SPDX-License-Identifier: Apache-2.0
// The catalog: every fact the engine and the sheet rest on, loaded from JSON files and checked
// whole.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "catalog/facts/engine_constants.h"
#include "catalog/facts/gpu.h"
#include "catalog/facts/method.h"
#include "catalog/files/entries.h"
#include "catalog/files/loader.h"
#include "catalog/models/model.h"
#include "catalog/models/model_alias.h"
#include "catalog/prices/accelerator_names.h"
#include "catalog/prices/price.h"
#include "catalog/prices/price_age.h"
#include "catalog/prices/project_rates.h"
#include "catalog/prices/provider.h"
#include "catalog/prices/purchase.h"
#include "catalog/prices/service.h"
#include "catalog/published/convention.h"
#include "catalog/published/measured.h"
#include "catalog/published/worksheet.h"
#include "support/error.h"

namespace sizesheet {

struct Catalog {
  Entries<Model> models;
  ModelAliases model_aliases;  ///< further names of models, and who mirrors them
  std::map<std::string, Gpu> gpus;
  std::map<std::string, Method> methods;
  Entries<Stack> stacks;
  std::vector<Price> prices;  ///< by provider file, then file order
  std::vector<ExcludedPrice> excluded_prices;
  std::vector<PriceHistory> price_histories;  ///< of some GPU types
  PriceAge price_age;                         ///< how far a price of some age is off
  std::vector<Service> services;              ///< rates of fine-tuning services, likewise
  std::vector<Provider> providers;            ///< seats and tenancies, for those that are known
  Exchange exchange;                          ///< for prices and rates that are not in dollars
  Purchase purchase;
  ProjectRates project;  ///< of a whole project, and of interruptions on spot
  EngineCatalog engine;
  std::map<std::string, MeasuredSource> measured;  ///< published measurements, by source
  std::optional<MeasuredSource> team_runs;         ///< of whoever laid a layer over the catalog
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

inline constexpr CatalogParts kWholeCatalog{CatalogPart::kMoney, CatalogPart::kMeasured,
                                            CatalogPart::kGuidance};

/// Loads these parts of the catalog, recording every fault; files of other parts are not read.
/// Unreadable files and malformed JSON throw InputError.
Catalog load_catalog(const CatalogLayers& layers, Faults& faults,
                     CatalogParts parts = kWholeCatalog);

/// The same, for commands that need a sound catalog: any fault throws InputError listing them all.
Catalog load_sound_catalog(const CatalogLayers& layers, CatalogParts parts = kWholeCatalog);

/// The same of files that somebody else read. `folder` is what faults call the place that they are
/// from.
Catalog load_sound_catalog(const CatalogFiles& files, const std::string& folder,
                           CatalogParts parts);

}  // namespace sizesheet
