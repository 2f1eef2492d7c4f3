// SPDX-License-Identifier: Apache-2.0
// The whole program as a function, and the streams that it is started with.
#pragma once

#include <CLI/CLI.hpp>
#include <istream>
#include <ostream>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace sizesheet {

/// Whether a refused line ends with one that works in its place. To find it others are run.
enum class Cure { kSought, kLeft };

/// Exit codes: 0 done, 1 the answer is "no", 2 could not do it. stdout is data, stderr is talk.
/// Where the reader of stdout has gone nothing is said, and the code is that of a program the
/// system ends for it.
int run(const std::vector<std::string>& arguments, std::istream& in, std::ostream& out,
        std::ostream& err, Cure cure = Cure::kSought);

/// For std::set_terminate: where no memory was left even to tell of it in order, tells of it with
/// exit code 2; else ends as the system does.
[[noreturn]] void end_without_unwinding();

/// A reader that went away, or a limit on the size of files, makes a write fail instead of ending
/// the program, and a stream that was closed stays unusable instead of becoming the number of the
/// next file that is opened.
void secure_standard_streams();

/// All of these.
void add_commands(CLI::App& app, const Streams& streams, Command& chosen);

}  // namespace sizesheet
