// SPDX-License-Identifier: Apache-2.0
// `verify`: whether an edition is whole and what its own sheet.json gives.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace sizesheet {

void add_verify(CLI::App& app, const Streams& streams, Command& chosen);

}  // namespace sizesheet
