// SPDX-License-Identifier: Apache-2.0
// The proof of what owning costs, and a rent-or-buy question and its answer as JSON.
#pragma once

#include <vector>

#include "cost/cost_line.h"
#include "support/json.h"

namespace sizesheet {

struct OwnershipTerms;

/// The purchase, every part, the totals and, with a rent, the comparison in money; each amount
/// equals the one in cost_of_owning(terms), and its formula gives it to within half a micro-dollar.
std::vector<CostLine> explain_ownership(const OwnershipTerms& terms);

/// nodes and, where they exist, payback_years_cash, break_even_utilisation (above 1 where owning
/// never catches up within the month), break_even_hours_per_month and break_even_runs_per_month.
std::vector<QuantityLine> explain_break_even(const OwnershipTerms& terms);

/// A rent-or-buy question as JSON to its answer without `id` and `ok`: dollars as numbers with at
/// most six decimals, absent is null. Throws InputError with every fault, joined by "; ".
Json answer_cost_request(const Json& request);

}  // namespace sizesheet
