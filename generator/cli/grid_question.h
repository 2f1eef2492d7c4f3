// SPDX-License-Identifier: Apache-2.0
// What `sweep` and `compare` cross: models, methods, GPU types and lengths, and the rules of the
// runs.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/question_options.h"
#include "sheet/assemble/build_sheet.h"

namespace sizesheet {

class TakenNames;
struct UsualNames;
struct Catalog;

/// As people call them, with commas between them; "" and "all": all of the catalog.
struct GridQuestion : RunOptions {
  std::string models;
  std::string methods;
  std::string types;  ///< "8": a count, and no type
  std::string gpu;    ///< the same under the name that other commands have
  std::vector<std::string> lengths;
};

/// The options themselves, the sheet of rules and the catalog among them.
void add_grid_question(CLI::App& command, GridQuestion& options);

/// Their ids, and the rules as the options say; `catalog` gains what they name and it lacks. Throws
/// InputError for what no entry is called.
GridAxes grid_axes(Catalog& catalog, const GridQuestion& asked, TakenNames& taken);

/// The methods that are asked for, those with as many tokens of an example together: lists of ids
/// with commas between them.
std::vector<std::string> methods_by_example(const GridQuestion& options, const UsualNames& usual,
                                            Catalog& catalog, TakenNames& taken);

}  // namespace sizesheet
