// SPDX-License-Identifier: Apache-2.0
// The first page: the decision, a box that answers, and the table of every job.
#pragma once

#include <string>

#include "support/json.h"

namespace sizesheet {

struct Sheet;

Json index_values(const Sheet& sheet);

/// A script that hands over what the box answers from, in an event "answers": the set-ups of every
/// job with their ranges, the fewest GPUs of each type, the machine to own and the service.
std::string answers_script(const Sheet& sheet);

}  // namespace sizesheet
