// SPDX-License-Identifier: Apache-2.0
// The money half of a row: what its GPUs cost to rent and to own, and every line of it with its
// proof.
#pragma once

#include "catalog/catalog.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"

namespace sizesheet {

/// Rent and ownership of the row's layout. Rows that do not hold ("no") get none.
void price_row(const Catalog& catalog, const SheetSpec& spec, Row& row);

}  // namespace sizesheet
