// SPDX-License-Identifier: Apache-2.0
// Parts of a price key, provider/region/instance/gpu/tier/gpus/day (Price::key).
#pragma once

#include <string>

namespace sizesheet {

/// The key without its day: one offer, whenever it was seen.
std::string offer_of(const std::string& price_key);

}  // namespace sizesheet
