// SPDX-License-Identifier: Apache-2.0
// `import-model`: a published config.json in, a catalog entry out.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iosfwd>
#include <ostream>
#include <string>

#include "cli/commands.h"

namespace sizesheet {

/// Writes what a merge made of a catalog's file, if it changes it and that is wanted; says so.
void write_merged(const std::filesystem::path& file, bool changes, const std::string& text,
                  bool wanted, std::ostream& err);

void add_import_model(CLI::App& app, const Streams& streams, Command& chosen);

}  // namespace sizesheet
