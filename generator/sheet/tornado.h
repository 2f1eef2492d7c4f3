// SPDX-License-Identifier: Apache-2.0
// How far each input moves what owning costs, one at a time.
#pragma once

#include "catalog/purchase.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"

namespace sizesheet {

/// The sensitivities of a row that can be bought in `node`s. An input that is no uncertainty has no
/// bar; the rent has one where the row's list prices are known, and moves the break-even only.
Tornado tornado(const Purchase& purchase, const SheetSpec& spec, const PurchaseNode& node,
                const Row& row);

}  // namespace sizesheet
