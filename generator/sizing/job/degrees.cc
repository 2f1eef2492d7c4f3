// SPDX-License-Identifier: Apache-2.0
#include "sizing/job/degrees.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "support/text.h"

namespace sizesheet {

std::string nearest_divisors(std::int64_t whole, std::int64_t wanted) {
  std::int64_t below = 0;
  std::int64_t above = 0;
  for (std::int64_t divisor = 1; divisor <= whole; ++divisor) {
    if (whole % divisor != 0) continue;
    if (divisor < wanted) below = divisor;
    if (divisor > wanted) {
      above = divisor;
      break;
    }
  }
  std::vector<std::string> nearest;
  for (const std::int64_t divisor : {below, above}) {
    if (divisor > 0) nearest.push_back(std::to_string(divisor));
  }
  return "(nearest: " + join(nearest, ", ") + ")";
}

}  // namespace sizesheet
