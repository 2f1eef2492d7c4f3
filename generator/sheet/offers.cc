// SPDX-License-Identifier: Apache-2.0
#include "sheet/offers.h"

#include <algorithm>
#include <set>
#include <utility>

#include "sheet/rent_row.h"

namespace sizesheet {
namespace {

RentOffer offer_of(const RentQuote& quote, const Row& row, double hours_per_month) {
  const Price& price = *quote.price;
  RentOffer offer;
  offer.price_key = price.key();
  offer.provider = price.provider;
  offer.region = price.region;
  offer.tier = price.tier;
  offer.offer = price.offer;
  offer.as_of = price.as_of;
  offer.instances = quote.instances;
  offer.unused_gpus = quote.instances * price.gpus - row.layout.gpus;
  offer.usd_per_hour = quote.usd_per_hour;
  if (const auto hours = hours_of(row)) {
    const auto paid = paid_hours(price.tier, *hours);
    if (paid) offer.usd_per_run = run_cost(quote.usd_per_hour, *paid);
  }
  if (rent_tier(price.tier)->by_month) {
    offer.usd_per_month = reserved_month(quote.usd_per_hour, hours_per_month);
  }
  return offer;
}

RowOffers offers_for(const Catalog& catalog, const SheetSpec& spec, const SheetPrices& prices,
                     const Row& row) {
  RowOffers all;
  all.row_key = row.key();
  const double month = catalog.purchase.rate(spec.ownership.hours_per_month).value.typical;
  for (const RentTier& tier : kRentTiers) {
    std::set<std::pair<std::string, std::string>> seen;  // quotes come best first
    for (const RentQuote& quote :
         rent_quotes(prices.in(tier.key), catalog.gpu(row.gpu), row.layout.gpus)) {
      if (!seen.emplace(quote.price->provider, quote.price->region).second) continue;
      all.offers.push_back(offer_of(quote, row, month));
    }
  }
  // Within a tier equal prices stay newest first; the tiers stay in the order of the columns.
  std::stable_sort(
      all.offers.begin(), all.offers.end(),
      [](const RentOffer& a, const RentOffer& b) { return a.usd_per_hour < b.usd_per_hour; });
  return all;
}

}  // namespace

void add_offers(const Catalog& catalog, const SheetSpec& spec, Sheet& sheet) {
  const SheetPrices prices(catalog, spec);
  std::set<std::string> seen;
  for (const Pick& pick : sheet.picks) {
    for (const auto& key : {pick.rent_key, pick.buy_key}) {
      if (!key || !seen.insert(*key).second) continue;
      sheet.offers.push_back(offers_for(catalog, spec, prices, *sheet.find(*key)));
    }
  }
}

}  // namespace sizesheet
