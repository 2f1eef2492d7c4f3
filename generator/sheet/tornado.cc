// SPDX-License-Identifier: Apache-2.0
#include "sheet/tornado.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sheet/own_row.h"
#include "sheet/ownership_inputs.h"

namespace sizesheet {
namespace {

using Change = std::function<void(OwnershipTerms& terms, double value)>;

void move(const OwnershipTerms& typical, const Change& change, Sensitivity& bar) {
  const auto owned_at = [&](double value) {
    OwnershipTerms terms = typical;
    change(terms, value);
    return cost_of_owning(terms);
  };
  const OwnLine low = owned_at(bar.low);
  const OwnLine high = owned_at(bar.high);
  bar.own_usd_per_gpu_hour_low = low.own_usd_per_gpu_hour;
  bar.own_usd_per_gpu_hour_high = high.own_usd_per_gpu_hour;
  bar.break_even_hours_low = low.break_even_hours_per_month;
  bar.break_even_hours_high = high.break_even_hours_per_month;
}

Sensitivity bar_of(const OwnershipInput& input, const OwnershipTerms& typical) {
  Sensitivity bar;
  bar.input = input.id == kPlannedHours ? "hours" : input.id;
  bar.title = input.title;
  bar.unit = input.unit;
  bar.low = input.low;
  bar.typical = input.typical;
  bar.high = input.high;
  bar.basis = input.basis;
  bar.source = input.source;
  move(typical, input.set, bar);
  return bar;
}

/// From the lowest to the highest list price among providers, and never without the row's own.
Sensitivity rent_bar(const PriceSpread& spread, const OwnershipTerms& typical) {
  const MicroUsd rent = *typical.rent_usd_per_gpu_hour;
  Sensitivity bar;
  bar.input = "rent";
  bar.title = "Rent, list price";
  bar.unit = "USD per GPU-hour";
  bar.low = to_usd(std::min(spread.low, rent));
  bar.typical = to_usd(rent);
  bar.high = to_usd(std::max(spread.high, rent));
  bar.basis = "source";
  bar.source = "list prices of " + std::to_string(spread.providers) +
               (spread.providers == 1 ? " provider" : " providers");
  move(
      typical, [](OwnershipTerms& t, double v) { t.rent_usd_per_gpu_hour = rounded_usd(v); }, bar);
  return bar;
}

std::int64_t own_swing(const Sensitivity& bar) {
  return std::abs(bar.own_usd_per_gpu_hour_high.value - bar.own_usd_per_gpu_hour_low.value);
}

/// Hours; never breaking even counts as just not within the month.
double break_even_swing(const Sensitivity& bar, double hours_per_month) {
  return std::abs(bar.break_even_hours_high.value_or(hours_per_month) -
                  bar.break_even_hours_low.value_or(hours_per_month));
}

}  // namespace

Tornado tornado(const Purchase& purchase, const SheetSpec& spec, const PurchaseNode& node,
                const Row& row) {
  const OwnershipTerms typical = row_terms(purchase, spec, node, row);
  const OwnLine owned = cost_of_owning(typical);
  Tornado result;
  result.row_key = row.key();
  result.own_usd_per_gpu_hour = owned.own_usd_per_gpu_hour;
  result.break_even_hours_per_month = owned.break_even_hours_per_month;
  const bool joined = row.layout.gpus > node.gpus;
  for (const OwnershipInput& input : ownership_inputs(purchase, spec.ownership, node, joined)) {
    if (input.varies) result.bars.push_back(bar_of(input, typical));
  }
  if (row.spread && typical.rent_usd_per_gpu_hour) {
    result.bars.push_back(rent_bar(*row.spread, typical));
  }
  const double month = typical.hours_per_month;
  std::stable_sort(result.bars.begin(), result.bars.end(),
                   [month](const Sensitivity& a, const Sensitivity& b) {
                     if (own_swing(a) != own_swing(b)) return own_swing(a) > own_swing(b);
                     return break_even_swing(a, month) > break_even_swing(b, month);
                   });
  return result;
}

}  // namespace sizesheet
