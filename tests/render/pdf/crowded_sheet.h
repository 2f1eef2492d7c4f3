// SPDX-License-Identifier: Apache-2.0
// Sample sheets stretched to any number of sizes, methods and GPU types, and filled at random.
#pragma once

#include <cstdint>

#include "sheet/changes.h"
#include "sheet/sheet.h"

namespace sizesheet::pdf {

/// Rows, picks and entries of the sample sheet repeated under new ids until there are as many.
Sheet crowded_sheet(std::size_t models, std::size_t methods, std::size_t gpus);

/// A sheet of random size up to 36 rows and ten types, with random counts, money, words and gaps:
/// any field that may be absent is absent somewhere. Same number, same sheet.
Sheet random_sheet(std::uint32_t number);

/// Multiplies all money and all hours of every row.
void magnify(Sheet& sheet, double factor);

/// Takes every price of every row away, and what follows from prices.
void take_prices(Sheet& sheet);

/// Changes since an edition that never was: four moved picks, two broken rows, three moved inputs,
/// of which one moves nothing.
const SheetChanges& sample_changes();

}  // namespace sizesheet::pdf
