// SPDX-License-Identifier: Apache-2.0
// The catalog's files as bytes, before anything is read from them.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace sizesheet {

/// Path below the catalog -> bytes.
using CatalogFiles = std::map<std::string, std::string>;

/// Whether a path below a catalog is of one of its files: "prices/aws.json". What systems and
/// editors leave there is not: ".DS_Store", "#aws.json#", ".sizesheet-x/aws.json".
bool is_catalog_file(const std::string& path);

/// The catalog's files below `directory` whose path is wanted. Throws InputError for one that
/// cannot be read.
CatalogFiles read_catalog_files(const std::filesystem::path& directory,
                                const std::function<bool(const std::string& path)>& wanted);

/// SHA-256 over sorted paths and bytes, 64 hex digits.
std::string hash_of(const CatalogFiles& files);

/// Names without ".json" of the entries right under `folder`.
std::vector<std::string> stems_in(const CatalogFiles& files, const std::string& folder);

}  // namespace sizesheet
