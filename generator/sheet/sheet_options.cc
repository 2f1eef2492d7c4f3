// SPDX-License-Identifier: Apache-2.0
#include "sheet/sheet_options.h"

#include "catalog/prices/price.h"
#include "sheet/money.h"

namespace sizesheet {

std::int64_t SheetOptions::age_limit_days(const std::string& tier, const std::string& offer) const {
  const bool falls_back = tier == kOnDemand.key && offer == "list";
  if (falls_back && price_rules.fallback_age_days) return *price_rules.fallback_age_days;
  const RentTier* known = find_tier(tier);
  if (known == nullptr || known->paid == PaidFor::kItsHours) return price_max_age_days;
  return known->paid == PaidFor::kWholeDays
             ? price_rules.block_max_age_days.value_or(price_max_age_days)
             : reserved_max_age_days;
}

}  // namespace sizesheet
