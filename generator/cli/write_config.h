// SPDX-License-Identifier: Apache-2.0
// The pick of an answer as the config and the launch command of a framework.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "catalog/files/loader.h"
#include "support/json.h"

namespace sizesheet {

struct Catalog;
struct Row;
struct SheetSpec;

struct WrittenPick {
  std::vector<std::string> files;  ///< paths, the run's first
  std::string command;             ///< what starts the run, in that folder
  std::int64_t machines = 1;       ///< on each of which it is started
};

/// Writes the set-up of `row`, a row of the sheet that `spec` makes, into `folder`. What is written
/// is read back first: where that is another run, nothing is written. Throws InputError for a
/// framework without a writer, for what it cannot be told, and for a file that is there already and
/// says something else. `epochs` is how often the data are trained on.
WrittenPick write_pick(const CatalogLayers& layers, const Catalog& catalog, const SheetSpec& spec,
                       const Row& row, double epochs, const std::filesystem::path& folder);

Json to_json(const WrittenPick& written);

}  // namespace sizesheet
