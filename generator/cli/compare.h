// SPDX-License-Identifier: Apache-2.0
// `compare`: models, methods and GPU types side by side in a table that a screen shows.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace sizesheet {

void add_compare(CLI::App& app, const Streams& streams, Command& chosen);

}  // namespace sizesheet
