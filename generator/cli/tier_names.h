// SPDX-License-Identifier: Apache-2.0
// What people call the tiers of prices.
#pragma once

#include <string>

namespace sizesheet {

/// "on_demand" for "on demand", "spot", "1 year"; "" stays. Throws InputError for what is none.
std::string tier_key(const std::string& asked);

}  // namespace sizesheet
