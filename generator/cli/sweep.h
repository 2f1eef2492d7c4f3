// SPDX-License-Identifier: Apache-2.0
// `sweep`: a grid of models, methods, GPU types and lengths as a table, whole or one part of it.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace sizesheet {

void add_sweep(CLI::App& app, const Streams& streams, Command& chosen);

}  // namespace sizesheet
