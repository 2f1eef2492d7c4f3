// SPDX-License-Identifier: Apache-2.0
// The whole program as a function: arguments and streams in, exit code out. Tests call this.
#pragma once

#include <istream>
#include <ostream>
#include <string>
#include <vector>

namespace sizesheet {

/// Exit codes: 0 done, 1 the answer is "no", 2 could not do it. stdout is data, stderr is talk.
/// Where the reader of stdout has gone nothing is said, and the code is that of a program the
/// system ends for it.
int run(const std::vector<std::string>& arguments, std::istream& in, std::ostream& out,
        std::ostream& err);

/// For std::set_terminate: where no memory was left even to tell of it in order, tells of it with
/// exit code 2; else ends as the system does.
[[noreturn]] void end_without_unwinding();

/// The project's version, "0.1.0".
std::string tool_version();

}  // namespace sizesheet
