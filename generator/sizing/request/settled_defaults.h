// SPDX-License-Identifier: Apache-2.0
// Values of a method that a request contradicts without naming them: they give way, and a warning
// says so.
#pragma once

#include <string>
#include <vector>

#include "support/json.h"

namespace sizesheet {

/// `whole` is `request` with its method spelled out. Where the method alone says a value that
/// contradicts `request`, it is changed there, and a warning is returned: a mean above a limit that
/// is asked for keeps its share of the limit, and PPO takes one completion of a prompt. A step
/// without prompts loses the method's mean lengths without a warning: nothing is timed by them.
std::vector<std::string> settle_defaults(const Json& request, Json& whole);

}  // namespace sizesheet
