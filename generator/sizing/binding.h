// SPDX-License-Identifier: Apache-2.0
// The binding constraint in words: which bytes stopped the next smaller count, and what would help.
#pragma once

#include <string>

#include "sizing/search.h"

namespace sizesheet {

/// One or two sentences. `limit` is the largest count searched.
std::string binding_words(const Question& question, const Plan& plan, std::int64_t limit);

/// "more GPUs, a 4-bit base or an 8-bit optimizer": the levers for this term.
std::string lever_for(const std::string& term);

}  // namespace sizesheet
