// SPDX-License-Identifier: Apache-2.0
#include "render/gpu_prices_chart.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "render/phrases.h"
#include "sheet/tiers.h"
#include "support/text.h"

namespace sizesheet {

namespace {

constexpr int kMostPriceTicks = 6;

/// Place of a tier among the columns of a sheet; any other comes last.
std::size_t tier_order(const std::string& tier) {
  const RentTier* shown = rent_tier(tier);
  return shown == nullptr ? kRentTiers.size() : static_cast<std::size_t>(shown - kRentTiers.data());
}

TierPrices summed_up(const std::string& tier, std::vector<const SheetPrice*> rows) {
  std::sort(rows.begin(), rows.end(), [](const SheetPrice* a, const SheetPrice* b) {
    return a->usd_per_gpu_hour < b->usd_per_gpu_hour;
  });
  std::set<std::string> providers;
  for (const SheetPrice* row : rows) providers.insert(row->provider);
  const std::size_t middle = rows.size() / 2;
  MicroUsd median = rows[middle]->usd_per_gpu_hour;
  if (rows.size() % 2 == 0) median = scaled(median + rows[middle - 1]->usd_per_gpu_hour, 1, 2);
  return {tier,
          rows.front()->usd_per_gpu_hour,
          median,
          rows.back()->usd_per_gpu_hour,
          static_cast<std::int64_t>(rows.size()),
          static_cast<std::int64_t>(providers.size())};
}

/// 1, 2 or 5 times a power of ten, so that `high` takes at most kMostPriceTicks steps.
double tick_step(double high) {
  const double rough = high / kMostPriceTicks;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return factor * power;
  }
  return 10 * power;
}

Axis usd_axis(double high) {
  Axis axis{"$ a GPU-hour", 0, high, {}};
  const double step = tick_step(high);
  axis.high = step * std::ceil(high / step);
  for (int i = 0; i * step <= axis.high + step / 2; ++i) axis.ticks.push_back(i * step);
  return axis;
}

std::string tier_sentence(const TierPrices& prices) {
  return tier_words(prices.tier) + " $" + hourly_usd(prices.low) + " to $" +
         hourly_usd(prices.high) + ", median $" + hourly_usd(prices.median) + ", " +
         format_integer(prices.rows) + (prices.rows == 1 ? " row" : " rows");
}

}  // namespace

std::vector<TierPrices> prices_by_tier(const Sheet& sheet, const std::string& gpu) {
  std::map<std::size_t, std::vector<const SheetPrice*>> by_tier;
  for (const SheetPrice& price : sheet.prices) {
    if (price.gpu == gpu && price.excluded.empty())
      by_tier[tier_order(price.tier)].push_back(&price);
  }
  std::vector<TierPrices> tiers;
  for (const auto& [order, rows] : by_tier) {
    tiers.push_back(summed_up(rows.front()->tier, rows));
  }
  return tiers;
}

std::optional<Chart> gpu_prices_chart(const Sheet& sheet, const SheetGpu& gpu) {
  const std::vector<TierPrices> tiers = prices_by_tier(sheet, gpu.id);
  if (tiers.empty()) return std::nullopt;
  Ranges body;
  double high = 0;
  std::vector<std::string> sentences;
  for (const TierPrices& prices : tiers) {
    high = std::max(high, to_usd(prices.high));
    sentences.push_back(tier_sentence(prices));
    body.ranges.push_back({sentence_case(tier_words(prices.tier)),
                           format_integer(prices.providers) +
                               (prices.providers == 1 ? " provider" : " providers") + ", median $" +
                               hourly_usd(prices.median),
                           to_usd(prices.low), to_usd(prices.median), to_usd(prices.high)});
  }
  body.axis = usd_axis(high);
  body.decimals = body.axis.ticks.size() > 1 && body.axis.ticks[1] < 1 ? 1 : 0;
  return Chart{"price-spread", "Current prices of " + gpu.short_name + " by tier, $ a GPU-hour", "",
               sentence_case(join(sentences, "; ")) + ".", body};
}

}  // namespace sizesheet
