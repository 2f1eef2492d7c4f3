// SPDX-License-Identifier: Apache-2.0
// `man`: the manual page, made from the descriptions of the commands.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace sizesheet {

void add_man(CLI::App& app, const Streams& streams, Command& chosen);

}  // namespace sizesheet
