// SPDX-License-Identifier: Apache-2.0
// How a value of sheet.json reads: one table of formats, by the ids that templates write.
#pragma once

#include <string>
#include <string_view>

#include "support/json.h"

namespace sizesheet {

/// What a format makes of a value that may be null: words, or a flag for a section. "is" with words
/// behind it asks whether a text is one of them: "kind|is cards notes". Throws std::out_of_range
/// for a format that does not exist.
Json formatted(std::string_view format, const Json& value);

/// "no format named 'runs', did you mean 'run'?"; "" for one that exists.
std::string format_fault(std::string_view format);

/// The words of "path|format" in an object, for tables that C++ lays out. Throws std::out_of_range
/// for a path or a format that does not exist.
std::string words_at(const Json& object, std::string_view name);

}  // namespace sizesheet
