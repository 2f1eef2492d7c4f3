// SPDX-License-Identifier: Apache-2.0
#include "catalog/files/loader.h"

#include <algorithm>
#include <set>

#include "catalog/files/entry.h"
#include "catalog/files/layer.h"
#include "support/error.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/text.h"

namespace sizesheet {
namespace {

namespace fs = std::filesystem;

/// What is wrong with a text wherever it stands, or "".
std::string wrong_in(const std::string& text) {
  const std::string address = unsafe_address(text);
  if (!address.empty()) {
    const std::string scheme = address.substr(0, address.find("://"));
    if (scheme != "https") {
      return "expected addresses that begin with https://, got \"" + scheme + "://…\"";
    }
    return "expected https:// with a host of letters and no user before it, got " + shown(address);
  }
  const std::string unfit = unfit_character(text);
  if (!unfit.empty()) return "expected a text without the character " + unfit;
  if (text.size() <= kLongestText) return "";
  return "expected at most " + std::to_string(kLongestText) + " bytes of text, got " +
         std::to_string(text.size());
}

/// A whole file without what it tells editors.
Json checked_entry(Json entry, const std::string& file, Faults& faults) {
  const std::string key = "$schema";
  if (entry.is_object() && entry.contains(key)) {
    ObjectReader(entry, file, "", faults).text(key);
    entry.erase(key);
  }
  check_texts(entry, file, faults);
  return entry;
}

/// Whether a path below a catalog is of one of its files: "prices/aws.json". What systems and
/// editors leave there is not: ".DS_Store", "#aws.json#", ".sizesheet-x/aws.json".
bool is_catalog_file(const std::string& path) {
  const fs::path names(path);
  return path.ends_with(".json") && std::ranges::all_of(names, [](const auto& name) {
           return name.native().front() != '.' && name.native().front() != '#';
         });
}

bool has(const fs::path& folder, const std::string& path) {
  if (folder == kBuiltInCatalog) return embedded_catalog().contains(path);
  std::error_code none;
  return fs::exists(folder / path, none);
}

std::vector<std::string> paths_in(const fs::path& folder) {
  if (folder == kBuiltInCatalog) return keys_of(embedded_catalog());
  std::error_code none;
  if (fs::is_directory(folder, none)) return list_files(folder);
  const fs::path named = folder.has_filename() ? folder : folder.parent_path();
  throw InputError((folder.empty() ? in_quotes("") : shown_path(folder)) +
                   ": expected a folder of facts or " + kBuiltInCatalog + ", got " +
                   (fs::exists(folder, none) ? "a file" : "nothing") +
                   did_you_mean(named.filename().string(), neighbours_of(named)));
}

/// Of files by path, which lie in the order of their paths.
template <typename Files>
std::vector<std::string> stems_of(const Files& files, const std::string& folder) {
  constexpr std::string_view kEnding = ".json";
  const std::string inside = folder + "/";
  std::vector<std::string> stems;
  for (auto at = files.lower_bound(inside); at != files.end(); ++at) {
    const std::string& path = at->first;
    if (!path.starts_with(inside)) break;
    const bool deeper = path.find('/', inside.size()) != std::string::npos;
    if (deeper || !path.ends_with(kEnding)) continue;
    stems.push_back(path.substr(inside.size(), path.size() - inside.size() - kEnding.size()));
  }
  return stems;
}

}  // namespace

std::string read_catalog_file(const fs::path& file) {
  const std::string inside = std::string(kBuiltInCatalog) + "/";
  if (!starts_with(file.string(), inside)) return read_file(file, kMostCatalogBytes);
  const auto found = embedded_catalog().find(file.string().substr(inside.size()));
  if (found != embedded_catalog().end()) return std::string(found->second);
  throw InputError(shown_path(file) + ": expected a file, got nothing");
}

CatalogLayers CatalogLayers::in(const std::string& text) {
  std::error_code none;
  if (fs::exists(text, none)) return text;
  return CatalogLayers(split(text, ':'));
}

bool CatalogLayers::holds(const std::string& path) const {
  return std::ranges::any_of(folders_, [&](const fs::path& one) { return has(one, path); });
}

fs::path CatalogLayers::place(const std::string& path) const {
  const auto over = std::find_if(folders_.rbegin(), std::prev(folders_.rend()),
                                 [&](const fs::path& one) { return has(one, path); });
  return *over / path;
}

std::string CatalogLayers::shown(const std::string& path) const { return shown_path(place(path)); }

std::string CatalogLayers::shown() const { return join(each_of(folders_, shown_path), ":"); }

CatalogFiles read_catalog_files(const CatalogLayers& layers,
                                const std::function<bool(const std::string& path)>& wanted) {
  std::map<std::string, fs::path> places;
  for (const fs::path& folder : layers.folders()) {
    for (const std::string& path : paths_in(folder)) {
      if (is_catalog_file(path) && wanted(path)) places[path] = folder / path;
    }
  }
  CatalogFiles files;
  std::size_t bytes = 0;
  for (const auto& [path, place] : places) {
    files[path] = read_catalog_file(place);
    bytes += files[path].size();
    if (bytes > kMostCatalogTotal) {
      throw InputError(layers.shown() + ": expected at most " + std::to_string(kMostCatalogTotal) +
                       " bytes in all files together");
    }
  }
  return files;
}

std::string hash_of(const CatalogFiles& files) {
  std::string all;
  for (const auto& [path, bytes] : files) {
    all += path + "\n" + std::to_string(bytes.size()) + "\n";
    all += bytes;
  }
  return sha256_hex(all);
}

std::vector<std::string> stems_in(const CatalogFiles& files, const std::string& folder) {
  return stems_of(files, folder);
}

std::vector<std::string> built_in_stems(const std::string& folder) {
  return stems_of(embedded_catalog(), folder);
}

bool is_built_in(const CatalogLayers& layers) {
  return layers.folders().size() == 1 && layers.folders().front() == kBuiltInCatalog;
}

void check_was(const std::vector<EarlierIds>& entries, const std::string& what) {
  std::set<std::string> live;
  for (const EarlierIds& entry : entries) live.insert(entry.id);
  std::map<std::string, std::string> claimed;  // earlier id -> id today
  for (const EarlierIds& entry : entries) {
    for (const std::string& id : std::set<std::string>(entry.was.begin(), entry.was.end())) {
      if (live.contains(id)) {
        entry.fault("expected ids that no " + what + " has today, got " + shown(id));
      } else if (const auto [first, fresh] = claimed.emplace(id, entry.id); !fresh) {
        entry.fault("expected ids that no other " + what + " had, got " + shown(id) + ", which " +
                    first->second + " had");
      }
    }
  }
}

const std::string& CatalogLoader::bytes_of(const std::string& path) const {
  const auto file = files_.find(path);
  if (file == files_.end()) throw InputError(shown_path(path) + ": this file is required");
  return file->second;
}

const Json& CatalogLoader::document(const std::string& path) {
  const auto known = documents_.find(path);
  if (known != documents_.end()) return known->second;
  return documents_[path] = parse_entry(bytes_of(path), shown_path(path), faults_);
}

ObjectReader CatalogLoader::read_each(const std::string& path, const std::string& list,
                                      const std::function<void(ObjectReader&)>& read) {
  bool some = false;
  documents_[path] =
      parse_entry(bytes_of(path), shown_path(path), faults_, list, [&](ObjectReader& element) {
        some = true;
        read(element);
      });
  ObjectReader rest = reader(path);
  if (some) {
    rest.raw(list);
  } else {
    read_rows(rest, list);
  }
  return rest;
}

void CatalogLoader::check_gpus(const std::string& path, const std::string& list,
                               const std::string& key, const std::vector<std::string>& gpus) {
  const Json& whole = document(path);
  if (!whole.is_object() || !whole.contains(list) || !whole.at(list).is_array()) return;
  for (std::size_t i = 0; i < whole.at(list).size(); ++i) {
    const Json& row = whole.at(list)[i];
    if (!row.is_object() || is_empty_text(row.value(key, Json()))) continue;
    ObjectReader place(row, shown_path(path), "/" + list + "/" + std::to_string(i), faults_);
    check_reference(place, key, "GPU", gpus);
  }
}

void CatalogLoader::check_all_nulls() {
  for (const auto& [path, parsed] : documents_) check_nulls(parsed, shown_path(path), faults_);
}

void check_nulls(const Json& document, const std::string& file, Faults& faults,
                 const std::string& above) {
  const auto no_key = [](const std::string&) { return false; };
  if (!any_leaf(document, no_key, [](const Json& leaf) { return leaf.is_null(); })) return;
  for_each_leaf(document, above, [&](const std::string& pointer, const Json& value) {
    if (!value.is_null() || pointer.empty() || may_be_null(pointer)) return;
    const auto told = [&](const Fault& one) { return one.file == file && one.pointer == pointer; };
    if (std::ranges::any_of(faults.all(), told)) return;
    faults.add(file, pointer, "expected a value or no such key, got null");
  });
}

void check_texts(const Json& document, const std::string& file, Faults& faults,
                 const std::string& above) {
  const auto is_unfit = [](const std::string& key) { return !unfit_character(key).empty(); };
  const bool some = any_leaf(document, is_unfit, [](const Json& leaf) {
    return leaf.is_string() && !wrong_in(leaf.get_ref<const std::string&>()).empty();
  });
  if (!some) return;
  for_each_leaf(document, above, [&](const std::string& pointer, const Json& value) {
    const std::string unfit_key = unfit_character(pointer);
    if (!unfit_key.empty()) {
      faults.add(file, plain_text(pointer), "expected a key without the character " + unfit_key);
    }
    if (!value.is_string()) return;
    const std::string wrong = wrong_in(value.get_ref<const std::string&>());
    if (!wrong.empty()) faults.add(file, plain_text(pointer), wrong);
  });
}

Json parse_entry(std::string_view bytes, const std::string& file, Faults& faults,
                 Comments comments) {
  return checked_entry(parse_json(bytes, file, kMostValues, comments), file, faults);
}

Json parse_entry(std::string_view bytes, const std::string& file, Faults& faults,
                 const std::string& key, const std::function<void(ObjectReader&)>& read) {
  const auto take = [&](Json&& element, std::size_t index) {
    const std::string pointer = "/" + key + "/" + std::to_string(index);
    check_texts(element, file, faults, pointer);
    ObjectReader reader(element, file, pointer, faults);
    read(reader);
    check_nulls(element, file, faults, pointer);
  };
  return checked_entry(parse_json(bytes, file, key, take), file, faults);
}

}  // namespace sizesheet
