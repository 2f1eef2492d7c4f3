// SPDX-License-Identifier: Apache-2.0
// Where two versions of a file part, in words short enough for a line of a report.
#pragma once

#include <string>

namespace sizesheet {

/// "" when equal; for text "line 3, column 14: expected "…", got "…"", columns in characters; else
/// "byte 1,234: expected 0x41, got 0x42" or "… got the end", counted from 1.
std::string first_difference(const std::string& expected, const std::string& got);

}  // namespace sizesheet
