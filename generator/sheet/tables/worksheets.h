// SPDX-License-Identifier: Apache-2.0
// Works out the tables of catalog/worksheets: what a column can show of an answer, and of what lies
// beyond the row.
#pragma once

#include "support/error.h"

namespace sizesheet {

class CatalogLayers;
struct Catalog;
struct Sheet;
struct SheetSpec;

/// Fills `sheet.worksheets`, page by page in the order of their positions. A request that the
/// engine refuses throws InputError. The same for any `jobs`.
void add_worksheets(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet);

/// Faults columns that nothing fills and requests that `estimate` would refuse.
void check_worksheets(const Catalog& catalog, const CatalogLayers& layers, Faults& faults);

}  // namespace sizesheet
