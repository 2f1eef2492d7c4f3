// SPDX-License-Identifier: Apache-2.0
// Charts of prices: what sellers ask by type and by tier, and how that went.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/described.h"
#include "support/money.h"

namespace sizesheet {

struct Chart;
struct Sheet;
struct SheetGpu;

/// The current prices of one tier that the sheet's rules admit, per GPU-hour.
struct TierPrices {
  std::string tier;
  MicroUsd low;
  MicroUsd median;  ///< of the lowest of each provider
  MicroUsd high;
  std::int64_t rows = 0;
  std::int64_t providers = 0;
};
BOOST_DESCRIBE_STRUCT(TierPrices, (), (tier, low, median, high, rows, providers))

/// One entry a tier that has such a price, in the order on demand, spot, longer terms.
std::vector<TierPrices> prices_by_tier(const Sheet& sheet, const SheetGpu& gpu);

/// On-demand offers that count: a line a GPU type, a point an offer, those that price a row ringed.
Chart offers_chart(const Sheet& sheet);

/// Sheet::price_histories as lines over months; nullopt without one.
std::optional<Chart> price_history_chart(const Sheet& sheet);

/// The tiers as ranges with the median marked; nullopt without a price.
std::optional<Chart> gpu_prices_chart(const Sheet& sheet, const SheetGpu& gpu);

}  // namespace sizesheet
