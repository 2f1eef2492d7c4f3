// SPDX-License-Identifier: Apache-2.0
// `sizesheet import-prices`: someone's CSV of prices in, a price file of the catalog out.
#pragma once

#include <filesystem>
#include <ostream>
#include <string>

namespace sizesheet {

struct ImportPricesOptions {
  std::filesystem::path file;
  std::string format;    ///< skypilot | sizesheet
  std::string provider;  ///< "": by the name of the file or its folder
  std::string as_of;     ///< YYYY-MM-DD
  std::string source;    ///< "": SkyPilot's catalog
  std::string catalog = "catalog";
  bool merge = false;
  bool yes = false;  ///< with merge: write
};

/// 0 when every row was taken (or has no GPU), 1 when some were refused. The price file, or with
/// `merge` the plan, goes to `out`; what was wrong with which line to `err`.
int run_import_prices(const ImportPricesOptions& options, std::ostream& out, std::ostream& err);

}  // namespace sizesheet
