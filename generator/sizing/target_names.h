// SPDX-License-Identifier: Apache-2.0
// What frameworks and families call a projection, in the names of the request.
#pragma once

#include <string>
#include <vector>

namespace sizesheet {

/// The request's names behind a framework's or family's own ("qkv_proj": q_proj, k_proj, v_proj);
/// empty for a name that is no alias.
std::vector<std::string> projections_behind(const std::string& alias);

}  // namespace sizesheet
