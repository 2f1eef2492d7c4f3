// SPDX-License-Identifier: Apache-2.0
// What runs without an error and is still not what its owner means: slow, idle or larger than
// thought. Each with the bytes it is about in this job.
#pragma once

#include <string>
#include <vector>

#include "sizing/candidate.h"
#include "sizing/question.h"

namespace sizesheet {

struct Lint {
  std::string id;
  std::string words;  ///< a sentence without its stop
};

/// Lints of the chosen job, in a fixed order. Those about extra bytes speak only from a hundredth
/// of the device's on.
std::vector<Lint> lints(const Question& question, const Candidate& chosen);

}  // namespace sizesheet
