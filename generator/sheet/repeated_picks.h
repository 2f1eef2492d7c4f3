// SPDX-License-Identifier: Apache-2.0
// Refuses two picks for one model, method and scenario.
#pragma once

#include <string>
#include <vector>

namespace sizesheet {

struct Pick;

/// Throws InputError at the second pick of a model, method and scenario in the picks of `file`.
void refuse_repeated_picks(const std::vector<Pick>& picks, const std::string& file);

}  // namespace sizesheet
