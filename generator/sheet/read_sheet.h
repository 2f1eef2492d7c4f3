// SPDX-License-Identifier: Apache-2.0
// A whole Sheet from the text of a sheet.json, safe to draw.
#pragma once

#include <string>

#include "sheet/sheet.h"

namespace sizesheet {

/// Throws InputError `file:/pointer: …` for malformed text, another schema, an edition of another
/// version than `tool_version`, a value of a wrong type or size, and a name that nothing bears.
Sheet read_sheet(const std::string& text, const std::string& file, const std::string& tool_version);

/// The last part of that: names that nothing in the sheet bears, and figures that no sheet has.
void check_sheet(const Sheet& sheet, const std::string& file);

}  // namespace sizesheet
