// SPDX-License-Identifier: Apache-2.0
// Decides whether a folder is a whole catalog, a layer or neither.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "catalog/files/loader.h"
#include "support/error.h"
#include "support/json.h"

namespace sizesheet {

/// A file or a folder of files at the top of a catalog.
struct CatalogPlace {
  const char* name;
  std::optional<CatalogPart> part = {};  ///< nullopt: every command reads it
  std::array<const char*, 2> below{};    ///< folders in it that have files as well
};

/// By this file a folder says that it is a layer: {"over": "builtin"}.
inline constexpr const char* kLayerManifest = "layer.json";

inline constexpr auto kCatalogPlaces = std::to_array<CatalogPlace>({
    {"prices", CatalogPart::kMoney},
    {"services", CatalogPart::kMoney},
    {"price_history.json", CatalogPart::kMoney},
    {"price_age.json", CatalogPart::kMoney},
    {"exchange.json", CatalogPart::kMoney},
    {"providers.json", CatalogPart::kMoney},
    {"purchase", CatalogPart::kMoney},
    {"project.json", CatalogPart::kMoney},
    {"import"},
    {"measured", CatalogPart::kMeasured},
    {"validation.json", CatalogPart::kMeasured},
    {"conventions", CatalogPart::kGuidance, {"figures", "differences"}},
    {"frameworks", CatalogPart::kGuidance},
    {"advice", CatalogPart::kGuidance},
    {"worksheets", CatalogPart::kGuidance},
    {"models"},
    {"model_aliases.json"},
    {"gpus"},
    {"methods"},
    {"stacks"},
    {"configs"},
    {"writers"},
    {"sheets"},
    {"labels"},
    {"schema"},
    {"engine.json"},
    {"intervals.json"},
    {"speed_intervals.json"},
    {kLayerManifest},
});

/// The place of a name at the top of a catalog; nullptr where there is none.
const CatalogPlace* catalog_place(const std::string& top);
/// Every name, for near misses.
std::vector<std::string> catalog_place_names();

/// The layers with the built-in catalog below them where the first folder is no whole catalog but a
/// part of one.
CatalogLayers on_ground(const CatalogLayers& given);

/// What `on_ground` did, in a line: "ours is laid over the built-in catalog: it has no models". ""
/// where it did nothing.
std::string ground_words(const CatalogLayers& given);

/// What a merge reads: without a last folder that is missing or empty, which the merge begins.
CatalogLayers layers_to_read(const CatalogLayers& layers);

/// Throws InputError for a folder without any part of a catalog: an empty one, an edition, another.
void refuse_no_catalog(const CatalogLayers& layers);

/// A layer is small and there for what it changes: a file of it that nobody reads is a slip, so
/// each is a fault. What else a whole catalog has is its owner's business.
void check_layers(const CatalogLayers& layers, Faults& faults);

/// Faults a manifest that is not {"over": "builtin"}.
void check_manifest(ObjectReader reader);

/// Folders beside `folder`, and the built-in catalog: what one that is not there may have meant.
std::vector<std::string> neighbours_of(const std::filesystem::path& folder);

}  // namespace sizesheet
