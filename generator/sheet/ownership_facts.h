// SPDX-License-Identifier: Apache-2.0
// What a sheet says of owning beyond its rows: the assumptions, the sensitivities of the picks, and
// buying one card against renting another.
#pragma once

#include "catalog/catalog.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"

namespace sizesheet {

/// Fills `sheet.ownership` from its rows and picks; leaves it absent where no row can be bought.
void add_ownership_facts(const Catalog& catalog, const SheetSpec& spec, Sheet& sheet);

}  // namespace sizesheet
