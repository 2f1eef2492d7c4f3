// SPDX-License-Identifier: Apache-2.0
#include "render/plan_quarters.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sheet/plan.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kMonthsOfQuarter = 3;

PlanQuarter& quarter_of(std::int64_t month, std::vector<PlanQuarter>& quarters) {
  const auto place = static_cast<std::size_t>(month / kMonthsOfQuarter);
  if (quarters.size() <= place) quarters.resize(place + 1);
  return quarters[place];
}

}  // namespace

std::vector<PlanQuarter> quarters_of(const SheetPlan& plan) {
  std::vector<PlanQuarter> quarters;
  for (const PlanMonthLine& month : plan.months) {
    quarter_of(month.month, quarters).usd.value += month.usd.value;
  }
  for (const PlanPoolLine& pool : plan.pools) {
    if (pool.kind != "bought") continue;
    const auto lead = static_cast<std::int64_t>(std::ceil(pool.lead_months.value_or(0)));
    const std::int64_t ordered = std::max<std::int64_t>(0, pool.from_month - lead);
    quarter_of(ordered, quarters).ordered_usd.value += pool.capex_usd.value;
  }
  return quarters;
}

}  // namespace sizesheet
