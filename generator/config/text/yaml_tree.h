// SPDX-License-Identifier: Apache-2.0
// YAML and JSON as a tree of keys.
#pragma once

#include <string>
#include <string_view>

#include "config/text/config_tree.h"

namespace sizesheet {

/// YAML 1.1 as PyYAML reads it, and JSON with it. Environment, includes and tags of programs are
/// not read. Throws InputError `file:line:column: …` for what is no mapping, names another file, or
/// is larger than the limits above.
ConfigTree yaml_tree(std::string_view text, const std::string& file);

}  // namespace sizesheet
