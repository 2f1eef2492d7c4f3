// SPDX-License-Identifier: Apache-2.0
// The command line as CLI11 sees it: each command with its options and what runs it.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <istream>
#include <ostream>

namespace sizesheet {

/// What the chosen command does; its exit code.
using Command = std::function<int()>;

struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
};

/// `--catalog` and `--jobs`, which many commands have.
void add_catalog(CLI::App& command, std::string& catalog);
void add_jobs(CLI::App& command, int& jobs);

/// Commands that size or price: build, estimate, cost, explain, fits, sweep.
void add_sizing_commands(CLI::App& app, const Streams& streams, Command& chosen);

/// Commands on what is there: check, list, import-model, import-prices, validate, verify, diff.
void add_data_commands(CLI::App& app, const Streams& streams, Command& chosen);

}  // namespace sizesheet
