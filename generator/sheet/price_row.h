// SPDX-License-Identifier: Apache-2.0
// The money half of a row: what its GPUs cost to rent and to own, and every line of it with its
// proof.
#pragma once

#include "sheet/rent_row.h"

namespace sizesheet {

/// Rent and ownership of the row's layout. Rows that do not hold ("no") get none.
void price_row(const Catalog& catalog, const SheetSpec& spec, const SheetPrices& prices, Row& row);

}  // namespace sizesheet
