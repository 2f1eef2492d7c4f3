// SPDX-License-Identifier: Apache-2.0
// The columns of time and money of sheet.csv. Money columns say list, spot, reserved or own, never
// the bare word cost.
#pragma once

#include <vector>

#include "render/table/csv_text.h"
#include "sheet/sheet.h"

namespace sizesheet {

/// Hours, what the run leaves on disk, rent by tier.
std::vector<CsvColumn<Row>> rent_columns();

/// The purchase, the machine's month, and the comparison with the list price.
std::vector<CsvColumn<Row>> own_columns();

}  // namespace sizesheet
