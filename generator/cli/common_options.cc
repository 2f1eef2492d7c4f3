// SPDX-License-Identifier: Apache-2.0
#include "cli/common_options.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <system_error>

#include "catalog/files/layer.h"
#include "catalog/files/loader.h"
#include "cli/value_options.h"
#include "sizing/time/throughput.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

/// "a, b or c".
std::string or_between(const std::vector<std::string>& known) {
  if (known.size() == 1) return known.front();
  return join({known.begin(), known.end() - 1}, ", ") + " or " + known.back();
}

}  // namespace

/// What the environment or the working folder names, as it is.
CatalogLayers named_catalog() {
  const char* named = std::getenv("SIZESHEET_CATALOG");
  if (named != nullptr && *named != '\0') return CatalogLayers::in(named);
  std::error_code none;
  return std::filesystem::is_directory("catalog", none) ? "catalog" : kBuiltInCatalog;
}

CatalogLayers default_catalog() { return on_ground(named_catalog()); }

std::filesystem::path folder_to_merge_into(const CatalogLayers& catalog) {
  const std::filesystem::path& folder = catalog.folders().back();
  if (folder == kBuiltInCatalog) {
    throw InputError("--merge: expected --catalog, a folder to write to, got " +
                     std::string(kBuiltInCatalog));
  }
  std::error_code none;
  if (std::filesystem::exists(folder, none)) return folder;
  const auto named = folder.has_filename() ? folder : folder.parent_path();
  const std::string near = did_you_mean(named.filename().string(), neighbours_of(named));
  if (near.empty()) return folder;
  throw InputError(shown_path(folder) + ": expected a folder to write to, got nothing" + near);
}

void add_catalog(CLI::App& command, CatalogLayers& catalog) {
  command
      .add_option_function<std::vector<std::string>>(
          "--catalog",
          [&catalog](const auto& folders) { catalog = on_ground(CatalogLayers(folders)); },
          "Folder of facts, or builtin; each further one is laid over those before it, and one "
          "that is no whole catalog over builtin. Left out: SIZESHEET_CATALOG, ./catalog or "
          "builtin")
      ->allow_extra_args(false);
}

void add_jobs(CLI::App& command, int& jobs) {
  add_value(command, "--jobs", jobs, count_kind(),
            "Threads, one a core if left out; the result does not depend on it",
            Bounds<double>{1, 1024});
}

void add_choice(CLI::App& command, const std::string& name, std::string& value,
                const std::string& words, const std::vector<std::string>& known) {
  command
      .add_option_function<std::string>(
          name,
          [name, &value, known](const std::string& said) {
            const std::string asked = small_letters(said);
            const auto found = std::ranges::find_if(
                known, [&](const std::string& one) { return small_letters(one) == asked; });
            if (found == known.end()) {
              throw InputError(name + ": expected " + or_between(known) + ", got " +
                               in_quotes(said) + did_you_mean(asked, known));
            }
            value = *found;
          },
          words)
      ->type_name(join(known, "|"))
      ->default_str(value);
}

void add_format(CLI::App& command, std::string& format, const std::vector<std::string>& known) {
  add_choice(command, "--format", format, "Form of the answer", known);
  command
      .add_flag_callback(
          "--json", [&format] { format = "json"; }, "The same as --format json")
      ->excludes("--format");
}

void add_sheet(CLI::App& command, CommonOptions& options, const std::string& words) {
  command.add_option("--sheet", options.sheet, words)->capture_default_str();
  add_day(command, "--as-of", options.as_of, "The day of the prices, YYYY-MM-DD");
}

void add_merge(CLI::App& command, const std::string& words, MergeOptions& options) {
  CLI::Option* merge = command.add_flag("--merge", options.merge, words);
  command.add_flag("--yes", options.yes, "With --merge: write the change")->needs(merge);
}

}  // namespace sizesheet
