// SPDX-License-Identifier: Apache-2.0
// `estimate`: one answer for each line of JSON.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace sizesheet {

void add_estimate(CLI::App& app, const Streams& streams, Command& chosen);

}  // namespace sizesheet
