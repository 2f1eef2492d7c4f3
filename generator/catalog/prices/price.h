// SPDX-License-Identifier: Apache-2.0
// What one provider asked for one instance, in one tier, on one day: rows, their currency, their
// file, what looks like a slip of the hand; and the providers.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"
#include "support/json.h"
#include "support/money.h"

namespace sizesheet {

/// What a unit of another currency was worth in dollars on a day.
struct ExchangeRate {
  std::string currency;   ///< ISO 4217, "EUR"
  MicroUsd usd_per_unit;  ///< dollars for one unit
  std::string date;       ///< YYYY-MM-DD
  std::string source;
  Json raw;
};
BOOST_DESCRIBE_STRUCT(ExchangeRate, (), (currency, usd_per_unit, date, source))

/// A whole rate; `currency` and `day` are what its keys for them are called.
ExchangeRate read_rate_of_exchange(ObjectReader& reader, const char* currency = "currency",
                                   const char* day = "date");

struct Exchange {
  std::int64_t max_age_days = 0;  ///< a rate serves prices of its day and that many days after
  std::vector<ExchangeRate> rates;

  /// The newest rate of the currency on or before `day` and not older than the limit; nullptr where
  /// there is none.
  const ExchangeRate* rate_on(const std::string& currency, const std::string& day) const;

  /// Why `rate_on` has none, in words: an unknown currency, with its near miss, or the dates.
  std::string why_none(const std::string& currency, const std::string& day) const;
};

/// "$1.0842", as short as it is exact.
std::string dollars(MicroUsd amount);

/// "1 EUR = $1.0842 on 2026-10-09 (its source)".
std::string words_of(const ExchangeRate& rate);

/// Three capital letters (ISO 4217).
bool is_currency_code(std::string_view code);

/// `amount` is in millionths of the currency's unit. Rounded once, half up, to a micro-dollar.
MicroUsd converted(MicroUsd amount, const ExchangeRate& rate);

/// The other way: dollars to millionths of the currency's unit; to whole units where a JSON number
/// would not keep those.
MicroUsd in_currency(MicroUsd usd, const ExchangeRate& rate);

Exchange read_exchange(ObjectReader reader);

/// Whose offer a row is: the seller's own list, a community's hosts, or a market's.
inline const std::vector<std::string> kOffers = {"list", "community", "marketplace"};

/// What stands for a seat, a place or a tenancy that nobody states.
inline constexpr const char* kUnstated = "unstated";

/// What a provider said of its stock when the row was seen. A row without it is of unknown stock.
inline const std::vector<std::string> kStocks = {"in stock", "some", "unknown", "low", "none"};

/// What is not sold at the price by the hour: cards that a contract reserves, and a price that a
/// list shows without any cards for it.
inline const std::vector<std::string> kSales = {"by reservation", "field only"};

/// What joins the GPUs of an offer, and whether it joins several nodes.
struct Interconnect {
  const char* key;
  bool joins_nodes;
};
inline constexpr Interconnect kInterconnects[] = {
    {"none", false},      {"nvlink", false}, {"xgmi", false}, {"nvlink-rack", true},
    {"infiniband", true}, {"roce", true},    {"efa", true}};

/// Unknown joins none.
bool joins_nodes(const std::optional<std::string>& interconnect);

/// What a price was before it was turned into dollars.
struct AskedPrice {
  std::string currency;        ///< ISO 4217
  MicroUsd per_instance_hour;  ///< in millionths of the currency's unit
  ExchangeRate rate;
};

/// What an edition shows of a price row as it stands.
struct PriceFacts {
  std::string provider;
  std::string region;    ///< "any" or "unstated" where the source names none
  std::string instance;  ///< SKU name or the source's label; may be ""
  std::string gpu;
  std::string tier;       ///< one of price_tiers()
  std::string offer;      ///< list | community | marketplace
  std::int64_t gpus = 1;  ///< per instance
  /// GPUs that one machine can have, ascending, at this price for every `gpus` of them. Empty: not
  /// known, so any number of instances may be ordered.
  std::vector<std::int64_t> counts;
  MicroUsd usd_per_instance_hour;
  std::string jurisdiction = kUnstated;            ///< the provider's seat: us | eu | uk …
  std::string location = kUnstated;                ///< where the region is, likewise
  std::string tenancy = kUnstated;                 ///< bare-metal | virtual-machine | container
  std::optional<std::string> stock;                ///< one of kStocks
  std::optional<std::string> sale;                 ///< one of kSales; absent: as its tier says
  std::optional<std::string> interconnect;         ///< one of kInterconnects
  std::optional<std::int64_t> minimum_gpus;        ///< least order, where above `gpus`
  std::optional<std::int64_t> minimum_term_days;   ///< least term: then no price by the hour
  std::optional<std::int64_t> minimum_term_hours;  ///< the same, of a term that is no whole days
  std::optional<std::string> valid_from;           ///< YYYY-MM-DD, the first day of the price
  std::optional<std::string> valid_until;          ///< YYYY-MM-DD, its last
  /// The source is one that a reader cannot open; such a row may confirm others and prices nothing.
  bool second_reading = false;
  std::string as_of;  ///< YYYY-MM-DD or YYYY-MM
  std::string source;
  std::string note;
};
BOOST_DESCRIBE_STRUCT(PriceFacts, (),
                      (provider, region, instance, gpu, tier, offer, gpus, counts,
                       usd_per_instance_hour, jurisdiction, location, tenancy, stock, sale,
                       interconnect, minimum_gpus, minimum_term_days, minimum_term_hours,
                       valid_from, valid_until, second_reading, as_of, source, note))

/// GPUs of the smallest machine of the offer that has at least `gpus`; nullopt where no machine has
/// so many. An offer that names no counts has any number.
std::optional<std::int64_t> machine_gpus(const PriceFacts& offer, std::int64_t gpus);

/// The stock of a row as a policy admits it: one of kStocks, or "by reservation".
std::string stock_of(const PriceFacts& price);

/// What one provider asked for one instance, in one tier, on one day.
struct Price : PriceFacts {
  std::optional<AskedPrice> asked;      ///< present where it was asked in another currency
  std::string own_tenancy = kUnstated;  ///< the row's, where `tenancy` may be its provider's
  std::string settled;    ///< reason why this row does not count (a settled conflict), or ""
  std::string confirmed;  ///< how an odd amount was found to be right, or ""
  std::string age_kind;   ///< the kind of price that it ages as (mark_ages), or ""
  std::string doubt;  ///< why an amount that nobody confirmed does not count (mark_doubts), or ""
  std::string file;   ///< where the row stands, for warnings
  std::string pointer;

  /// provider/region/instance/gpu/tier/gpus/as_of
  std::string key() const;
  /// The key without its day: one offer, whenever it was seen. With a tier: the same machine there.
  std::string offer_key() const;
  std::string offer_key(const std::string& in_tier) const;
};
BOOST_DESCRIBE_STRUCT(Price, (PriceFacts), ())

/// What sellers asked for one GPU-hour in a month.
struct PricePoint {
  std::string date;  ///< YYYY-MM
  MicroUsd usd_per_gpu_hour;
  std::int64_t sellers = 0;
};
BOOST_DESCRIBE_STRUCT(PricePoint, (), (date, usd_per_gpu_hour, sellers))

/// How the price of a GPU type went, by one way of counting: another way is a level of its own.
struct PriceHistory {
  std::string gpu;
  std::string basis;               ///< "median of archived list prices on demand"
  std::vector<PricePoint> points;  ///< by date
  std::string source;
  std::string note;
  Json raw = {};
};
BOOST_DESCRIBE_STRUCT(PriceHistory, (), (gpu, basis, points, source, note))

/// The series of a file, each GPU once. Faults are recorded.
PriceHistory read_price_history(ObjectReader& reader);

/// A row of the collection that is not a price we use, with the reason.
struct ExcludedPrice {
  std::string provider;
  std::string gpu;
  std::string reason;
};

/// A row in another currency than USD needs a rate near its day in `exchange`, else it is a fault.
Price read_price(ObjectReader& reader, const std::string& provider, const Exchange& exchange = {});

/// The row that a price was read from, as a file of its provider has it.
Json price_row(const Price& price);

/// A fault at the row of a price whose key is among those already `seen`; it is one of them then.
void refuse_repeated(const Price& price, std::set<std::string>& seen, Faults& faults);
ExcludedPrice read_excluded_price(ObjectReader& reader);

/// A file of the catalog: provider and rows, two-space indent, the keys of a row in their usual
/// order, a final newline; before them the file's "$schema" where that is a text.
std::string price_file_text(const std::string& provider, const std::vector<Price>& prices,
                            const Json& schema = nullptr);

/// What is paid for a run of so many hours.
enum class PaidFor {
  kItsHours,
  kWholeDays,    ///< up to a fortnight, then whole weeks
  kEveryHour,    ///< of each month, used or not
  kNothingSaid,  ///< a term that is not stated: such a price is never used
};

struct RentTier {
  const char* key;       ///< of a price row: "on_demand"
  const char* name;      ///< of its figures in sheet.json and the tables: "list"; "" not in a sheet
  const char* words;     ///< in a sentence: "on demand"
  const char* title;     ///< over its figures: "On demand"
  const char* rent;      ///< begins the title of a cost line: "Spot rent" per run
  const char* category;  ///< FOCUS's PricingCategory
  PaidFor paid;
  bool interrupted;  ///< the provider may take it back: work is lost
  const char* note;  ///< what a run pays beyond its own hours; "" nothing

  constexpr bool by_month() const { return paid == PaidFor::kEveryHour; }
};

inline constexpr auto kPriceTiers = std::to_array<RentTier>({
    {"on_demand", "list", "on demand", "On demand", "Rent", "Standard", PaidFor::kItsHours, false,
     ""},
    {"spot", "spot", "spot", "Spot", "Spot rent", "Dynamic", PaidFor::kItsHours, true,
     "without and with lost work"},
    {"reserved_1y", "reserved_1y", "1 year", "One year reserved", "Rent on a term of 1y",
     "Committed", PaidFor::kEveryHour, false, ""},
    {"reserved_3y", "reserved_3y", "3 years", "Three years reserved", "Rent on a term of 3y",
     "Committed", PaidFor::kEveryHour, false, ""},
    {"reserved_5y", "", "5 years", "", "Rent on a term of 5y", "Committed", PaidFor::kEveryHour,
     false, ""},
    {"capacity_block", "capacity_block", "capacity block", "Capacity block",
     "Rent of a capacity block", "Committed", PaidFor::kWholeDays, false, "in whole days"},
    {"reserved_unstated", "", "reserved unstated", "", "", "Committed", PaidFor::kNothingSaid,
     false, ""},
});

/// nullptr where there is none.
const RentTier* find_tier(std::string_view key);

/// Of a price that was loaded. Throws std::out_of_range.
const RentTier& price_tier(std::string_view key);

/// The keys, in the order above.
const std::vector<std::string>& price_tiers();

// ---- Who rents GPUs out.

/// What a seat or a region may be said to be in; "unstated" is not among them.
inline const std::vector<std::string> kJurisdictions = {"au", "br", "ca", "ch", "eu",
                                                        "in", "jp", "sg", "uk", "us"};
/// What a customer may be given; "unstated" is not among them.
inline const std::vector<std::string> kTenancies = {"bare-metal", "virtual-machine", "container"};

}  // namespace sizesheet
