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
namespace {

/// Other names of an option mean the same; a help with all of them hides what it says.
class FirstNames : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool positional) const override {
    if (positional || option->get_lnames().empty()) {
      return CLI::Formatter::make_option_name(option, positional);
    }
    const std::string name = "--" + option->get_lnames().front();
    return option->get_snames().empty() ? name : "-" + option->get_snames().front() + "," + name;
  }
};

}  // namespace

std::shared_ptr<CLI::Formatter> help_formatter() { return std::make_shared<FirstNames>(); }

void set_run(CLI::App& command, Command& chosen, const Command& run) {
  command.callback([&chosen, run] { chosen = run; });
}

std::string tool_version() { return SIZESHEET_VERSION; }

}  // namespace sizesheet
