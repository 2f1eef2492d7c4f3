// SPDX-License-Identifier: Apache-2.0
// A price file of the catalog as text.
#pragma once

#include <string>
#include <vector>

#include "catalog/price.h"

namespace sizesheet {

/// Provider and rows, two-space indent, the keys of a row in their usual order, a final newline;
/// before them the file's "$schema" where that is a text.
std::string price_file_text(const std::string& provider, const std::vector<Price>& prices,
                            const Json& schema = nullptr);

}  // namespace sizesheet
