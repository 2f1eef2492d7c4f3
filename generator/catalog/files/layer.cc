// SPDX-License-Identifier: Apache-2.0
#include "catalog/files/layer.h"

#include <algorithm>
#include <set>

#include "catalog/files/loader.h"
#include "support/error.h"
#include "support/files.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kJsonEnding = ".json";

/// Files and folders at the top of a folder; none of what is no folder.
std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  std::error_code none;
  for (fs::directory_iterator one(folder, none), end; one != end; one.increment(none)) {
    names.insert(one->path().filename().string());
  }
  return names;
}

bool is_edition(const std::set<std::string>& names) {
  return names.contains("sheet.json") && names.contains("manifest.json");
}

bool holds_some(const std::set<std::string>& names) {
  const auto known = [](const std::string& name) { return catalog_place(name) != nullptr; };
  return !is_edition(names) && std::ranges::any_of(names, known);
}

/// Why a folder is a layer; "" of the built-in catalog, a whole one, and one without a part of any.
std::string why_layer(const fs::path& folder) {
  if (folder == kBuiltInCatalog) return "";
  const std::set<std::string> names = names_in(folder);
  if (!holds_some(names)) return "";
  if (names.contains(kLayerManifest)) return std::string("its ") + kLayerManifest + " says so";
  for (const char* needed : {"models", "engine.json"}) {
    if (!names.contains(needed)) return std::string("it has no ") + needed;
  }
  return "";
}

/// What systems and editors leave: ".DS_Store", "#aws.json#", "aws.json~".
bool is_left_over(const fs::path& path) {
  return std::ranges::any_of(path, [](const fs::path& name) {
    const char first = name.native().front();
    return first == '.' || first == '#' || name.native().back() == '~';
  });
}

std::string without_endings(const std::string& name) { return name.substr(0, name.find('.')); }

/// What is wrong with the name of a file that does not end in .json, or "". A sheet may have
/// pictures beside it, and any folder words for people.
std::string wrong_ending(const std::string& path, const std::vector<std::string>& names) {
  const std::string& top = names.front();
  const std::string ending = small_letters(fs::path(path).extension().string());
  const CatalogPlace* place = catalog_place(top);
  if (names.size() == 1) {
    const auto meant = [&](const std::string& known) {
      return without_endings(known) == small_letters(without_endings(top));
    };
    if (std::ranges::none_of(catalog_place_names(), meant)) return "";
  } else if (place == nullptr && did_you_mean(top, catalog_place_names()).empty()) {
    return "";
  }
  const bool picture = top == "sheets" && (ending == ".png" || ending == ".svg");
  if (ending == ".md" || picture) return "";
  const bool table = ending == ".csv" && top == "prices";
  return std::string("expected a name that ends in .json; nothing reads this file") +
         (table ? " (import-prices reads a CSV)" : "");
}

/// What is wrong with the place of a .json file, or "".
std::string wrong_place(const std::vector<std::string>& names) {
  const std::string& top = names.front();
  const CatalogPlace* place = catalog_place(top);
  const bool is_file = top.ends_with(kJsonEnding);
  if (place == nullptr || is_file != (names.size() == 1)) {
    return "expected a file of a catalog, which has no " + in_quotes(top) +
           did_you_mean(top, catalog_place_names());
  }
  const auto is_below = [&](const char* folder) { return folder != nullptr && names[1] == folder; };
  const bool deeper = names.size() == 3 && std::ranges::any_of(place->below, is_below);
  if (is_file || names.size() == 2 || deeper) return "";
  return "expected a file in " + in_quotes(top) +
         " itself; nothing reads one in a folder below (did you mean " +
         in_quotes(top + "/" + names.back()) + "?)";
}

std::string shown_folder(const fs::path& folder) {
  return folder.empty() ? in_quotes("") : shown_path(folder);
}

}  // namespace

const CatalogPlace* catalog_place(const std::string& top) {
  const auto found = std::ranges::find_if(kCatalogPlaces,
                                          [&](const CatalogPlace& one) { return one.name == top; });
  return found == kCatalogPlaces.end() ? nullptr : &*found;
}

std::vector<std::string> catalog_place_names() {
  std::vector<std::string> names;
  for (const CatalogPlace& place : kCatalogPlaces) names.emplace_back(place.name);
  std::ranges::sort(names);
  return names;
}

CatalogLayers on_ground(const CatalogLayers& given) {
  if (why_layer(given.folders().front()).empty()) return given;
  std::vector<std::string> folders{kBuiltInCatalog};
  for (const fs::path& folder : given.folders()) folders.push_back(folder.string());
  return CatalogLayers(folders);
}

std::string ground_words(const CatalogLayers& given) {
  const fs::path& first = given.folders().front();
  const std::string why = why_layer(first);
  return why.empty() ? "" : shown_path(first) + " is laid over the built-in catalog: " + why;
}

CatalogLayers layers_to_read(const CatalogLayers& layers) {
  const fs::path& last = layers.folders().back();
  std::error_code none;
  const bool is_file = fs::exists(last, none) && !fs::is_directory(last, none);
  if (last == kBuiltInCatalog || is_file || !names_in(last).empty()) return layers;
  std::vector<std::string> folders;
  for (const fs::path& folder : layers.folders()) folders.push_back(folder.string());
  folders.pop_back();
  return folders.empty() ? CatalogLayers(kBuiltInCatalog) : CatalogLayers(folders);
}

void refuse_no_catalog(const CatalogLayers& layers) {
  const std::vector<fs::path>& folders = layers.folders();
  if (std::find(folders.begin() + 1, folders.end(), fs::path(kBuiltInCatalog)) != folders.end()) {
    const fs::path& other = folders.front() == kBuiltInCatalog ? folders[1] : folders.front();
    throw InputError("--catalog: expected builtin first, got it over " + shown_path(other) +
                     ", whose files it would replace");
  }
  for (const fs::path& folder : layers.folders()) {
    std::error_code none;
    if (folder == kBuiltInCatalog || !fs::is_directory(folder, none)) continue;  // told by its name
    const std::set<std::string> names = names_in(folder);
    if (holds_some(names)) continue;
    const std::string got =
        names.empty()       ? "an empty folder"
        : is_edition(names) ? "an edition"
                            : "none of its files and folders, but " + in_quotes(*names.begin()) +
                                  did_you_mean(*names.begin(), catalog_place_names());
    throw InputError(shown_folder(folder) +
                     ": expected a catalog, or what is laid over the built-in one (models, prices, "
                     "sheets …), got " +
                     got);
  }
}

void check_layers(const CatalogLayers& layers, Faults& faults) {
  const auto& folders = layers.folders();
  for (std::size_t i = 1; i < folders.size(); ++i) {
    std::error_code none;
    if (folders[i] == kBuiltInCatalog || !fs::is_directory(folders[i], none)) continue;
    for (const std::string& path : list_files(folders[i])) {
      if (is_left_over(path)) continue;
      const std::vector<std::string> names = split(path, '/');
      const std::string wrong =
          path.ends_with(kJsonEnding) ? wrong_place(names) : wrong_ending(path, names);
      if (!wrong.empty()) faults.add(shown_path(folders[i] / path), "", wrong);
    }
  }
}

void check_manifest(ObjectReader reader) {
  reader.one_of("over", {kBuiltInCatalog});
  reader.done();
}

std::vector<std::string> neighbours_of(const fs::path& folder) {
  std::vector<std::string> names{kBuiltInCatalog};
  std::error_code none;
  const fs::path above = folder.has_parent_path() ? folder.parent_path() : ".";
  for (fs::directory_iterator one(above, none), end; one != end; one.increment(none)) {
    if (one->is_directory(none)) names.push_back(one->path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace sizesheet
