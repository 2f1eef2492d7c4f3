// SPDX-License-Identifier: Apache-2.0
// The tiers in which a row's GPUs can be rented: one entry each. A row has a rent for each of them;
// readers and writers walk this list, so that none of them leaves a tier out.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "sheet/money.h"

namespace sizesheet {

struct RentTier {
  const char* key;       ///< of a price row: "on_demand"
  const char* name;      ///< of a row's figures in sheet.json and the tables: "list"
  const char* words;     ///< in a sentence: "on demand"
  const char* title;     ///< over its figures: "On demand"
  const char* category;  ///< FOCUS's PricingCategory
  bool by_month;         ///< every hour of a month is paid, used or not; else the hours of a run
  bool interrupted;      ///< the provider may take it back: work is lost
  const char* note;      ///< what a run pays beyond its own hours; "" nothing

  /// What is paid: a month's rent, or a run's.
  const std::optional<MicroUsd>& amount(const RentLine& rent) const {
    return by_month ? rent.usd_per_month : rent.usd_per_run;
  }
};

/// In the order of a sheet's columns; the first is the one that set-ups are chosen by.
inline constexpr auto kRentTiers = std::to_array<RentTier>({
    {"on_demand", "list", "on demand", "On demand", "Standard", false, false, ""},
    {"spot", "spot", "spot", "Spot", "Dynamic", false, true, "with lost work"},
    {"reserved_1y", "reserved_1y", "1 year", "One year reserved", "Committed", true, false, ""},
    {"reserved_3y", "reserved_3y", "3 years", "Three years reserved", "Committed", true, false, ""},
    {"capacity_block", "capacity_block", "capacity block", "Capacity block", "Committed", false,
     false, "whole days"},
});

/// Those that something is said of by name.
inline constexpr const RentTier& kOnDemand = kRentTiers[0];
inline constexpr const RentTier& kSpot = kRentTiers[1];
inline constexpr const RentTier& kReserved1y = kRentTiers[2];

/// What a row's GPUs cost in each tier; nothing where no price will do.
class Rents {
 public:
  std::optional<RentLine>& operator[](const RentTier& tier) { return lines_.at(place_of(tier)); }
  const std::optional<RentLine>& operator[](const RentTier& tier) const {
    return lines_.at(place_of(tier));
  }

 private:
  static std::size_t place_of(const RentTier& tier) {
    return static_cast<std::size_t>(&tier - kRentTiers.data());
  }

  std::array<std::optional<RentLine>, kRentTiers.size()> lines_;
};

/// The tier of a price; nullptr where a sheet does not show it ("reserved_5y").
constexpr const RentTier* rent_tier(std::string_view key) {
  for (const RentTier& tier : kRentTiers) {
    if (tier.key == key) return &tier;
  }
  return nullptr;
}

}  // namespace sizesheet
