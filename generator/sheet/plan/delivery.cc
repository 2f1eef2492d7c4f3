// SPDX-License-Identifier: Apache-2.0
#include "sheet/plan/delivery.h"

#include <cmath>

#include "catalog/prices/purchase.h"
#include "sheet/money_words.h"
#include "sheet/plan.h"
#include "support/whole_numbers.h"

namespace sizesheet {

std::int64_t Delivery::from_month() const { return static_cast<std::int64_t>(std::ceil(months)); }

std::string Delivery::words() const { return weeks ? lead_words(*weeks) : months_words(months); }

Delivery delivery_of(const PlanDemand& plan, const PurchaseNode& node) {
  const auto stated = plan.lead_months_of.find(node.id);
  if (stated != plan.lead_months_of.end()) return {stated->second, {}};
  if (!node.lead_time_weeks) return {plan.lead_months, {}};
  return {as_double(whole_months(*node.lead_time_weeks)), node.lead_time_weeks};
}

std::string why_left_out(const PlanDemand& plan, const PurchaseNode& node) {
  if (!node.quoted) return "no quote, only an estimate of its price";
  const Delivery delivery = delivery_of(plan, node);
  if (delivery.from_month() < plan.months) return "";
  return "delivery takes " + delivery.words() + ": after the last month of the plan";
}

}  // namespace sizesheet
