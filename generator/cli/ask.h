// SPDX-License-Identifier: Apache-2.0
// `ask`: how many GPUs, for how long, for how much, rent or buy, in a few lines.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace sizesheet {

void add_ask(CLI::App& app, const Streams& streams, Command& chosen);

}  // namespace sizesheet
