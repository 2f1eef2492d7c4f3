// SPDX-License-Identifier: Apache-2.0
// A row has at most one pick.
#pragma once

#include <string>
#include <vector>

namespace sizesheet {

struct Pick;

/// Throws InputError at the second pick of a model, method and scenario in the picks of `file`.
void refuse_repeated_picks(const std::vector<Pick>& picks, const std::string& file);

}  // namespace sizesheet
