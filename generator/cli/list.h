// SPDX-License-Identifier: Apache-2.0
// `sizesheet list`: what the catalog holds, one entry a line, tab-separated.
#pragma once

#include <filesystem>
#include <ostream>
#include <string>

namespace sizesheet {

/// `what`: models, gpus, methods, stacks, prices, sheets.
int run_list(const std::string& what, const std::filesystem::path& catalog, std::ostream& out);

}  // namespace sizesheet
