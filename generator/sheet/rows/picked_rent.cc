// SPDX-License-Identifier: Apache-2.0
#include "sheet/rows/picked_rent.h"

#include <cmath>

#include "cost/rent.h"
#include "sheet/decision.h"
#include "support/money.h"

namespace sizesheet {
namespace {

MicroUsd ranked_price(const RentQuote& quote, const PickRules& rules) {
  const MicroUsd usd = quote.usd_per_hour;
  return ranked_usd(UsdRange{usd, usd, rounded_usd(to_usd(usd) * std::exp(quote.ln_width))}, rules);
}

}  // namespace

std::optional<RentQuote> picked_rent(const CurrentPrices& prices, const Gpu& gpu, std::int64_t gpus,
                                     const PickRules& rules,
                                     const std::function<bool(const RentQuote&)>& allowed) {
  std::optional<RentQuote> best;
  for (const RentQuote& quote : rent_quotes(prices, gpu, gpus)) {
    if (allowed && !allowed(quote)) continue;
    if (!best || ranked_price(quote, rules) < ranked_price(*best, rules)) best = quote;
  }
  return best;
}

}  // namespace sizesheet
