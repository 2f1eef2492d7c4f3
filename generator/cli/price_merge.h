// SPDX-License-Identifier: Apache-2.0
// What imported prices change in the catalog's file of their provider. No row is ever lost: a new
// price of an offer stands beside the older ones.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "catalog/catalog.h"

namespace sizesheet {

struct MergePlan {
  std::filesystem::path file;          ///< of the provider, in the catalog
  std::vector<std::string> lines;      ///< one an imported row, in words
  std::vector<std::string> conflicts;  ///< rows that contradict the catalog on the same day
  std::map<std::string, std::int64_t>
      counts;             ///< added, changed, again, unchanged, older, conflict
  std::int64_t kept = 0;  ///< rows of the file that no imported row is about
  bool changes = false;   ///< false: the file is as it would be
  std::string text;       ///< the file after the merge
};

/// `prices` are of one provider, each key once.
MergePlan plan_merge(const std::string& provider, const std::vector<Price>& prices,
                     const Catalog& catalog, const std::filesystem::path& catalog_directory);

}  // namespace sizesheet
