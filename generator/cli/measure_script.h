// SPDX-License-Identifier: Apache-2.0
// `measure-script`: a Python script that measures a run, for `record`.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace sizesheet {

void add_measure_script(CLI::App& app, const Streams& streams, Command& chosen);

}  // namespace sizesheet
