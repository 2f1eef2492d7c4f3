// SPDX-License-Identifier: Apache-2.0
// The price policy of a sheet spec: ages, offers, and where a price may come from.
#pragma once

#include "sheet/spec.h"

namespace sizesheet {

/// Reads "prices" into the spec. Every name is checked against the catalog; faults are recorded.
void read_spec_prices(ObjectReader reader, const Catalog& catalog, SheetSpec& spec);

}  // namespace sizesheet
