// SPDX-License-Identifier: Apache-2.0
// `diff`: what changed between two editions, and what its arguments mean.
#pragma once

#include <CLI/CLI.hpp>
#include <iosfwd>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace sizesheet {

struct ChangeThresholds;

/// --threshold of the diff command: each word is one or more of usd=1%, hours=2%, memory=0.1 (or
/// 0.1GiB), comma separated; what is not named stays as it is. Throws InputError naming option,
/// value, what was expected, near miss.
ChangeThresholds read_thresholds(const std::vector<std::string>& words);

void add_diff(CLI::App& app, const Streams& streams, Command& chosen);

}  // namespace sizesheet
