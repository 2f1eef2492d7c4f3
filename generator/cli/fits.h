// SPDX-License-Identifier: Apache-2.0
// `fits`: what can be trained on the GPUs that one has.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace sizesheet {

void add_fits(CLI::App& app, const Streams& streams, Command& chosen);

}  // namespace sizesheet
