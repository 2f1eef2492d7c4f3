// SPDX-License-Identifier: Apache-2.0
#include "cost/rent.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <string_view>

#include "support/dates.h"

namespace sizesheet {

namespace {

constexpr std::int64_t kHourParts = 10000;

std::optional<RentQuote> quote_of(const Price& price, const Gpu& gpu, std::int64_t gpus) {
  if (price.gpus < 1) return std::nullopt;
  if (gpus > gpu.gpus_per_node && price.gpus != gpu.gpus_per_node) return std::nullopt;
  const std::int64_t instances = (gpus + price.gpus - 1) / price.gpus;
  return RentQuote{&price, instances, price.usd_per_instance_hour * instances};
}

bool better(const RentQuote& a, const RentQuote& b) {
  if (a.usd_per_hour != b.usd_per_hour) return a.usd_per_hour < b.usd_per_hour;
  const auto day_a = day_number(a.price->as_of);
  const auto day_b = day_number(b.price->as_of);
  if (day_a != day_b) return day_a > day_b;
  if (a.price->provider != b.price->provider) return a.price->provider < b.price->provider;
  return a.price->key() < b.price->key();
}

MicroUsd middle(const std::vector<MicroUsd>& ascending) {
  const std::size_t half = ascending.size() / 2;
  if (ascending.size() % 2 == 1) return ascending[half];
  return scaled(ascending[half - 1] + ascending[half], 1, 2);
}

std::vector<RentQuote> unsorted_quotes(const CurrentPrices& prices, const Gpu& gpu,
                                       std::int64_t gpus) {
  if (gpus < 1) throw std::invalid_argument("rent: at least one GPU");
  std::vector<RentQuote> found;
  for (const Price* price : prices.of(gpu.id)) {
    if (const auto quote = quote_of(*price, gpu, gpus)) found.push_back(*quote);
  }
  return found;
}

}  // namespace

std::vector<RentQuote> rent_quotes(const CurrentPrices& prices, const Gpu& gpu, std::int64_t gpus) {
  std::vector<RentQuote> found = unsorted_quotes(prices, gpu, gpus);
  std::sort(found.begin(), found.end(), better);
  return found;
}

std::optional<RentQuote> cheapest_rent(const CurrentPrices& prices, const Gpu& gpu,
                                       std::int64_t gpus) {
  const std::vector<RentQuote> found = unsorted_quotes(prices, gpu, gpus);
  const auto best = std::min_element(found.begin(), found.end(), better);
  return best == found.end() ? std::nullopt : std::optional<RentQuote>(*best);
}

std::optional<RentSpread> spread(const CurrentPrices& prices, const Gpu& gpu, std::int64_t gpus) {
  std::map<std::string_view, RentQuote> best;  // of each provider
  for (const RentQuote& quote : unsorted_quotes(prices, gpu, gpus)) {
    const auto [known, is_first] = best.try_emplace(quote.price->provider, quote);
    if (!is_first && better(quote, known->second)) known->second = quote;
  }
  if (best.empty()) return std::nullopt;
  std::vector<MicroUsd> per_gpu;
  for (const auto& [provider, quote] : best) {
    per_gpu.push_back(scaled(quote.price->usd_per_instance_hour, 1, quote.price->gpus));
  }
  std::sort(per_gpu.begin(), per_gpu.end());
  return RentSpread{per_gpu.front(), middle(per_gpu), per_gpu.back(),
                    static_cast<std::int64_t>(per_gpu.size())};
}

HoursTenThousandths round_hours(double hours) {
  if (!(hours >= 0)) throw std::invalid_argument("hours: expected a number at least 0");
  const double parts = std::floor(hours * static_cast<double>(kHourParts) + 0.5);
  if (parts >= 9.2e18) throw std::overflow_error("hours: too many");
  return {static_cast<std::int64_t>(parts)};
}

double to_hours(HoursTenThousandths hours) {
  return static_cast<double>(hours.value) / static_cast<double>(kHourParts);
}

MicroUsd run_cost(MicroUsd usd_per_hour, HoursTenThousandths hours) {
  return scaled(usd_per_hour, hours.value, kHourParts);
}

MicroUsd reserved_month(MicroUsd usd_per_hour, double hours_per_month) {
  return run_cost(usd_per_hour, round_hours(hours_per_month));
}

std::optional<double> commitment_break_even(MicroUsd committed, MicroUsd on_demand) {
  if (on_demand.value <= 0 || committed >= on_demand) return std::nullopt;
  return to_usd(committed) / to_usd(on_demand);
}

HoursTenThousandths interrupted_hours(HoursTenThousandths hours, double share) {
  if (!(share >= 0)) throw std::invalid_argument("interruption share: expected at least 0");
  constexpr std::int64_t kMillion = 1'000'000;
  const double extra = std::floor(share * static_cast<double>(kMillion) + 0.5);
  if (extra > 1e12) throw std::overflow_error("interruption share: too large");
  const __int128 parts = __int128{hours.value} * (kMillion + static_cast<std::int64_t>(extra));
  const __int128 rounded = (parts + kMillion / 2) / kMillion;
  if (rounded > std::numeric_limits<std::int64_t>::max())
    throw std::overflow_error("hours: too many");
  return {static_cast<std::int64_t>(rounded)};
}

std::optional<HoursTenThousandths> capacity_block_hours(HoursTenThousandths hours) {
  constexpr std::int64_t kDay = 24 * kHourParts;
  constexpr std::int64_t kMostDays = 14;
  constexpr std::int64_t kMostWeeks = 26;
  const std::int64_t days = (hours.value + kDay - 1) / kDay;
  if (days <= kMostDays) return HoursTenThousandths{days * kDay};
  const std::int64_t weeks = (days + 6) / 7;
  if (weeks > kMostWeeks) return std::nullopt;
  return HoursTenThousandths{weeks * 7 * kDay};
}

std::optional<HoursTenThousandths> paid_hours(const std::string& tier, HoursTenThousandths hours) {
  if (tier == "capacity_block") return capacity_block_hours(hours);
  return hours;
}

}  // namespace sizesheet
