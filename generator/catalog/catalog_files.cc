// SPDX-License-Identifier: Apache-2.0
#include "catalog/catalog_files.h"

#include <algorithm>

#include "support/error.h"
#include "support/files.h"
#include "support/printable.h"
#include "support/text.h"

namespace sizesheet {

bool is_catalog_file(const std::string& path) {
  const std::filesystem::path names(path);
  return path.ends_with(".json") && std::all_of(names.begin(), names.end(), [](const auto& name) {
           return name.native().front() != '.' && name.native().front() != '#';
         });
}

CatalogFiles read_catalog_files(const std::filesystem::path& directory,
                                const std::function<bool(const std::string& path)>& wanted) {
  CatalogFiles files;
  std::size_t bytes = 0;
  for (const std::string& path : list_files(directory)) {
    if (!is_catalog_file(path) || !wanted(path)) continue;
    files[path] = read_file(directory / path, kMostCatalogBytes);
    bytes += files[path].size();
    if (bytes > kMostCatalogTotal) {
      throw InputError(shown_path(directory) + ": expected at most " +
                       std::to_string(kMostCatalogTotal) + " bytes in all files together");
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
  constexpr std::string_view kEnding = ".json";
  std::vector<std::string> stems;
  for (const auto& [path, bytes] : files) {
    if (!starts_with(path, folder + "/") || !path.ends_with(kEnding)) continue;
    const std::string name = path.substr(folder.size() + 1);
    if (name.find('/') != std::string::npos) continue;
    stems.push_back(name.substr(0, name.size() - kEnding.size()));
  }
  return stems;
}

}  // namespace sizesheet
