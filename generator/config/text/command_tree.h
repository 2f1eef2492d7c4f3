// SPDX-License-Identifier: Apache-2.0
// A command as a tree of keys: what starts the run, and what the run is asked for.
#pragma once

#include <string>
#include <string_view>

#include "config/text/config_tree.h"

namespace sizesheet {

/// A command, or a script with one: `--key value`, `key=value` and NAME=value before the program.
/// "_command" has the program's words, "launch" the options of what starts it, "outer" those before
/// a lone `--`, "env" the variables. A variable that the script itself sets is put in. Throws
/// InputError where there is no option.
ConfigTree command_tree(std::string_view text, const std::string& file);

}  // namespace sizesheet
