// SPDX-License-Identifier: Apache-2.0
// How a team's own runs moved an estimate.
#pragma once

#include <cstdint>
#include <string>

#include "support/described.h"

namespace sizesheet {

/// How a team's own runs moved an estimate.
struct TeamMark {
  std::int64_t speed_runs = 0;
  double speed_factor = 1;  ///< it is in the speed, the hours and the clocks
  std::int64_t memory_runs = 0;
  std::int64_t memory_bytes = 0;  ///< of a GPU; they are in its overhead

  static constexpr bool kMayLack = true;
};
BOOST_DESCRIBE_STRUCT(TeamMark, (), (speed_runs, speed_factor, memory_runs, memory_bytes))

/// "corrected by your runs: 12 % slower (3 runs), 0.8 GiB more per GPU (2 runs)".
std::string team_words(const TeamMark& mark);

}  // namespace sizesheet
