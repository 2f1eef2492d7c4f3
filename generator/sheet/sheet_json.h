// SPDX-License-Identifier: Apache-2.0
// sheet.json: the Sheet as text and back. Sorted keys, numbers that round-trip, absent is null.
#pragma once

#include <string>

#include "support/json.h"

namespace sizesheet {

struct Accuracy;
struct Row;
struct Sheet;
struct SheetChanges;

inline constexpr int kSheetSchemaVersion = 1;

Json to_json(const Sheet& sheet);

/// The keys of a row of sheet.json that lie flat beside its groups.
void put_flat_keys(Json& row, const Row& from);

/// The "accuracy" of a sheet alone.
Json to_json(const Accuracy& accuracy);

/// The answer of `diff --format json`; without "schema_version" it stands in a sheet.
Json to_json(const SheetChanges& changes);

/// One line a change, like the parts of sheet.json.
std::string to_json_text(const SheetChanges& changes);

/// One line a row, so that two editions compare line by line.
std::string to_json_text(const Sheet& sheet);

/// The inverse. Throws InputError `file:/pointer: expected …, got …`.
Sheet sheet_from_json(const Json& json, const std::string& file);

/// Throws InputError unless the document has the major version that this program reads.
void check_schema_version(const Json& json, const std::string& file);

/// Throws InputError `file:/pointer: …` for malformed text, another schema, an edition of another
/// version than `tool_version`, a value of a wrong type or size, and a name that nothing bears.
Sheet read_sheet(const std::string& text, const std::string& file, const std::string& tool_version);

}  // namespace sizesheet
