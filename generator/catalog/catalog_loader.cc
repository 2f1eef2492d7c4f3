// SPDX-License-Identifier: Apache-2.0
#include "catalog/catalog_loader.h"

#include <algorithm>

#include "catalog/entry.h"

namespace sizesheet {

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
    if (!row.is_object() || !row.contains(key)) continue;
    const auto* gpu = row.at(key).get_ptr<const std::string*>();
    if (gpu == nullptr || std::find(gpus.begin(), gpus.end(), *gpu) != gpus.end()) continue;
    if (is_empty_text(*gpu)) continue;
    ObjectReader place(row, shown_path(path), "/" + list + "/" + std::to_string(i), faults_);
    check_reference(place, key, "GPU", gpus);
  }
}

void CatalogLoader::check_all_nulls() {
  for (const auto& [path, parsed] : documents_) check_nulls(parsed, shown_path(path), faults_);
}

}  // namespace sizesheet
