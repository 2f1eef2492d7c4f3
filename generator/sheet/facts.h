// SPDX-License-Identifier: Apache-2.0
// The catalog facts a sheet carries with it, so that every page can name its inputs and sources.
#pragma once

#include "sheet/sheet.h"
#include "sheet/spec.h"

namespace sizesheet {

/// Models, methods, GPUs, scenarios, prices, machines, rates, constants and the raw entries. Rows,
/// picks and series are not touched.
void copy_facts(const Catalog& catalog, const SheetSpec& spec, Sheet& sheet);

/// Marks the price rows that some row of the sheet is priced by, dates the sheet by the newest and
/// warns of the old ones.
void mark_used_prices(Sheet& sheet);

}  // namespace sizesheet
