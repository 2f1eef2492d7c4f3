// SPDX-License-Identifier: Apache-2.0
// The price policy of a sheet spec: ages, offers, and where a price may come from.
#pragma once

#include "sheet/spec.h"

namespace sizesheet {

/// Reads "prices" into the spec. Every name is checked, those of providers and regions where
/// `origins` says so; faults are recorded.
void read_spec_prices(ObjectReader reader, const Catalog& catalog, PriceOrigins origins,
                      SheetSpec& spec);

}  // namespace sizesheet
