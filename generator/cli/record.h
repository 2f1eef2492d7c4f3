// SPDX-License-Identifier: Apache-2.0
// `record`: what a run of one's own took, kept in a catalog of one's own.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace sizesheet {

void add_record(CLI::App& app, const Streams& streams, Command& chosen);

}  // namespace sizesheet
