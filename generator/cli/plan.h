// SPDX-License-Identifier: Apache-2.0
// `plan`: which machines to own, which to reserve and what to rent by the hour for a sheet's
// demand, and how sure that is.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace sizesheet {

void add_plan(CLI::App& app, const Streams& streams, Command& chosen);

}  // namespace sizesheet
