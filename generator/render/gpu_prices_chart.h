// SPDX-License-Identifier: Apache-2.0
// What an hour of one GPU type costs, by tier, from the lowest to the highest price that counts.
#pragma once

#include <optional>
#include <vector>

#include "render/chart.h"
#include "sheet/sheet.h"

namespace sizesheet {

/// The current prices of one tier that the sheet's rules admit, per GPU-hour.
struct TierPrices {
  std::string tier;
  MicroUsd low;
  MicroUsd median;  ///< of rows; the mean of the middle two where they are even
  MicroUsd high;
  std::int64_t rows = 0;
  std::int64_t providers = 0;
};

/// One entry a tier that has such a price, in the order on demand, spot, longer terms.
std::vector<TierPrices> prices_by_tier(const Sheet& sheet, const std::string& gpu);

/// The tiers as ranges with the median marked; nullopt without a price.
std::optional<Chart> gpu_prices_chart(const Sheet& sheet, const SheetGpu& gpu);

}  // namespace sizesheet
