// SPDX-License-Identifier: Apache-2.0
// `import-prices`: someone's CSV of prices in, and what it changes in the catalog's file.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace sizesheet {

class CatalogLayers;
struct Catalog;
struct Price;

struct MergePlan {
  std::filesystem::path file;      ///< of the provider, in the last layer of the catalog
  std::vector<std::string> lines;  ///< one an imported row, in words
  std::map<std::string, std::int64_t>
      counts;             ///< added, changed, again, unchanged, older, conflict
  std::int64_t kept = 0;  ///< rows of the file that no imported row is about
  bool changes = false;   ///< false: the file is as it would be
  std::string text;       ///< the file after the merge
};

/// `prices` are of one provider, each key once.
MergePlan plan_merge(const std::string& provider, const std::vector<Price>& prices,
                     const Catalog& catalog, const CatalogLayers& layers);

void add_import_prices(CLI::App& app, const Streams& streams, Command& chosen);

}  // namespace sizesheet
