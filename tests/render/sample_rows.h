// SPDX-License-Identifier: Apache-2.0
// What a row of the sample sheets has beside its memory and time, and what follows from the rows:
// rent and owning at made-up rates, levers, stages of ZeRO and adapters by made-up rules.
#pragma once

#include "sheet/sheet.h"

namespace sizesheet::sample {

/// What a row of the sample is about.
struct SampleCell {
  const SheetModel& model;
  const SheetMethod& method;
  const SheetGpu& gpu;
  const Scenario& scenario;
};

/// Adds list, spot, reserved, spread and their cost lines to a row that fits.
void add_rent(Row& row, const Sheet& sheet);

/// Adds the owned machine and its cost lines to a row that fits on a card sold as a node.
void add_own(Row& row, const SampleCell& cell, const Sheet& sheet);

/// A made-up size for what a run leaves behind.
RunFiles files_of(const Row& row);

/// Every current price of a row's card, cheapest first.
RowOffers offers_of(const Sheet& sheet, const Row& row);

/// What the row's machine is to the owner who runs the job on it, against a rented row.
OwnPick owned_of(const Row& row, const Row* rented);

/// Assumptions from the sheet's rates; a tornado and a comparison from its picks.
std::optional<SheetOwnership> ownership_of(const Sheet& sheet);

/// Levers of a row that fits: two that could be pulled, both together, and one in use.
SheetWhatIf what_if_of(const Row& row);

/// The row's bill under each stage: what a stage shares is divided by the row's GPUs.
SheetZeroStages zero_stages_of(const Row& row);

/// Ranks 8, 16 and 32 on the row's layout.
SheetAdapterRanks adapter_ranks_of(const Row& row, const SheetModel& model);

}  // namespace sizesheet::sample
