// SPDX-License-Identifier: Apache-2.0
// Options that several commands have.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "catalog/files/loader.h"
#include "support/parallel.h"

namespace sizesheet {

/// What SIZESHEET_CATALOG names, else ./catalog, else the one that is compiled in; a part of a
/// catalog is laid over that one.
CatalogLayers default_catalog();

/// The last layer, which a merge writes into and may begin. Throws InputError for the one that is
/// compiled in, and for one that is not there where another has nearly its name.
std::filesystem::path folder_to_merge_into(const CatalogLayers& catalog);

/// What many commands are asked.
struct CommonOptions {
  CatalogLayers catalog = default_catalog();
  std::string sheet = "quarterly";  ///< an id or a file
  std::string as_of;                ///< "" where it is left out
  int jobs = default_jobs();
};

/// What is asked of a command that may write what it made into the catalog.
struct MergeOptions : CommonOptions {
  bool merge = false;
  bool yes = false;
};

/// `--catalog` and `--jobs`, which many commands have.
void add_catalog(CLI::App& command, CatalogLayers& catalog);
void add_jobs(CLI::App& command, int& jobs);

/// `--sheet`, where `words` say what of it counts, and the day of its prices.
void add_sheet(CLI::App& command, CommonOptions& options, const std::string& words);

/// An option that is one of a few words, with what `value` says as the usual one.
void add_choice(CLI::App& command, const std::string& name, std::string& value,
                const std::string& words, const std::vector<std::string>& known);

/// `--format` of an answer, and `--json` for the one of them that programs read.
void add_format(CLI::App& command, std::string& format, const std::vector<std::string>& known);

/// `--merge`, which `words` explain, and `--yes`.
void add_merge(CLI::App& command, const std::string& words, MergeOptions& options);

/// What the environment or the working folder names, as it is.
CatalogLayers named_catalog();

}  // namespace sizesheet
