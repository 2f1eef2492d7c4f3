// SPDX-License-Identifier: Apache-2.0
// What a row's GPUs cost to own, against its list price, with the proof of every part.
#pragma once

#include "catalog/catalog.h"
#include "cost/ownership.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"

namespace sizesheet {

/// The machines with the lowest purchase for n GPUs, all of one kind; nullptr when nothing sold
/// holds n.
const PurchaseNode* cheapest_nodes(const Purchase& purchase, const std::string& gpu,
                                   std::int64_t gpus);

/// What the sheet's rates say of owning the row's GPUs in these machines, against its list price.
OwnershipTerms row_terms(const Purchase& purchase, const SheetSpec& spec, const PurchaseNode& node,
                         const Row& row);

/// The row's own line; after its rent, which it is compared with.
void add_ownership(const Catalog& catalog, const SheetSpec& spec, Row& row);

}  // namespace sizesheet
