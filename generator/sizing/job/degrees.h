// SPDX-License-Identifier: Apache-2.0
// The divisors next to a degree of parallelism, for messages that name a near miss.
#pragma once

#include <cstdint>
#include <string>

namespace sizesheet {

/// "(nearest: 4, 8)": the divisors of `whole` around `wanted`.
std::string nearest_divisors(std::int64_t whole, std::int64_t wanted);

}  // namespace sizesheet
