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
  std::string source;
  std::string date;
};

int run_import_model(const ImportModelOptions& options, std::ostream& out);

}  // namespace sizesheet
