// SPDX-License-Identifier: Apache-2.0
// The money of the sample sheets: rent from the made-up prices, owning from made-up rates.
#pragma once

#include "render/sample_facts.h"
#include "sheet/sheet.h"

namespace sizesheet::sample {

/// What a row of the sample is about.
struct SampleCell {
  const SheetModel& model;
  const SheetMethod& method;
  const Card& card;
  const Scenario& scenario;
};

/// Adds list, spot, reserved, spread and their cost lines to a row that fits.
void add_rent(Row& row, const Sheet& sheet);

/// Adds the owned machine and its cost lines to a row that fits on a card sold as a node.
void add_own(Row& row, const SampleCell& cell, const SheetOptions& options);

}  // namespace sizesheet::sample
