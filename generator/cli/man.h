// SPDX-License-Identifier: Apache-2.0
// `man`: the manual page, made from the command line's own description as the help is. `schema`:
// what an editor has to know of a file.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace sizesheet {

void add_man(CLI::App& app, const Streams& streams, Command& chosen);

}  // namespace sizesheet
