// SPDX-License-Identifier: Apache-2.0
// A rent-or-buy question as JSON, and its answer as JSON.
#pragma once

#include "cost/ownership.h"
#include "support/json.h"

namespace sizesheet {

/// Reads one question. Every fault is recorded, each at its key; the terms count only without
/// faults.
OwnershipTerms read_cost_request(const Json& request, Faults& faults);

/// The answer without `id` and `ok`. Dollars as numbers with at most six decimals; absent is null.
Json cost_answer(const OwnLine& ownership);

/// Question to answer. Throws InputError with every fault, joined by "; ".
Json answer_cost_request(const Json& request);

}  // namespace sizesheet
