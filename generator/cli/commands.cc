// SPDX-License-Identifier: Apache-2.0
// What a command of the command line is made of.
#include "cli/commands.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <system_error>

#include "cli/run.h"

namespace sizesheet {

void set_run(CLI::App& command, Command& chosen, const Command& run) {
  command.callback([&chosen, run] { chosen = run; });
}

std::string tool_version() { return SIZESHEET_VERSION; }

}  // namespace sizesheet
