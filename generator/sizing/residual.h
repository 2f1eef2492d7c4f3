// SPDX-License-Identifier: Apache-2.0
// What a measured figure may hold beside the estimate: each candidate with the bytes it would add,
// by working the job out again with that one change.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sizing/estimate.h"

namespace sizesheet {

struct ResidualCause {
  std::string id;
  std::string words;
  std::int64_t bytes = 0;  ///< what it would add to the estimate, less than 0: take away
  std::int64_t left = 0;   ///< of the residual, once it is counted
};

/// Causes that change the estimate, best explanation first. `measured`: bytes on the device.
std::vector<ResidualCause> residual_causes(const Question& question, const Sizing& sizing,
                                           std::int64_t measured);

}  // namespace sizesheet
