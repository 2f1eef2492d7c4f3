// SPDX-License-Identifier: Apache-2.0
// What renting costs: the rows that a policy admits, whole instances, and money for hours.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "catalog/prices/price.h"
#include "catalog/prices/price_age.h"
#include "cost/aged_price.h"
#include "cost/cost_line.h"
#include "cost/offer_filter.h"
#include "support/described.h"
#include "support/money.h"

namespace sizesheet {

struct Gpu;

// ---- Which price rows may price a configuration, and in words why the others may not.

struct PricePolicy : OfferFilter {
  std::string tier = "on_demand";
  std::int64_t max_age_days = 400;
  std::map<std::string, std::int64_t> max_age_days_of;  ///< of a kind of price (PriceAge): less
  /// Up to this age a list price counts where no row within `max_age_days` will do.
  std::optional<std::int64_t> fallback_age_days;
  bool connected = false;           ///< several nodes only of an offer that says what joins them
  std::vector<std::string> offers;  ///< empty: any
  /// Of a row that counts, see stock_of.
  std::vector<std::string> stock = {"in stock", "some", "unknown"};
  std::string as_of;  ///< YYYY-MM-DD: today, as the sheet sees it
};

/// True when `region` is `wanted`, or begins as `wanted` does up to its final "*".
bool region_matches(const std::string& region, const std::string& wanted);

/// Throws InputError when the tier is none that can be priced or `as_of` is no day.
void check_policy(const PricePolicy& policy);

/// "" when the policy would admit the row at some date, else the reason in words.
std::string why_barred(const Price& price, const PricePolicy& policy);

/// Past `max_age_days` on the policy's day.
bool is_old(const Price& price, const PricePolicy& policy);

/// "" when the policy admits the row on its own, else the reason in words.
std::string why_not_admitted(const Price& price, const PricePolicy& policy);

/// A row that counts, and whether only where no row within the policy's age will do.
struct CurrentPrice {
  const Price* price = nullptr;  ///< into the table that was asked
  bool old = false;
  AgedPrice aged;  ///< the price on the policy's day
};

/// The rows of a price table that count under one policy, found once for any number of questions.
class CurrentPrices {
 public:
  /// `all` must stay where it is. Without `age` no price ages. Throws InputError as check_policy
  /// does.
  CurrentPrices(const std::vector<Price>& all, PricePolicy policy, const PriceAge& age = {});

  /// The rows for a GPU that the policy admits, that are on sale and that no newer row of the same
  /// offer has replaced, in the order in which equal prices win: newest, provider, key.
  const std::vector<CurrentPrice>& of(const std::string& gpu) const;

  const PricePolicy& policy() const { return policy_; }

  /// "" when a row of the table counts, else the reason in words.
  std::string why_not(const Price& price) const;

 private:
  PricePolicy policy_;
  std::unordered_map<std::string, const Price*> newest_;  ///< by offer_key
  std::unordered_map<std::string, std::vector<CurrentPrice>> by_gpu_;
};

struct RentQuote : CurrentPrice {
  std::int64_t instances = 0;
  MicroUsd usd_per_hour;       ///< the whole configuration, as expected on the policy's day
  MicroUsd list_usd_per_hour;  ///< the same as the row says it
  double ln_width = 0;         ///< natural logarithm of the upper end over `usd_per_hour`
};

/// A quote from every row that may price `gpus` GPUs, best first: lowest expected dollars, newest,
/// provider, key. Each for instances that can be ordered (`instances_to_order`): what is billed may
/// be more GPUs.
std::vector<RentQuote> rent_quotes(const CurrentPrices& prices, const Gpu& gpu, std::int64_t gpus);

/// The first of these quotes, or nullopt when no row will do.
std::optional<RentQuote> cheapest_rent(const CurrentPrices& prices, const Gpu& gpu,
                                       std::int64_t gpus);

/// Expected dollars per GPU-hour (instance price over its GPUs) of the best row of each provider.
struct PriceSpread {
  MicroUsd low;
  MicroUsd median;
  MicroUsd high;
  std::int64_t providers = 0;

  static constexpr Key kKeys[] = {{"low", "low_usd_per_gpu_hour"},
                                  {"median", "median_usd_per_gpu_hour"},
                                  {"high", "high_usd_per_gpu_hour"}};
};
BOOST_DESCRIBE_STRUCT(PriceSpread, (), (low, median, high, providers))

struct RentSpread : PriceSpread {
  CurrentPrice lowest;  ///< who asks `low`
};

std::optional<RentSpread> spread(const CurrentPrices& prices, const Gpu& gpu, std::int64_t gpus);

/// Hours times 10^4, exact: the only form in which a duration meets money.
struct HoursTenThousandths {
  std::int64_t value = 0;
  bool operator==(const HoursTenThousandths&) const = default;
};

/// Half up to 0.0001 h. Throws std::invalid_argument below 0 or when not a number, else
/// std::overflow_error when out of range.
HoursTenThousandths round_hours(double hours);
double to_hours(HoursTenThousandths hours);

/// Rounded half up to a micro-dollar in 128 bits. Throws std::overflow_error.
MicroUsd run_cost(MicroUsd usd_per_hour, HoursTenThousandths hours);

/// Of a run that trains on `tokens`, at least 1; rounded half up.
MicroUsd usd_per_million_tokens(MicroUsd usd_per_run, std::int64_t tokens);

/// A reserved instance is paid for every hour of the month.
MicroUsd reserved_month(MicroUsd usd_per_hour, double hours_per_month);

/// The share of all hours from which a price paid for every hour beats one paid for used hours;
/// nullopt where it never does.
std::optional<double> commitment_break_even(MicroUsd committed, MicroUsd on_demand);

/// The hours of a run on spot: with `share` of it (to a millionth) done again or waited for,
/// rounded half up as hours are. Throws std::invalid_argument below 0.
HoursTenThousandths interrupted_hours(HoursTenThousandths hours, double share);

/// The hours that a run pays on a capacity block, which is bought ahead in whole days up to 14 and
/// in whole weeks up to 26; nullopt beyond (Amazon EC2 User Guide, Capacity Blocks for ML).
std::optional<HoursTenThousandths> capacity_block_hours(HoursTenThousandths hours);

/// The hours that a run pays in a tier: its own, but on a capacity block.
std::optional<HoursTenThousandths> paid_hours(const RentTier& tier, HoursTenThousandths hours);

/// What the printed lines of one quote need beside it.
struct RentTerms {
  std::int64_t gpus = 0;
  std::optional<HoursTenThousandths> hours;  ///< of a run
  std::optional<double> interruption_share;  ///< on spot
  double hours_per_month = 730;
};

/// The quote's amounts with their formulas: where the price moved with its age what an instance is
/// expected to cost; usd_per_hour; with hours usd_per_run, and on spot with
/// a share usd_per_run_interrupted; on a reserved term usd_per_month.
std::vector<CostLine> explain_rent(const RentQuote& quote, const RentTerms& terms);

}  // namespace sizesheet
