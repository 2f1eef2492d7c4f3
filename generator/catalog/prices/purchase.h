// SPDX-License-Identifier: Apache-2.0
// What owning costs: machines that can be bought whole, and the rates that running them brings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/prices/price.h"
#include "support/described.h"
#include "support/json.h"
#include "support/named.h"

namespace sizesheet {

/// low <= typical <= high, with where they come from.
struct Estimate {
  double low = 0;
  double typical = 0;
  double high = 0;
  std::string basis;  ///< source | part-assumption | assumption
  std::string source;
  std::string date;
  std::string note;
};
BOOST_DESCRIBE_STRUCT(Estimate, (), (low, typical, high, basis, source, date, note))

/// Within the bounds; what is not low <= typical <= high is a fault.
Estimate read_estimate(ObjectReader reader, Bounds<double> bounds);

enum class Condition { kNew, kUsed };

inline constexpr NameTable<Condition, 2> kConditions{
    {{Condition::kNew, "new"}, {Condition::kUsed, "used"}}};

constexpr const auto& table_of(Condition /*of*/) { return kConditions; }

/// What a purchase price is.
enum class PriceKind {
  kList,      ///< of the maker
  kShop,      ///< of shops
  kAsked,     ///< by dealers or owners
  kExecuted,  ///< of sales
  kParts,     ///< the sum of the cards and a host
};

inline constexpr NameTable<PriceKind, 5> kPurchasePriceKinds{{{PriceKind::kList, "list"},
                                                              {PriceKind::kShop, "shop"},
                                                              {PriceKind::kAsked, "asked"},
                                                              {PriceKind::kExecuted, "executed"},
                                                              {PriceKind::kParts, "parts"}}};

constexpr const auto& table_of(PriceKind /*of*/) { return kPurchasePriceKinds; }

/// Weeks from order to delivery.
struct LeadTime {
  double low = 0;
  double high = 0;
};
BOOST_DESCRIBE_STRUCT(LeadTime, (), (low, high))

/// Its high end in whole months, rounded up.
std::int64_t whole_months(const LeadTime& weeks);

/// A machine sold whole: a node, a workstation, a pair of Sparks.
struct SoldMachine {
  std::string id;     ///< "8x-h100-sxm"
  std::string title;  ///< "8x H100 SXM node (HGX/DGX)"
  std::string gpu;
  std::int64_t gpus = 0;
  bool multi_node = false;                ///< several may be joined by a back-end network
  Condition condition = Condition::kNew;  ///< the title of a used one says so
  std::optional<PriceKind> price_kind;
  bool quoted = true;                       ///< false: its price is a placeholder, so it never wins
  std::optional<std::string> lead_time;     ///< from order to delivery, in words
  std::optional<LeadTime> lead_time_weeks;  ///< the same as a range

  bool used() const { return condition == Condition::kUsed; }
};
BOOST_DESCRIBE_STRUCT(SoldMachine, (),
                      (id, title, gpu, gpus, multi_node, condition, price_kind, quoted, lead_time,
                       lead_time_weeks))

struct PurchaseNode : SoldMachine {
  Estimate usd;
  Estimate kw;  ///< power at full load, before PUE
  Json raw;
};
BOOST_DESCRIBE_STRUCT(PurchaseNode, (SoldMachine), ())

/// A bare card; informative, since whole machines are what the sheet buys.
struct PurchaseCard {
  std::string id;
  std::string title;
  std::string gpu;
  Condition condition = Condition::kNew;
  std::optional<PriceKind> price_kind;
  bool quoted = true;  ///< false: the price is a placeholder
  Estimate usd;
  Json raw;
};
BOOST_DESCRIBE_STRUCT(PurchaseCard, (), (id, title, gpu, condition, price_kind, quoted))

}  // namespace sizesheet

namespace sizesheet::rate_unit {

inline constexpr const char* kRatio = "ratio";
inline constexpr const char* kShare = "share";
inline constexpr const char* kShareOfPurchase = "share of purchase";
inline constexpr const char* kShareOfCapex = "share of capex";
inline constexpr const char* kShareOfCluster = "share of cluster";
inline constexpr const char* kShareOfCapexPerYear = "share of capex per year";
inline constexpr const char* kSharePerYear = "share per year";
inline constexpr const char* kOomPerYear = "orders of magnitude per year";
inline constexpr const char* kYears = "years";
inline constexpr const char* kHours = "h";
inline constexpr const char* kFtePerNode = "FTE per node";
inline constexpr const char* kFtePerSite = "FTE per site";
inline constexpr const char* kUsdPerYear = "USD per year";
inline constexpr const char* kUsdPerGpu = "USD per GPU";
inline constexpr const char* kUsdPerGpuYear = "USD per GPU and year";
inline constexpr const char* kUsdPerKwMonth = "USD per kW and month";
inline constexpr const char* kUsdPerKwh = "USD per kWh";

}  // namespace sizesheet::rate_unit

namespace sizesheet {

/// A rate of owning: "cost-of-capital", "pue", "usd-per-kwh" …
struct Rate {
  std::string id;
  std::string title;
  std::string unit;  ///< of rate_unit
  Estimate value;    ///< in dollars, once converted; then its source says what was stated
  std::optional<ExchangeRate> exchange;  ///< by which it was converted
  std::string unconverted;          ///< why it is still in another currency than dollars, or ""
  std::vector<std::string> covers;  ///< options of a sheet that this rate counts already
  Json raw;
};
BOOST_DESCRIBE_STRUCT(Rate, (), (id, title))

struct Purchase {
  std::vector<PurchaseNode> nodes;
  std::vector<PurchaseCard> cards;
  std::vector<Rate> rates;

  /// The rate with this id; throws InputError naming a near miss.
  const Rate& rate(const std::string& id) const;
};

PurchaseNode read_purchase_node(ObjectReader& reader);
PurchaseCard read_purchase_card(ObjectReader& reader);
Rate read_rate(ObjectReader& reader);

/// Turns rates in other currencies into dollars, by the rate of exchange of their day. Where there
/// is none they stay as they are, and no sheet can use them.
void convert_rates(const Exchange& exchange, std::vector<Rate>& rates);

}  // namespace sizesheet
