// SPDX-License-Identifier: Apache-2.0
// How far a price of some age is off: measured drift and width by kind of price.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "catalog/prices/price.h"
#include "support/described.h"
#include "support/json.h"

namespace sizesheet {

struct Provider;

/// No price is taken to move by more, whatever its age: a factor of 148.
inline constexpr double kMostLnOfAge = 5;

/// The width of a price's range after some days, as the natural logarithm of a factor.
struct AgeWidth {
  std::int64_t days = 0;
  double ln = 0;
};
BOOST_DESCRIBE_STRUCT(AgeWidth, (), (days, ln))

/// Prices that move alike, and how they moved.
struct AgeKind {
  std::string id;
  std::string title;
  std::vector<std::string> tiers;   ///< of price_tiers()
  std::vector<std::string> offers;  ///< of kOffers
  std::string sellers;              ///< one of kSellerKinds; "" any
  double drift_per_day = 0;         ///< natural logarithm, of cards whose price rises
  std::vector<AgeWidth> widths;     ///< by days, the first 0 after 0 days; never falling
  std::string measured;             ///< what was counted
  std::string source;
  std::string date;
  std::string note;

  /// On the straight lines between the widths; beyond the last it grows with the root of the days.
  double ln_width(std::int64_t days) const;
};
BOOST_DESCRIBE_STRUCT(AgeKind, (),
                      (id, title, sellers, drift_per_day, measured, source, date, note))

/// When the history of a card counts as rising: its last point is above the point some months
/// before by at least a share.
struct RiseRule {
  std::int64_t months = 3;
  double share = 0.02;
};
BOOST_DESCRIBE_STRUCT(RiseRule, (), (months, share))

/// Without kinds no price ages.
struct PriceAge {
  RiseRule rise;
  std::vector<AgeKind> kinds;
  std::set<std::string> rising;  ///< ids of GPUs (note_rises)
  Json raw;

  /// nullptr: nothing is measured of such prices.
  const AgeKind* kind_of(const Price& price) const;
  /// The drift of the price's kind where its card rises, else 0.
  double drift_per_day(const Price& price) const;
};

PriceAge read_price_age(ObjectReader reader);

/// True where the last point of the series is high enough above the one some months before.
bool rises(const PriceHistory& history, const RiseRule& rule);

/// Puts every GPU whose history rises into `age`.
void note_rises(const std::vector<PriceHistory>& histories, PriceAge& age);

/// Tells every row which kind it is of; a seller without a kind of its own is specialised.
void mark_ages(const PriceAge& age, const std::vector<Provider>& providers,
               std::vector<Price>& prices);

}  // namespace sizesheet
