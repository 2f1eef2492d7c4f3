// SPDX-License-Identifier: Apache-2.0
#include "cli/diff_source.h"

#include <filesystem>

#include "cli/as_of.h"
#include "cli/run.h"
#include "sheet/build_sheet.h"
#include "support/error.h"

namespace sizesheet {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

Edition sized(const std::string& folder, const std::string& sheet, int jobs) {
  const Catalog catalog = load_sound_catalog(folder);
  SheetSpec spec = load_sheet_spec(sheet, folder, catalog);
  spec.as_of = as_of_day("", spec.as_of);
  const auto whole = [](Row&) {};
  const auto quiet = [](std::size_t, std::size_t) {};
  return edition_of(sized_sheet(catalog, spec, {tool_version(), ""}, jobs, whole, quiet), folder);
}

}  // namespace

bool is_catalog(const std::string& path) {
  return is_folder(path) && !is_file(fs::path(path) / "sheet.json") &&
         is_file(fs::path(path) / "engine.json");
}

Edition load_edition(const std::string& path, const std::string& sheet, int jobs) {
  if (!is_folder(path)) return read_edition(path);
  if (is_catalog(path)) return sized(path, sheet, jobs);
  const fs::path inside = fs::path(path) / "sheet.json";
  if (is_file(inside)) return read_edition(inside);
  throw InputError(path +
                   ": expected sheet.json of an edition or engine.json of a catalog in this "
                   "folder, got neither");
}

}  // namespace sizesheet
