// SPDX-License-Identifier: Apache-2.0
// Values without quotes, and what refers to others.
#pragma once

#include <string>
#include <string_view>

#include "support/json.h"

namespace sizesheet {

/// A value without quotes as YAML 1.1 has it: NO is false, 1_000 a number, 2e-4 a text.
Json plain_yaml_value(const std::string& text);

/// Puts in what `${a.b}` of OmegaConf names in the same file. What names the environment, a
/// resolver or nothing stays as it is.
void resolve_references(Json& keys);

/// Whether a text waits for a variable: ${…}, $NAME, $(…).
bool is_unresolved(std::string_view text);

}  // namespace sizesheet
