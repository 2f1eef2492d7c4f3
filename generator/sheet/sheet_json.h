// SPDX-License-Identifier: Apache-2.0
// sheet.json: the Sheet as text and back. Sorted keys, numbers that round-trip, absent is null.
#pragma once

#include <string>

#include "sheet/sheet.h"

namespace sizesheet {

inline constexpr int kSheetSchemaVersion = 1;

Json to_json(const Sheet& sheet);

/// The "accuracy" of a sheet alone.
Json to_json(const Accuracy& accuracy);

/// One line a row, so that two editions compare line by line.
std::string to_json_text(const Sheet& sheet);

/// The inverse. Throws InputError `file:/pointer: expected …, got …`.
Sheet sheet_from_json(const Json& json, const std::string& file);

}  // namespace sizesheet
