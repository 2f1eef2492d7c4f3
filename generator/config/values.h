// SPDX-License-Identifier: Apache-2.0
// How values of a config compare, whatever they are written as: true and "True", 4 and "4".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "support/json.h"

namespace sizesheet {

/// As a text in small letters: "true", "4", "full_shard"; lists and objects as JSON.
std::string config_text(const Json& value);
/// nullopt for what is neither a flag nor a number nor a word for one.
std::optional<bool> config_flag(const Json& value);
std::optional<double> config_number(const Json& value);

/// Whether `text` is `pattern`, where '*' is any text.
bool matches(std::string_view pattern, std::string_view text);

bool same_config_value(const Json& value, const Json& other);

/// Whether a value says the same as no value: nothing, false, 0, an empty text, list or object.
bool is_neutral(const Json& value);

/// Whether a value passes a test of a condition: a value, a list of values, or an object of
/// kConfigTests. `said`: the file has the key.
bool passes(const Json& value, const Json& test, bool said);

}  // namespace sizesheet
