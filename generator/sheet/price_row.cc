// SPDX-License-Identifier: Apache-2.0
#include "sheet/price_row.h"

#include "sheet/own_row.h"

namespace sizesheet {

void price_row(const Catalog& catalog, const SheetSpec& spec, const SheetPrices& prices, Row& row) {
  if (!row.modelled || row.verdict == "no") return;
  add_rent(catalog, spec, prices, row);
  add_ownership(catalog, spec, row);
}

}  // namespace sizesheet
