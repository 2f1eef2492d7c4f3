// SPDX-License-Identifier: Apache-2.0
// `build`: writes an edition whole, or not at all.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace sizesheet {

void add_build(CLI::App& app, const Streams& streams, Command& chosen);

}  // namespace sizesheet
