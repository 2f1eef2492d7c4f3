// SPDX-License-Identifier: Apache-2.0
#include "catalog/catalog_loader.h"

#include <algorithm>

#include "catalog/entry.h"

namespace sizesheet {

const std::shared_ptr<const Json>& CatalogLoader::shared_document(const std::string& path) {
  const auto known = documents_.find(path);
  if (known != documents_.end()) return known->second;
  const auto file = files_.find(path);
  if (file == files_.end()) throw InputError(shown_path(path) + ": this file is required");
  auto& read = documents_[path];
  read = std::make_shared<const Json>(parse_entry(file->second, shown_path(path), faults_));
  return read;
}

std::size_t CatalogLoader::length_of(const std::string& path, const std::string& list) {
  const Json& whole = document(path);
  return whole.is_object() && whole.contains(list) && whole.at(list).is_array()
             ? whole.at(list).size()
             : 0;
}

void CatalogLoader::check_gpus(const std::string& path, const std::string& list,
                               const std::string& key, const std::vector<std::string>& gpus) {
  for (std::size_t i = 0; i < length_of(path, list); ++i) {
    const Json& row = document(path).at(list)[i];
    if (!row.is_object() || !row.contains(key)) continue;
    const auto* gpu = row.at(key).get_ptr<const std::string*>();
    if (gpu == nullptr || std::find(gpus.begin(), gpus.end(), *gpu) != gpus.end()) continue;
    if (is_empty_text(*gpu)) continue;
    ObjectReader place(row, shown_path(path), "/" + list + "/" + std::to_string(i), faults_);
    check_reference(place, key, "GPU", gpus);
  }
}

void CatalogLoader::check_all_nulls() {
  for (const auto& [path, parsed] : documents_) check_nulls(*parsed, shown_path(path), faults_);
}

}  // namespace sizesheet
