// SPDX-License-Identifier: Apache-2.0
// `explain` takes one sizing apart.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace sizesheet {

void add_explain(CLI::App& app, const Streams& streams, Command& chosen);

}  // namespace sizesheet
