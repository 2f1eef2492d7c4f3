// SPDX-License-Identifier: Apache-2.0
// How a value of sheet.json reads: one table of formats, by the ids that templates write behind a
// bar: "own.capex_usd|whole".
#pragma once

#include <string>
#include <string_view>

#include "support/json.h"

namespace sizesheet {

/// Makes words of a value, or a flag for a section.
struct Format {
  Json (*shown)(const Json& value);
  Json absent;  ///< what stands for a value that is not known: mostly "–"
};

/// nullptr for an id that no format has.
const Format* format_of(std::string_view id);

/// A format's words of a value that may be null.
Json formatted(const Format& format, const Json& value);

/// The value under a dotted path: null below a part that is absent, nullptr where there is no such
/// member.
const Json* at_path(const Json& object, std::string_view path);

/// The words of "path|format" in an object, for tables that C++ lays out. Throws std::out_of_range
/// for a path or a format that does not exist.
std::string words_at(const Json& object, std::string_view name);

/// Every id of a format, sorted.
std::vector<std::string> format_ids();

}  // namespace sizesheet
