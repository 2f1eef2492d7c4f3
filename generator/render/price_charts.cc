// SPDX-License-Identifier: Apache-2.0
#include "render/price_charts.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "render/change_words.h"
#include "render/charts.h"
#include "render/phrases.h"
#include "sheet/money.h"
#include "sheet/seller_names.h"
#include "sheet/sheet.h"
#include "support/money.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

constexpr double kMostPriceTicks = 6;
constexpr double kAirOfPrices = 1.1;  // of the prices, on either side
constexpr double kMonthsBetweenTicks = 6;

/// The rows are by price. Of those on demand the median is the one for a single GPU, as elsewhere.
TierPrices summed_up(const SheetGpu& gpu, const std::string& tier,
                     const std::vector<const SheetPrice*>& rows) {
  std::map<std::string, MicroUsd> least;
  for (const SheetPrice* row : rows)
    least.try_emplace(row->provider, row->expected_usd_per_gpu_hour);
  std::vector<MicroUsd> amounts;
  for (const auto& [provider, usd] : least) amounts.push_back(usd);
  const bool listed = tier == kOnDemand.key && gpu.list_price;
  return {tier,
          rows.front()->expected_usd_per_gpu_hour,
          listed ? gpu.list_price->median_usd_per_gpu_hour : median(amounts),
          rows.back()->expected_usd_per_gpu_hour,
          static_cast<std::int64_t>(rows.size()),
          static_cast<std::int64_t>(least.size())};
}

Axis usd_axis(double high) {
  const double step = nice_step(high, kMostPriceTicks, {1, 2, 5});
  const double end = step * std::ceil(high / step);
  return {"$ per GPU-hour", 0, end, ticks_to(end, step)};
}

std::string hour_usd(MicroUsd amount) { return "$" + hourly_usd(amount); }

/// The current prices that the sheet's rules admit, the lowest first; old ones where there is no
/// other.
std::vector<const SheetPrice*> offers_that_count(const Sheet& sheet, const std::string& gpu,
                                                 const std::string& tier) {
  std::vector<const SheetPrice*> rows;
  for (const SheetPrice& price : sheet.prices) {
    if (price.gpu == gpu && price.tier == tier && price.excluded.empty()) rows.push_back(&price);
  }
  const auto is_old = [](const SheetPrice* price) { return price->old; };
  if (!std::ranges::all_of(rows, is_old)) std::erase_if(rows, is_old);
  std::ranges::stable_sort(rows, {}, &SheetPrice::expected_usd_per_gpu_hour);
  return rows;
}

/// "; used: Hyperstack $3.20, Together $3.99"; "" where none is.
std::string used_words(const Sheet& sheet, const std::vector<const SheetPrice*>& offers) {
  std::vector<std::string> used;
  for (const SheetPrice* offer : offers) {
    const std::string words =
        seller_name(sheet, offer->provider) + " " + hour_usd(offer->expected_usd_per_gpu_hour);
    if (offer->used && !contains(used, words)) used.push_back(words);
  }
  return used.empty() ? "" : "; used: " + join(used, ", ");
}

Range offers_range(const Sheet& sheet, const SheetGpu& gpu,
                   const std::vector<const SheetPrice*>& offers) {
  const TierPrices asked = summed_up(gpu, kOnDemand.key, offers);
  Range range{gpu.short_name,
              counted(asked.rows, "offer", "offers") + " from " +
                  counted(asked.providers, "provider", "providers") + ", median " +
                  hour_usd(asked.median),
              to_usd(asked.low),
              to_usd(asked.median),
              to_usd(asked.high),
              used_words(sheet, offers)};
  for (const SheetPrice* offer : offers) {
    const double usd = to_usd(offer->expected_usd_per_gpu_hour);
    (offer->used ? range.ringed : range.points).push_back(usd);
  }
  return range;
}

/// "2025-07" of months since the year 0.
std::string format_date(double months) {
  const auto whole = static_cast<std::int64_t>(months);
  const std::int64_t month = whole % 12 + 1;
  return std::to_string(whole / 12) + (month < 10 ? "-0" : "-") + std::to_string(month);
}

/// Months since the year 0.
double months_of(const std::string& date) {
  return 12 * std::stod(date.substr(0, 4)) + std::stod(date.substr(5, 2)) - 1;
}

}  // namespace

std::vector<TierPrices> prices_by_tier(const Sheet& sheet, const SheetGpu& gpu) {
  std::vector<TierPrices> tiers;
  for (const SheetTier& tier : kRentTiers) {
    const auto offers = offers_that_count(sheet, gpu.id, tier.key);
    if (!offers.empty()) tiers.push_back(summed_up(gpu, tier.key, offers));
  }
  return tiers;
}

std::optional<Chart> gpu_prices_chart(const Sheet& sheet, const SheetGpu& gpu) {
  const std::vector<TierPrices> tiers = prices_by_tier(sheet, gpu);
  if (tiers.empty()) return std::nullopt;
  Ranges body;
  double high = 0;
  std::vector<std::string> sentences;
  for (const TierPrices& prices : tiers) {
    high = std::max(high, to_usd(prices.high));
    sentences.push_back(tier_words(prices.tier) + " " + hour_usd(prices.low) + " to " +
                        hour_usd(prices.high) + ", median " + hour_usd(prices.median) + ", " +
                        counted(prices.rows, "row", "rows"));
    body.ranges.push_back(
        {sentence_case(tier_words(prices.tier)),
         counted(prices.providers, "provider", "providers") + ", median " + hour_usd(prices.median),
         to_usd(prices.low), to_usd(prices.median), to_usd(prices.high)});
  }
  body.axis = usd_axis(high);
  body.decimals = body.axis.ticks.size() > 1 && body.axis.ticks[1] < 1 ? 1 : 0;
  return Chart{"price-spread", "Current prices of " + gpu.short_name + " by tier, $ per GPU-hour",
               "", sentence_case(join(sentences, "; ")) + ".", body};
}

Chart offers_chart(const Sheet& sheet) {
  Ranges body;
  std::vector<std::string> sentences;
  double low = 1;
  double high = 1;
  for (const SheetGpu& gpu : sheet.gpus) {
    const auto offers = offers_that_count(sheet, gpu.id, kOnDemand.key);
    if (offers.empty()) continue;
    const Range& range = body.ranges.emplace_back(offers_range(sheet, gpu, offers));
    if (range.low > 0) low = std::min(low, range.low);  // what is free has no place on it
    high = std::max(high, range.high);
    sentences.push_back(gpu.short_name + " " + hour_usd(offers.front()->expected_usd_per_gpu_hour) +
                        " to " + hour_usd(offers.back()->expected_usd_per_gpu_hour) + ", " +
                        range.sublabel + range.aside);
  }
  body.axis = {"$ per GPU-hour on demand", low / kAirOfPrices, high * kAirOfPrices,
               logarithmic_ticks(low / kAirOfPrices, high * kAirOfPrices), true};
  return {"offers", "What sellers ask for a GPU-hour on demand", "",
          sentences.empty() ? "No offer counts." : join(sentences, ". ") + ".", std::move(body)};
}

std::optional<Chart> price_history_chart(const Sheet& sheet) {
  if (sheet.price_histories.empty()) return std::nullopt;
  Lines body;
  std::vector<std::string> sentences;
  double first = months_of(sheet.price_histories.front().points.front().date);
  double last = first;
  double high = 0;
  for (const PriceHistory& history : sheet.price_histories) {
    const PricePoint& then = history.points.front();
    const PricePoint& now = history.points.back();
    Line line{sheet.gpu(history.gpu).short_name, LineKind::kMemory, {}};
    for (const PricePoint& point : history.points) {
      line.points.emplace_back(months_of(point.date), to_usd(point.usd_per_gpu_hour));
      high = std::max(high, line.points.back().second);
    }
    first = std::min(first, line.points.front().first);
    last = std::max(last, line.points.back().first);
    sentences.push_back(line.name + " " + hour_usd(then.usd_per_gpu_hour) + " in " + then.date +
                        ", " + hour_usd(now.usd_per_gpu_hour) + " in " + now.date);
    body.lines.push_back(std::move(line));
  }
  body.x = {"", first, last, {}};
  body.x.ticks = ticks_between(first, last, kMonthsBetweenTicks);
  for (const double month : body.x.ticks) body.x.names.push_back(format_date(month));
  body.y = {"$ per GPU-hour", 0, high * 1.05, nice_ticks(high)};
  return Chart{"price-history", "Median of archived list prices, $ per GPU-hour", "",
               join(sentences, "; ") + ".", std::move(body)};
}

}  // namespace sizesheet
