// SPDX-License-Identifier: Apache-2.0
// What a method that generates is run with: its group and its lengths, where a question says them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "support/json.h"

namespace sizesheet {

class TakenNames;
struct Catalog;
struct GenerationOptions;

/// `--group-size`, `--prompt-length` and `--completion-length`.
void add_generation(CLI::App& command, GenerationOptions& options);

/// Puts the group and the lengths into those of `methods` that generate. A mean length follows the
/// limit in proportion. Throws InputError where none of them generates.
void take_generation(const GenerationOptions& options, const std::vector<std::string>& methods,
                     Catalog& catalog, TakenNames& taken);

/// Throws InputError for what the keys of `grpo` in a request say as well.
void refuse_said_twice(const GenerationOptions& options, const Json& said_grpo);

}  // namespace sizesheet
