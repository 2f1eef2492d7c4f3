// SPDX-License-Identifier: Apache-2.0
// The money half of a row: what its GPUs cost to rent and to own, and every line of it with its
// proof.
#pragma once

#include "catalog/catalog.h"
#include "cost/ownership.h"
#include "cost/rent.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"

namespace sizesheet {

/// The sheet's price policy for one tier.
PricePolicy policy_of(const SheetSpec& spec, const std::string& tier);

/// Rent and ownership of the row's layout. Rows that do not hold ("no") get none.
void price_row(const Catalog& catalog, const SheetSpec& spec, Row& row);

/// The machines with the lowest purchase for n GPUs, all of one kind; nullptr when nothing sold
/// holds n.
const PurchaseNode* cheapest_nodes(const Purchase& purchase, const std::string& gpu,
                                   std::int64_t gpus);

/// What the sheet's rates say of owning `gpus` of this machine.
OwnershipTerms ownership_terms(const Purchase& purchase, const SheetSpec& spec,
                               const PurchaseNode& node, std::int64_t gpus);

}  // namespace sizesheet
