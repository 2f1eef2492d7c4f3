// SPDX-License-Identifier: Apache-2.0
// Everywhere that a pick can be rented: the current offers for its GPUs, in every tier.
#pragma once

#include "catalog/catalog.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"

namespace sizesheet {

/// Fills `sheet.offers` for the rows that the picks name to rent or to buy, each once, in the order
/// of the picks: the best row of each provider, region and tier, cheapest hour first, then by tier,
/// the newest, and provider.
void add_offers(const Catalog& catalog, const SheetSpec& spec, Sheet& sheet);

}  // namespace sizesheet
