// SPDX-License-Identifier: Apache-2.0
// Works out the tables of catalog/worksheets.
#pragma once

#include "catalog/catalog.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"

namespace sizesheet {

/// Fills `sheet.worksheets`, page by page in the order of their positions. A request that the
/// engine refuses throws InputError. The same for any `jobs`.
void add_worksheets(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet);

/// Faults columns that nothing fills and requests that `estimate` would refuse.
void check_worksheets(const Catalog& catalog, const std::string& directory, Faults& faults);

}  // namespace sizesheet
