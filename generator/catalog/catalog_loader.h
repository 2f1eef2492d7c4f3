// SPDX-License-Identifier: Apache-2.0
// The catalog's files as entries, for the readers of each kind of fact.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "catalog/catalog_files.h"
#include "catalog/renames.h"
#include "support/json.h"
#include "support/printable.h"

namespace sizesheet {

/// Turns files into entries; each file is parsed once and its texts are looked through for
/// what has no place in any.
class CatalogLoader {
 public:
  CatalogLoader(const std::filesystem::path& directory, const CatalogFiles& files, Faults& faults)
      : directory_(directory), files_(files), faults_(faults) {}

  /// Throws InputError when a required file is missing.
  const Json& document(const std::string& path);

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
      whole.fault("id", "expected " + in_quotes(stem) + ", the name of the file, got " + shown(id));
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

  /// Gives each element of a file's list to `read` without keeping it: a price table may be long.
  /// The reader is of the rest of the file. A fault unless the list has at least one element.
  ObjectReader read_each(const std::string& path, const std::string& list,
                         const std::function<void(ObjectReader&)>& read);

  /// Faults every row of a list in a file whose "gpu" (or other key) is no GPU of the catalog.
  void check_gpus(const std::string& path, const std::string& list, const std::string& key,
                  const std::vector<std::string>& gpus);

  /// Run last: nulls that no reader minded.
  void check_all_nulls();

  /// Throws InputError when the file is missing.
  const std::string& bytes_of(const std::string& path) const;

  std::string shown_path(const std::string& path) const {
    return sizesheet::shown_path(directory_ / path);
  }

 private:
  const std::filesystem::path& directory_;
  const CatalogFiles& files_;
  Faults& faults_;
  std::map<std::string, Json> documents_;
};

}  // namespace sizesheet
