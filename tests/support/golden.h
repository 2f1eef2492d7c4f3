// SPDX-License-Identifier: Apache-2.0
// Texts kept in the repository and compared with what the code makes now.
#pragma once

#include <string>

namespace sizesheet {

/// Compares `text` with tests/golden/<name> and reports the first line that differs. With the
/// environment variable SIZESHEET_UPDATE_GOLDEN=1 it writes the file instead.
void expect_golden(const std::string& name, const std::string& text);

/// The same for a file elsewhere, named from the root of the project.
void expect_kept(const std::string& name, const std::string& text);

}  // namespace sizesheet
