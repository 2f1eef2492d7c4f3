// SPDX-License-Identifier: Apache-2.0
// `build` and `verify`: an edition written whole, and held against what its own sheet makes.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace sizesheet {

void add_build(CLI::App& app, const Streams& streams, Command& chosen);

}  // namespace sizesheet
