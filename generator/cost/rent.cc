// SPDX-License-Identifier: Apache-2.0
#include "cost/rent.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

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

/// One quote from every row that may price this configuration.
std::vector<RentQuote> quotes(const std::vector<Price>& prices, const Gpu& gpu, std::int64_t gpus,
                              const PricePolicy& policy) {
  check_policy(policy);
  if (gpus < 1) throw std::invalid_argument("rent: at least one GPU");
  std::vector<RentQuote> found;
  for (const Price& price : prices) {
    if (price.gpu != gpu.id || !why_not_current(price, prices, policy).empty()) continue;
    if (const auto quote = quote_of(price, gpu, gpus)) found.push_back(*quote);
  }
  return found;
}

MicroUsd middle(const std::vector<MicroUsd>& ascending) {
  const std::size_t half = ascending.size() / 2;
  if (ascending.size() % 2 == 1) return ascending[half];
  return scaled(ascending[half - 1] + ascending[half], 1, 2);
}

template <typename N>
N hourly_rent(const RentQuote& quote, std::int64_t gpus) {
  const N price = input<N>("usd_per_instance_hour", to_usd(quote.price->usd_per_instance_hour));
  const N wanted = input<N>("gpus", static_cast<double>(gpus));
  const N per_instance = input<N>("gpus_per_instance", static_cast<double>(quote.price->gpus));
  const N instances = step("instances", ceiling(wanted / per_instance));
  return step("usd_per_hour", instances * price);
}

}  // namespace

std::optional<RentQuote> cheapest_rent(const std::vector<Price>& prices, const Gpu& gpu,
                                       std::int64_t gpus, const PricePolicy& policy) {
  const std::vector<RentQuote> found = quotes(prices, gpu, gpus, policy);
  const auto best = std::min_element(found.begin(), found.end(), better);
  return best == found.end() ? std::nullopt : std::optional<RentQuote>(*best);
}

std::optional<RentSpread> spread(const std::vector<Price>& prices, const Gpu& gpu,
                                 std::int64_t gpus, const PricePolicy& policy) {
  std::map<std::string, RentQuote> best;
  for (const RentQuote& quote : quotes(prices, gpu, gpus, policy)) {
    const auto [entry, first] = best.try_emplace(quote.price->provider, quote);
    if (!first && better(quote, entry->second)) entry->second = quote;
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

std::vector<CostLine> explain_rent(const RentQuote& quote, std::int64_t gpus,
                                   std::optional<HoursTenThousandths> hours) {
  const Traced per_hour = hourly_rent<Traced>(quote, gpus);
  const std::string source = quote.price->source;
  std::vector<CostLine> lines = {
      {"usd_per_hour", "Rent per hour", quote.usd_per_hour, "$/h", formula_of(per_hour), source}};
  if (hours) {
    const Traced run = per_hour * Traced::input("hours", to_hours(*hours));
    lines.push_back({"usd_per_run", "Rent per run", run_cost(quote.usd_per_hour, *hours), "$/run",
                     formula_of(run), source});
  }
  return lines;
}

}  // namespace sizesheet
