// SPDX-License-Identifier: Apache-2.0
// Cases of arithmetic that can be done on paper, and orders that must hold between figures, as
// tests/oracles/cases_*.json keep them; the first of those says the form of one.
#pragma once

#include <functional>
#include <string>

#include "support/json.h"

namespace sizesheet {

/// What a request comes to, as an object of figures, words and lists.
using FactsOf = std::function<Json(const Json& request)>;

void expect_cases(const Json& file, const FactsOf& facts_of);

/// Rows of `refused`: a base, a patch upon it, the whole message.
void expect_refused(const Json& file, const FactsOf& facts_of);

}  // namespace sizesheet
