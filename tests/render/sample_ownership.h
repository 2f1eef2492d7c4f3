// SPDX-License-Identifier: Apache-2.0
// What stands beside the rows of the sample sheets: offers, files, sensitivities, assumptions.
#pragma once

#include "sheet/sheet.h"

namespace sizesheet::sample {

/// A made-up size for what a run leaves behind.
RunFiles files_of(const Row& row);

/// Every current price of a row's card, cheapest first.
RowOffers offers_of(const Sheet& sheet, const Row& row);

/// What the row's machine is to the owner who runs the job on it, against a rented row.
OwnPick owned_of(const Row& row, const Row* rented);

/// Assumptions from the sheet's rates; a tornado and a comparison from its picks.
std::optional<SheetOwnership> ownership_of(const Sheet& sheet);

}  // namespace sizesheet::sample
