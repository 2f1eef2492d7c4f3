// SPDX-License-Identifier: Apache-2.0
#include "sheet/sheet_options.h"

#include <algorithm>

#include "catalog/prices/price.h"
#include "sheet/money.h"

namespace sizesheet {

namespace {

std::int64_t limit_of_tier(const SheetOptions& options, const std::string& tier,
                           const std::string& offer) {
  const PriceRules& rules = options.price_rules;
  const bool falls_back = tier == kOnDemand.key && offer == "list";
  if (falls_back && rules.fallback_age_days) return *rules.fallback_age_days;
  const RentTier* known = find_tier(tier);
  if (known == nullptr || known->paid == PaidFor::kItsHours) return options.price_max_age_days;
  return known->paid == PaidFor::kWholeDays
             ? rules.block_max_age_days.value_or(options.price_max_age_days)
             : options.reserved_max_age_days;
}

}  // namespace

std::int64_t SheetOptions::age_limit_days(const std::string& tier, const std::string& offer,
                                          const std::string& age_kind) const {
  const std::int64_t limit = limit_of_tier(*this, tier, offer);
  const auto own = price_rules.max_age_days_of.find(age_kind);
  return own == price_rules.max_age_days_of.end() ? limit : std::min(limit, own->second);
}

}  // namespace sizesheet
