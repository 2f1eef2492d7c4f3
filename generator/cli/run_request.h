// SPDX-License-Identifier: Apache-2.0
// The request of one run that is set, where a question leaves much to a search.
#pragma once

#include <string>

#include "support/json.h"

namespace sizesheet {

/// Nothing is left to a search, and the length of the run does not matter. Throws InputError,
/// naming `command`, where the micro-batch or the count of GPUs is open.
Json request_of_run(Json request, const std::string& command);

}  // namespace sizesheet
