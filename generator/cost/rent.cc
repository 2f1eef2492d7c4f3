// SPDX-License-Identifier: Apache-2.0
// Prices that count, whole instances, hours and money; every printed amount with its formula.

#include "cost/rent.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>

#include "catalog/facts/gpu.h"
#include "catalog/prices/price.h"
#include "catalog/prices/price_age.h"
#include "cost/aged_price.h"
#include "cost/cost_line.h"
#include "cost/machines.h"
#include "support/error.h"
#include "support/money.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kHourParts = 10000;

bool is_lower(const RentQuote& a, const RentQuote& b) { return a.usd_per_hour < b.usd_per_hour; }

/// In the order in which equal amounts win.
std::vector<RentQuote> unsorted_quotes(const CurrentPrices& prices, const Gpu& gpu,
                                       std::int64_t gpus) {
  if (gpus < 1) throw std::invalid_argument("rent: at least one GPU");
  std::vector<RentQuote> found;
  for (const CurrentPrice& row : prices.of(gpu.id)) {
    if (row.old && !found.empty() && !found.front().old) break;  // the newest come first
    const Price& price = *row.price;
    const auto instances = instances_to_order(price, gpu, gpus, prices.policy().connected);
    if (!instances) continue;
    found.push_back({row, *instances, row.aged.expected * *instances,
                     price.usd_per_instance_hour * *instances, row.aged.ln_width});
  }
  return found;
}

/// The price of an instance on the policy's day, rounded as a price is.
Traced expected_price(const RentQuote& quote) {
  return Traced::input("usd_per_instance_hour", to_usd(quote.price->usd_per_instance_hour)) *
         Traced::input("age_factor", quote.aged.factor());
}

Traced hourly_rent(const RentQuote& quote, std::int64_t gpus) {
  const Price& row = *quote.price;
  const Traced price =
      quote.aged.moved()
          ? Traced::input("expected_usd_per_instance_hour", to_usd(quote.aged.expected))
          : Traced::input("usd_per_instance_hour", to_usd(row.usd_per_instance_hour));
  const auto machine = row.counts.empty() ? std::nullopt : machine_gpus(row, gpus);
  Traced wanted = Traced::input(machine ? "gpus_of_the_machine" : "gpus",
                                static_cast<double>(machine.value_or(gpus)));
  if (row.minimum_gpus) {
    wanted = larger(wanted, Traced::input("minimum_gpus", static_cast<double>(*row.minimum_gpus)));
  }
  const Traced per_instance = Traced::input("gpus_per_instance", static_cast<double>(row.gpus));
  const Traced instances = Traced::step("instances", ceiling(wanted / per_instance));
  return Traced::step("usd_per_hour", instances * price);
}

/// The hours per run pays: its own, or the whole days or weeks of a block.
Traced run_hours(const RentTier& tier, HoursTenThousandths hours) {
  const Traced own = Traced::input("hours", to_hours(hours));
  const auto paid = paid_hours(tier, hours);
  if (tier.paid != PaidFor::kWholeDays || !paid) return own;
  constexpr double kHoursOfWeek = 168;
  const bool days = to_hours(*paid) <= 2 * kHoursOfWeek;
  const Traced unit =
      Traced::input(days ? "hours_per_day" : "hours_per_week", days ? 24 : kHoursOfWeek);
  return Traced::step("paid_hours", ceiling(own / unit) * unit);
}

std::string source_of(const Price& price) {
  if (!price.asked) return price.source;
  return price.source + "; rate of exchange: " + price.asked->rate.source + ", " +
         price.asked->rate.date;
}

/// True when `price` is of a later day than `other`.
bool is_newer(const Price& price, const Price& other) {
  return day_number(price.as_of) > day_number(other.as_of);
}

/// Days after which the row does not count.
std::int64_t age_limit(const Price& price, const PricePolicy& policy) {
  const std::int64_t limit = price.offer == "list" && policy.fallback_age_days
                                 ? *policy.fallback_age_days
                                 : policy.max_age_days;
  const auto own = policy.max_age_days_of.find(price.age_kind);
  return own == policy.max_age_days_of.end() ? limit : std::min(limit, own->second);
}

/// "" when the row's date is within the policy's window.
std::string why_not_dated(const Price& price, const PricePolicy& policy) {
  const std::optional<std::int64_t> today = day_number(policy.as_of);
  const std::optional<std::int64_t> day = day_number(price.as_of);
  if (!today || !day) return "no valid date (" + price.as_of + ")";
  if (*day > *today) return "dated after " + policy.as_of + " (" + price.as_of + ")";
  if (price.valid_from && *price.valid_from > policy.as_of) {
    return "valid from " + *price.valid_from;
  }
  const std::int64_t limit = age_limit(price, policy);
  if (*today - *day <= limit) return "";
  return "older than " + std::to_string(limit) + " days (" + price.as_of + ")";
}

std::string any_of(const std::vector<std::string>& values) { return join(values, " or "); }

/// "" when `value` is one of `wanted` or nothing is wanted; what nobody states is never admitted.
std::string why_not_among(const std::vector<std::string>& wanted, const std::string& value,
                          const std::string& what) {
  if (wanted.empty() || contains(wanted, value)) return "";
  if (value == kUnstated) return what + " not stated";
  return what + " is " + value + ", not " + any_of(wanted);
}

std::string why_not_provider(const std::string& provider, const PricePolicy& policy) {
  if (contains(policy.exclude_providers, provider)) return "provider left out: " + provider;
  if (policy.providers.empty() || contains(policy.providers, provider)) return "";
  return "provider is " + provider + ", not " + any_of(policy.providers);
}

std::string why_not_region(const std::string& region, const PricePolicy& policy) {
  if (policy.regions.empty()) return "";
  for (const std::string& wanted : policy.regions) {
    if (region_matches(region, wanted)) return "";
  }
  return "region is " + region + ", not " + any_of(policy.regions);
}

/// "" when the row is from where the policy wants it: provider, region, seat, place, tenancy.
std::string why_not_from(const Price& price, const PricePolicy& policy) {
  for (const std::string& reason :
       {why_not_provider(price.provider, policy), why_not_region(price.region, policy),
        why_not_among(policy.jurisdictions, price.jurisdiction, "provider's seat"),
        why_not_among(policy.locations, price.location, "place of the region"),
        why_not_among(policy.tenancies, price.tenancy, "tenancy")}) {
    if (!reason.empty()) return reason;
  }
  return "";
}

}  // namespace

std::vector<RentQuote> rent_quotes(const CurrentPrices& prices, const Gpu& gpu, std::int64_t gpus) {
  std::vector<RentQuote> found = unsorted_quotes(prices, gpu, gpus);
  std::ranges::stable_sort(found, is_lower);
  return found;
}

std::optional<RentQuote> cheapest_rent(const CurrentPrices& prices, const Gpu& gpu,
                                       std::int64_t gpus) {
  const std::vector<RentQuote> found = unsorted_quotes(prices, gpu, gpus);
  const auto best = std::ranges::min_element(found, is_lower);
  return best == found.end() ? std::nullopt : std::optional<RentQuote>(*best);
}

std::optional<RentSpread> spread(const CurrentPrices& prices, const Gpu& gpu, std::int64_t gpus) {
  std::map<std::string_view, RentQuote> best;  // of each provider
  for (const RentQuote& quote : unsorted_quotes(prices, gpu, gpus)) {
    const auto [known, is_first] = best.try_emplace(quote.price->provider, quote);
    if (!is_first && is_lower(quote, known->second)) known->second = quote;
  }
  if (best.empty()) return std::nullopt;
  std::vector<MicroUsd> per_gpu;
  RentSpread all;
  for (const auto& [provider, quote] : best) {
    per_gpu.push_back(scaled(quote.aged.expected, 1, quote.price->gpus));
    if (all.lowest.price != nullptr && !(per_gpu.back() < all.low)) continue;
    all.low = per_gpu.back();
    all.lowest = quote;
  }
  all.high = *std::ranges::max_element(per_gpu);
  all.median = median(per_gpu);
  all.providers = std::ssize(per_gpu);
  return all;
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

MicroUsd usd_per_million_tokens(MicroUsd usd_per_run, std::int64_t tokens) {
  return scaled(usd_per_run, 1'000'000, tokens);
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

std::optional<HoursTenThousandths> paid_hours(const RentTier& tier, HoursTenThousandths hours) {
  return tier.paid == PaidFor::kWholeDays ? capacity_block_hours(hours) : hours;
}

std::vector<CostLine> explain_rent(const RentQuote& quote, const RentTerms& terms) {
  const Traced per_hour = hourly_rent(quote, terms.gpus);
  const std::string source = source_of(*quote.price);
  const RentTier& tier = price_tier(quote.price->tier);
  std::vector<CostLine> lines;
  const auto add = [&](const std::string& name, const std::string& what, MicroUsd usd,
                       const std::string& unit, const Traced& amount) {
    lines.push_back(
        {name, std::string(tier.rent) + " " + what, usd, unit, formula_of(amount), source});
  };
  if (quote.aged.moved()) {
    add("expected_usd_per_instance_hour", "per hour of an instance, expected", quote.aged.expected,
        "$/h", expected_price(quote));
  }
  add("usd_per_hour", "per hour", quote.usd_per_hour, "$/h", per_hour);
  if (terms.hours) {
    if (const auto paid = paid_hours(tier, *terms.hours)) {
      add("usd_per_run", "per run", run_cost(quote.usd_per_hour, *paid), "$/run",
          per_hour * run_hours(tier, *terms.hours));
    }
    if (tier.interrupted && terms.interruption_share) {
      const auto hours = interrupted_hours(*terms.hours, *terms.interruption_share);
      add("usd_per_run_interrupted", "per run, interruptions counted",
          run_cost(quote.usd_per_hour, hours), "$/run",
          per_hour * Traced::input("hours_with_interruptions", to_hours(hours)));
    }
  }
  if (tier.by_month()) {
    add("usd_per_month", "per month, used or not",
        reserved_month(quote.usd_per_hour, terms.hours_per_month), "$/month",
        per_hour * Traced::input("hours_per_month", terms.hours_per_month));
  }
  return lines;
}

CurrentPrices::CurrentPrices(const std::vector<Price>& all, PricePolicy policy, const PriceAge& age)
    : policy_(std::move(policy)) {
  check_policy(policy_);
  std::vector<const Price*> admitted;
  for (const Price& price : all) {
    if (price.tier != policy_.tier || !why_not_admitted(price, policy_).empty()) continue;
    admitted.push_back(&price);
    const auto [known, is_first] = newest_.emplace(price.offer_key(), &price);
    if (!is_first && is_newer(price, *known->second)) known->second = &price;
  }
  std::multimap<std::tuple<std::int64_t, std::string, std::string>, const Price*> in_order;
  for (const Price* price : admitted) {
    if (!why_not(*price).empty()) continue;
    in_order.emplace(std::tuple(-*day_number(price->as_of), price->provider, price->key()), price);
  }
  for (const auto& [rank, price] : in_order) {
    by_gpu_[price->gpu].push_back(
        {price, is_old(*price, policy_), aged_price(*price, age, policy_.as_of)});
  }
}

const std::vector<CurrentPrice>& CurrentPrices::of(const std::string& gpu) const {
  static const std::vector<CurrentPrice> kNone;
  const auto rows = by_gpu_.find(gpu);
  return rows == by_gpu_.end() ? kNone : rows->second;
}

std::string CurrentPrices::why_not(const Price& price) const {
  std::string reason = why_not_admitted(price, policy_);
  if (!reason.empty()) return reason;
  const Price& newest = *newest_.at(price.offer_key());
  if (is_newer(newest, price)) return "replaced by a price of " + newest.as_of;
  return why_not_on_sale(price, policy_.as_of, policy_.stock);
}

bool region_matches(const std::string& region, const std::string& wanted) {
  if (!wanted.ends_with("*")) return region == wanted;
  return starts_with(region, wanted.substr(0, wanted.size() - 1));
}

void check_policy(const PricePolicy& policy) {
  if (!contains(price_tiers(), policy.tier)) {
    std::vector<std::string> priced;
    for (const RentTier& tier : kPriceTiers) {
      if (tier.paid != PaidFor::kNothingSaid) priced.emplace_back(tier.key);
    }
    throw InputError("unknown tier " + in_quotes(policy.tier) + did_you_mean(policy.tier, priced));
  }
  if (price_tier(policy.tier).paid == PaidFor::kNothingSaid) {
    throw InputError("tier " + in_quotes(policy.tier) +
                     ": a term that is not stated is never priced");
  }
  if (policy.as_of.size() != 10 || !day_number(policy.as_of)) {
    throw InputError("as_of: expected YYYY-MM-DD, got " + in_quotes(policy.as_of));
  }
}

std::string why_barred(const Price& price, const PricePolicy& policy) {
  if (price_tier(price.tier).paid == PaidFor::kNothingSaid) return "term not stated";
  if (price.tier != policy.tier) return "other tier (" + price.tier + ")";
  if (!price.settled.empty()) return "a settled conflict: " + price.settled;
  if (!price.doubt.empty()) return "in doubt until confirmed: " + price.doubt;
  if (!policy.offers.empty() && !contains(policy.offers, price.offer)) {
    return price.offer + " offer";
  }
  if (price.second_reading) return "confirms another price; not used by itself";
  if (price.minimum_term_days || price.minimum_term_hours) {
    const bool days = price.minimum_term_days.has_value();
    return "a term of at least " +
           std::to_string(days ? *price.minimum_term_days : *price.minimum_term_hours) +
           (days ? " days" : " hours") + ", not by the hour";
  }
  return why_not_from(price, policy);
}

bool is_old(const Price& price, const PricePolicy& policy) {
  return *day_number(policy.as_of) - day_number(price.as_of).value_or(0) > policy.max_age_days;
}

std::string why_not_admitted(const Price& price, const PricePolicy& policy) {
  std::string reason = why_barred(price, policy);
  return reason.empty() ? why_not_dated(price, policy) : reason;
}

}  // namespace sizesheet
