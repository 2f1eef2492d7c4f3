// SPDX-License-Identifier: Apache-2.0
// The money of a Sheet as plain values: what a row costs to rent and to own, where a pick can be
// rented, what the sheet recommends, and how the ownership figures move with their inputs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/prices/price.h"
#include "cost/cost_line.h"
#include "cost/offer_filter.h"
#include "sheet/decision.h"
#include "sheet/project.h"
#include "sheet/spot.h"
#include "support/described.h"
#include "support/money.h"

namespace sizesheet {

/// Which prices may win, beside tier, age and offer; and what is added to them.
struct PriceRules : OfferFilter {
  std::optional<std::int64_t> block_max_age_days;  ///< capacity blocks; absent: as on demand
  /// On demand: where no newer row will do, a list price up to this age; absent: none.
  std::optional<std::int64_t> fallback_age_days;
  std::map<std::string, std::int64_t> max_age_days_of;  ///< of a kind of price: fewer days
  std::string several_nodes = "any";  ///< "connected": only offers that say what joins nodes
  /// Of an offer that a pick may take, see stock_of.
  std::vector<std::string> stock = {"in stock", "some", "unknown"};
  std::optional<std::int64_t> warn_age_days;  ///< a used row older than this is in `stale`
  double spot_interruption_share = 0;         ///< extra hours of a run on spot, of 1
  std::string spot_interruption_basis;        ///< source | part-assumption | assumption
  std::string spot_interruption_source;
  std::optional<SpotRule> spot_rule;  ///< in the place of such a share
  std::vector<std::string> stale;     ///< prices in use near or past their limit, in words
  std::vector<std::string> warnings;  ///< prices of the sheet's GPUs that look odd, in words

  bool connected() const { return several_nodes == "connected"; }
  /// Whether a run on spot has a price with what it loses.
  bool prices_spot() const { return !spot_interruption_basis.empty() || spot_rule; }
};
BOOST_DESCRIBE_STRUCT(PriceRules, (OfferFilter),
                      (block_max_age_days, fallback_age_days, max_age_days_of, several_nodes, stock,
                       warn_age_days, spot_interruption_share, spot_interruption_basis,
                       spot_interruption_source, spot_rule, stale, warnings))

struct RentLine {
  std::string price_key;  ///< key of the row in Sheet::prices
  std::string tier;
  bool old = false;  ///< the price is past the sheet's age, and no newer one will do
  std::int64_t instances = 0;
  std::int64_t gpus_paid = 0;  ///< in those instances; more than the need where they are larger
  MicroUsd usd_per_hour;       ///< the whole configuration, as expected on the sheet's day
  MicroUsd seen_usd_per_hour;  ///< the same as the price row says it
  std::int64_t age_days = 0;   ///< of the price on the sheet's day
  double ln_width = 0;         ///< natural logarithm of the upper end over `usd_per_hour`
  std::optional<MicroUsd> usd_per_run;
  std::optional<MicroUsd> usd_per_million_tokens;   ///< of a run: `usd_per_run` over its tokens
  std::optional<MicroUsd> usd_per_run_interrupted;  ///< spot: with what is lost
  std::optional<SpotLine> spot;                     ///< under a rule of rates
  std::optional<MicroUsd> usd_per_month;  ///< reserved terms: every hour of the month is paid
  std::optional<double> break_even_use;   ///< reserved: share of all hours from which it beats list
  std::optional<double> break_even_hours_per_month;  ///< the same in hours of use
  MicroUsd usd_per_3_days;                           ///< 72 hours
  MicroUsd usd_per_weekend;                          ///< 48 hours
  MicroUsd usd_per_full_month;                       ///< every hour of a month, whatever the tier
};
BOOST_DESCRIBE_STRUCT(RentLine, (),
                      (price_key, tier, old, instances, gpus_paid, usd_per_hour, seen_usd_per_hour,
                       age_days, ln_width, usd_per_run, usd_per_million_tokens,
                       usd_per_run_interrupted, spot, usd_per_month, break_even_use,
                       break_even_hours_per_month, usd_per_3_days, usd_per_weekend,
                       usd_per_full_month))

/// One current price for a pick's GPUs.
struct RentOffer {
  std::string price_key;
  std::string provider;
  std::string region;
  std::string tier;
  std::string offer;
  std::string as_of;
  std::int64_t instances = 0;
  std::int64_t unused_gpus = 0;  ///< rented beyond the need, where instances are larger
  MicroUsd usd_per_hour;         ///< as expected on the sheet's day
  MicroUsd seen_usd_per_hour;    ///< as the price row says it
  std::optional<MicroUsd> usd_per_run;
  std::optional<MicroUsd> usd_per_month;  ///< reserved terms
};
BOOST_DESCRIBE_STRUCT(RentOffer, (),
                      (price_key, provider, region, tier, offer, as_of, instances, unused_gpus,
                       usd_per_hour, seen_usd_per_hour, usd_per_run, usd_per_month))

/// Offers for one row, cheapest first; `row_key` is a pick's.
struct RowOffers {
  std::string row_key;
  std::vector<RentOffer> offers;
};
BOOST_DESCRIBE_STRUCT(RowOffers, (), (row_key, offers))

inline constexpr const char* kFarBelowNext =
    "costs less than a third of the next offer: check the price before you order";

/// What the sheet recommends for a model and method, in the main scenario.
struct Pick {
  std::string model;
  std::string method;
  std::string scenario;
  std::optional<std::string> rent_key;  ///< row key: the row whose set-up is picked (PickRules)
  std::string rent_why;
  std::string why;                        ///< the same, and what would have to change
  std::optional<std::int64_t> candidate;  ///< of that row: its place in the list
  std::optional<MicroUsd> usd_low;        ///< of a run
  std::optional<MicroUsd> usd_high;
  std::optional<MicroUsd> usd_per_million_tokens;  ///< expected
  std::string provider;
  std::string price_as_of;
  std::optional<SecondSource> second_source;
  std::optional<ScarceOffer> if_available;  ///< cheaper, but outside the sheet's `stock`
  bool exposed = false;                     ///< one seller: there is no second source
  /// Its upper end over the lowest upper end of another seller, where that is below kFarBelow.
  std::optional<double> far_below_next;
  std::vector<LengthPick> at_lengths;  ///< at `pick_seq_lens`; without those that have no pick
  std::optional<RunnerUp> runner_up;
  std::optional<CheapestMid> cheapest_mid;
  std::optional<PickSwitch> switch_at;    ///< where the runner-up would win
  std::optional<std::string> hourly_key;  ///< row key: lowest $/h among the same rows
  std::string hourly_why;  ///< "" where it is the same row; else why the dearer hour is cheaper
  std::optional<std::string> buy_key;  ///< row key: of the GPU type of `own`
  std::string buy_why;
  std::optional<OwnPick> own;  ///< of all machines on sale, the lowest $/run at the planned hours
  std::optional<ProjectCost> project;                ///< where the sheet asks for one
  std::optional<double> break_even_hours_per_month;  ///< of `own`
  std::optional<double> advice_at_hours;             ///< of `own`; absent without an advice

  std::string key() const { return model + "/" + method; }

  static constexpr double kFarBelow = 1.0 / 3;

  static constexpr Key kKeys[] = {{"rent_key", "rent_pick"},
                                  {"hourly_key", "hourly_pick"},
                                  {"buy_key", "buy_pick"},
                                  {"switch_at", "switch"}};
};
BOOST_DESCRIBE_STRUCT(Pick, (),
                      (model, method, scenario, rent_key, rent_why, why, candidate, usd_low,
                       usd_per_million_tokens, usd_high, provider, price_as_of, second_source,
                       if_available, exposed, far_below_next, at_lengths, runner_up, cheapest_mid,
                       switch_at, hourly_key, hourly_why, buy_key, buy_why, own, project,
                       break_even_hours_per_month, advice_at_hours))

/// Owning one card type against the set-up that is cheapest on average to rent, for one model and
/// method.
struct BuyOrRent {
  std::string model;
  std::string method;
  std::string buy_key;
  std::string rent_key;
  MicroUsd own_usd_per_run;  ///< at the planned hours
  MicroUsd rent_usd_per_run;
  std::optional<double> break_even_runs_per_month;   ///< absent: not within a month's hours
  std::optional<double> break_even_hours_per_month;  ///< of the owned machine
  std::string advice;                                ///< "buy" | "rent"
  bool close = false;                                ///< within 10 %
  std::vector<QuantityLine> quantity_terms;          ///< the break-even with its formulas
};
BOOST_DESCRIBE_STRUCT(BuyOrRent, (),
                      (model, method, buy_key, rent_key, own_usd_per_run, rent_usd_per_run,
                       break_even_runs_per_month, break_even_hours_per_month, advice, close,
                       quantity_terms))

/// One input at its low and its high, everything else typical.
struct Sensitivity {
  std::string input;  ///< id of the rate, or "usd_per_node", "kw_per_node", "rent", "hours"
  std::string title;
  std::string unit;
  double low = 0;
  double typical = 0;
  double high = 0;
  std::string basis;
  std::string source;
  MicroUsd own_usd_per_gpu_hour_low;  ///< at the input's low
  MicroUsd own_usd_per_gpu_hour_high;
  std::optional<double> break_even_hours_low;  ///< at the input's low; absent: never
  std::optional<double> break_even_hours_high;
};
BOOST_DESCRIBE_STRUCT(Sensitivity, (),
                      (input, title, unit, low, typical, high, basis, source,
                       own_usd_per_gpu_hour_low, own_usd_per_gpu_hour_high, break_even_hours_low,
                       break_even_hours_high))

/// The sensitivities of one row's ownership, largest swing of own $/GPU-h first.
struct Tornado {
  std::string row_key;
  MicroUsd own_usd_per_gpu_hour;  ///< everything typical
  std::optional<double> break_even_hours_per_month;
  std::vector<Sensitivity> bars;
};
BOOST_DESCRIBE_STRUCT(Tornado, (),
                      (row_key, own_usd_per_gpu_hour, break_even_hours_per_month, bars))

/// A machine used this many hours per month: rented for them, or owned.
struct MonthOfUse {
  double hours = 0;
  std::optional<MicroUsd> rent_usd_per_month;  ///< absent without a price on demand
  MicroUsd own_usd_per_month;
  std::optional<std::string> advice;  ///< "buy" | "rent"; absent without a rent
  bool close = false;                 ///< within 10 %

  static constexpr Key kKeys[] = {{"hours", "hours_per_month"}};
};
BOOST_DESCRIBE_STRUCT(MonthOfUse, (), (hours, rent_usd_per_month, own_usd_per_month, advice, close))

/// Rent or own one pick's set-up at typical uses, hours ascending.
struct UseOfRow {
  std::string row_key;
  std::vector<MonthOfUse> months;
};
BOOST_DESCRIBE_STRUCT(UseOfRow, (), (row_key, months))

/// A figure that every ownership number rests on.
struct OwnershipAssumption {
  std::string id;    ///< rate id, or "planned-hours-per-month"
  std::string role;  ///< what it does: "colocation, per kW"
  std::string unit;
  double value = 0;
  double low = 0;
  double high = 0;
  std::string basis;  ///< source | part-assumption | assumption | choice
  std::string source;
  std::string date;
};
BOOST_DESCRIBE_STRUCT(OwnershipAssumption, (),
                      (id, role, unit, value, low, high, basis, source, date))

struct SheetOwnership {
  std::vector<OwnershipAssumption> assumptions;
  std::vector<Tornado> tornadoes;      ///< one a pick that can be bought
  std::vector<BuyOrRent> buy_or_rent;  ///< picks that can be bought and rented
  std::vector<UseOfRow> uses;          ///< one a pick that can be bought
};
BOOST_DESCRIBE_STRUCT(SheetOwnership, (), (assumptions, tornadoes, buy_or_rent, uses))

// ---- The tiers that a sheet shows. A row has a rent for each of them; readers and writers walk
// this list, so that none of them leaves a tier out.

constexpr bool is_shown(const RentTier& tier) { return *tier.name != '\0'; }

/// A tier that a sheet shows. Its type differs from RentTier, so no other tier indexes Rents.
struct SheetTier : RentTier {
  std::size_t place = 0;  ///< in kRentTiers
};

/// In the order of a sheet's columns.
inline constexpr auto kRentTiers = [] {
  std::array<SheetTier, std::ranges::count_if(kPriceTiers, is_shown)> shown{};
  std::size_t place = 0;
  for (const RentTier& tier : kPriceTiers) {
    if (!is_shown(tier)) continue;
    shown[place] = {tier, place};
    ++place;
  }
  return shown;
}();

/// What is paid in a tier: a month's rent, or a run's.
inline const std::optional<MicroUsd>& amount_paid(const RentTier& tier, const RentLine& rent) {
  return tier.by_month() ? rent.usd_per_month : rent.usd_per_run;
}

/// The tier of a price; nullptr where a sheet does not show it ("reserved_5y").
constexpr const SheetTier* rent_tier(std::string_view key) {
  const auto found = std::ranges::find(kRentTiers, key, &SheetTier::key);
  return found == kRentTiers.end() ? nullptr : &*found;
}

/// Those that something is said of by name. Set-ups are chosen by the prices on demand.
inline constexpr const SheetTier& kOnDemand = *rent_tier("on_demand");
inline constexpr const SheetTier& kSpot = *rent_tier("spot");
inline constexpr const SheetTier& kReserved1y = *rent_tier("reserved_1y");

/// What a row's GPUs cost in each tier; nothing where no price will do.
class Rents {
 public:
  std::optional<RentLine>& operator[](const SheetTier& tier) { return lines_.at(tier.place); }
  const std::optional<RentLine>& operator[](const SheetTier& tier) const {
    return lines_.at(tier.place);
  }

 private:
  std::array<std::optional<RentLine>, kRentTiers.size()> lines_;
};

}  // namespace sizesheet
