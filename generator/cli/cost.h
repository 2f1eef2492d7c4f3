// SPDX-License-Identifier: Apache-2.0
// `cost`: rent or buy, as questions in JSON lines, or of one GPU type with the catalog's rates for
// all that is not said.
#pragma once

#include <CLI/CLI.hpp>
#include <istream>
#include <ostream>

#include "cli/commands.h"

namespace sizesheet {

void add_cost(CLI::App& app, const Streams& streams, Command& chosen);

/// Rent-or-buy questions as JSON lines: 0 when every line was answered, 1 when one was refused.
int run_cost(std::istream& in, std::ostream& out);

}  // namespace sizesheet
