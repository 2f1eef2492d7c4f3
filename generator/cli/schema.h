// SPDX-License-Identifier: Apache-2.0
// `schema`: the JSON schemas that editors read.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace sizesheet {

void add_schema(CLI::App& app, const Streams& streams, Command& chosen);

}  // namespace sizesheet
