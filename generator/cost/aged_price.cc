// SPDX-License-Identifier: Apache-2.0
#include "cost/aged_price.h"

#include <algorithm>
#include <cmath>

#include "catalog/prices/price.h"
#include "catalog/prices/price_age.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kFactorParts = 1'000'000;

std::int64_t in_millionths(double factor) {
  return static_cast<std::int64_t>(std::floor(factor * static_cast<double>(kFactorParts) + 0.5));
}

}  // namespace

double AgedPrice::factor() const {
  return static_cast<double>(factor_millionths) / static_cast<double>(kFactorParts);
}

AgedPrice aged_price(const Price& price, const PriceAge& age, const std::string& as_of) {
  AgedPrice result;
  const auto today = day_number(as_of);
  const auto day = day_number(price.as_of);
  if (today && day) result.days = std::max<std::int64_t>(0, *today - *day);
  if (const AgeKind* kind = age.kind_of(price)) {
    result.ln_width = kind->ln_width(result.days);
    result.drift_per_day = age.drift_per_day(price);
    const double drift = result.drift_per_day * static_cast<double>(result.days);
    result.factor_millionths =
        in_millionths(std::exp(std::clamp(drift, -kMostLnOfAge, kMostLnOfAge)));
  }
  result.expected = scaled(price.usd_per_instance_hour, result.factor_millionths, kFactorParts);
  result.high = scaled(result.expected, in_millionths(std::exp(result.ln_width)), kFactorParts);
  return result;
}

}  // namespace sizesheet
