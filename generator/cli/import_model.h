// SPDX-License-Identifier: Apache-2.0
// `sizesheet import-model`: a published config.json in, a catalog entry out.
#pragma once

#include <filesystem>
#include <ostream>
#include <string>

namespace sizesheet {

struct ImportModelOptions {
  std::filesystem::path config;
  std::string id;
  std::string title;       ///< "": the id
  std::string repository;  ///< "": none
  std::string source;      ///< "": the name of the file
  std::string date;        ///< "": the day of the command
  std::string as_of;
  std::string catalog = "catalog";
  bool merge = false;
  bool yes = false;
};

/// The entry goes to `out`; with `merge` what it would change in the catalog. What the entry leaves
/// out of the config, and what was taken for its date, is told on `err`.
int run_import_model(const ImportModelOptions& options, std::ostream& out, std::ostream& err);

}  // namespace sizesheet
