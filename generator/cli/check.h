// SPDX-License-Identifier: Apache-2.0
// `sizesheet check`: every fault in the catalog, one a line.
#pragma once

#include <filesystem>
#include <iosfwd>

namespace sizesheet {

/// Exit code 0 without a fault, else 1. Unreadable or malformed files throw InputError.
int run_check(const std::filesystem::path& catalog, std::ostream& out, std::ostream& err);

}  // namespace sizesheet
