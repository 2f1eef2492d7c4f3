// SPDX-License-Identifier: Apache-2.0
// `list`: what the catalog holds, a line an entry. Aligned under a head on a terminal, separated by
// tabs in a pipe, or JSON.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace sizesheet {

void add_list(CLI::App& app, const Streams& streams, Command& chosen);

/// `models`, `gpus`, `prices` and `providers`: the lists of these names as commands.
void add_lists(CLI::App& app, const Streams& streams, Command& chosen);

}  // namespace sizesheet
