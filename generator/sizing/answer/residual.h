// SPDX-License-Identifier: Apache-2.0
// What a measured figure may hold beside the estimate.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/described.h"

namespace sizesheet {

struct Question;
struct Sizing;

struct ResidualCause {
  std::string id;
  std::string words;
  std::int64_t bytes = 0;  ///< what it would add to the estimate, less than 0: take away
  std::int64_t left = 0;   ///< of the residual, once it is counted
};
BOOST_DESCRIBE_STRUCT(ResidualCause, (), (id, words, bytes, left))

/// Causes that change the estimate, best explanation first. `measured`: bytes on the device.
std::vector<ResidualCause> residual_causes(const Question& question, const Sizing& sizing,
                                           std::int64_t measured);

}  // namespace sizesheet
