// SPDX-License-Identifier: Apache-2.0
// `sizesheet estimate`: sizing requests as JSON lines in, answers as JSON lines out, in order.
#pragma once

#include <filesystem>
#include <istream>
#include <ostream>

namespace sizesheet {

/// 1 when at least one line was answered `ok: false`, else 0.
int run_estimate(const std::filesystem::path& catalog, int jobs, std::istream& in,
                 std::ostream& out);

}  // namespace sizesheet
