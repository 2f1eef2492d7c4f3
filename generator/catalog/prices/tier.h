// SPDX-License-Identifier: Apache-2.0
// The tiers that a GPU is rented in: one entry each. What a run pays in a tier, what it is called
// and whether a sheet shows it all follow from its entry; a new tier is a new entry and nothing
// else.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace sizesheet {

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
     "with lost work"},
    {"reserved_1y", "reserved_1y", "1 year", "One year reserved", "Rent on a term of 1y",
     "Committed", PaidFor::kEveryHour, false, ""},
    {"reserved_3y", "reserved_3y", "3 years", "Three years reserved", "Rent on a term of 3y",
     "Committed", PaidFor::kEveryHour, false, ""},
    {"reserved_5y", "", "5 years", "", "Rent on a term of 5y", "Committed", PaidFor::kEveryHour,
     false, ""},
    {"capacity_block", "capacity_block", "capacity block", "Capacity block",
     "Rent of a capacity block", "Committed", PaidFor::kWholeDays, false, "whole days"},
    {"reserved_unstated", "", "reserved unstated", "", "", "Committed", PaidFor::kNothingSaid,
     false, ""},
});

/// nullptr where there is none.
const RentTier* find_tier(std::string_view key);

/// Of a price that was loaded. Throws std::out_of_range.
const RentTier& price_tier(std::string_view key);

/// The keys, in the order above.
const std::vector<std::string>& price_tiers();

}  // namespace sizesheet
