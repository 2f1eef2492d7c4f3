// SPDX-License-Identifier: Apache-2.0
// `prices.spot_interruption` of a specification: a flat share of the hours, or a rate of
// interruptions with checkpoints.
#pragma once

#include <optional>

#include "support/error.h"
#include "support/json.h"

namespace sizesheet {

struct Catalog;
struct Price;
struct PriceRules;
struct SpotRate;

void read_spot_interruption(ObjectReader reader, const Catalog& catalog, PriceRules& rules);

/// How often the offer is interrupted under the sheet's rule; nullopt where the rule is none of
/// rates, or where the catalog has no rate for the class of its seller.
std::optional<SpotRate> spot_rate_of(const Catalog& catalog, const PriceRules& rules,
                                     const Price& price);

}  // namespace sizesheet
