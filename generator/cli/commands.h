// SPDX-License-Identifier: Apache-2.0
// What a command is: it registers its options and the function that it runs.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <istream>
#include <memory>
#include <ostream>
#include <string>
#include <utility>

namespace sizesheet {

/// The project's version, "0.2.0".
std::string tool_version();

// ---- The command line as CLI11 sees it: each command with its options and what runs it.

/// What the chosen command does; its exit code.
using Command = std::function<int()>;

struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
};

/// How the help and the manual page show options: the first of their names.
std::shared_ptr<CLI::Formatter> help_formatter();

/// What `command` does, once it is the one that was asked for.
void set_run(CLI::App& command, Command& chosen, const Command& run);

/// A command that calls `run` with what it is asked, and where options of it are read into.
template <typename Options>
std::pair<CLI::App&, Options&> add_command(CLI::App& app, const Streams& streams, Command& chosen,
                                           const std::string& name, const std::string& words,
                                           int (*run)(const Options&, const Streams&)) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(name, words);
  set_run(*command, chosen, [options, run, &streams] { return run(*options, streams); });
  return {*command, *options};
}

}  // namespace sizesheet
