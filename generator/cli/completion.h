// SPDX-License-Identifier: Apache-2.0
// `completion SHELL`: a script that completes commands and options, made from the command line's
// own description.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace sizesheet {

void add_completion(CLI::App& app, const Streams& streams, Command& chosen);

}  // namespace sizesheet
