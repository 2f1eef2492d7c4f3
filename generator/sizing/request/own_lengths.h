// SPDX-License-Identifier: Apache-2.0
// Values of a method that a request contradicts without naming them: they give way, and it is said.
#pragma once

#include <string>
#include <vector>

#include "support/json.h"

namespace sizesheet {

/// Changes in `whole`, a request with its method spelled out, what the method alone says and what
/// contradicts `request`: a mean above a limit that is asked for keeps its share of the limit, PPO
/// takes one completion of a prompt, and a step without prompts has no mean lengths. Returns a
/// warning for each change.
std::vector<std::string> settle_defaults(const Json& request, Json& whole);

}  // namespace sizesheet
