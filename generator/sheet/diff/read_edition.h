// SPDX-License-Identifier: Apache-2.0
// An edition out of sheet.json, row by row: straight from what simdjson makes of the text, and
// where that holds anything unexpected, with the library that says where.
#pragma once

#include <filesystem>
#include <string>

namespace sizesheet {

struct Edition;

/// Reads a sheet.json of this or of an older program (same major): what it lacks is absent. Rows
/// are read one by one, so memory does not grow with their proofs. Throws InputError.
Edition parse_edition(const std::string& text, const std::string& file);
Edition read_edition(const std::filesystem::path& path);

}  // namespace sizesheet
