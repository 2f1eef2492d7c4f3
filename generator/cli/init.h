// SPDX-License-Identifier: Apache-2.0
// `init`: a sheet's specification of one's own that begins as one of the catalog, each key under
// what docs/sheet.md says of it.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace sizesheet {

// In the order of the help. What their exit codes mean stands in their help where it is more than 0
// done, 2 could not do it.
void add_init(CLI::App& app, const Streams& streams, Command& chosen);

}  // namespace sizesheet
