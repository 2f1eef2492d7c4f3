// SPDX-License-Identifier: Apache-2.0
#include "catalog/prices/provider.h"

#include <algorithm>

#include "catalog/files/entry.h"
#include "catalog/files/loader.h"
#include "catalog/prices/price.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {

std::string Provider::location_of(const std::string& region) const {
  std::string found = kUnstated;
  std::size_t longest = 0;
  for (const auto& [beginning, place] : locations) {
    if (beginning.size() < longest || !starts_with(region, beginning)) continue;
    found = place;
    longest = beginning.size();
  }
  return found;
}

Provider read_provider(ObjectReader& reader) {
  const auto or_unstated = [](std::vector<std::string> known) {
    known.emplace_back(kUnstated);
    return known;
  };
  auto provider =
      read_members<Provider>(reader, {.choices = {{"jurisdiction", or_unstated(kJurisdictions)},
                                                  {"tenancy", or_unstated(kTenancies)},
                                                  {"basis", kBases}},
                                      .may_lack = {"url"},
                                      .may_be_empty = {"url"}});
  provider.id = read_filled_text(reader, "id");
  if (reader.has("offer")) provider.offer = reader.one_of("offer", kOffers);
  provider.country = reader.text("country");
  const std::string& country = provider.country;
  const bool code = country.size() == 2 && std::ranges::all_of(country, is_capital);
  if (reader.sound("country") && !code && country != kUnstated) {
    reader.fault("country", "expected two capital letters (ISO 3166) or \"unstated\", got " +
                                in_quotes(country));
  }
  if (reader.has("locations")) {
    ObjectReader places = reader.object("locations");
    for (const std::string& region : places.keys()) {
      provider.locations[region] = places.one_of(region, kJurisdictions);
    }
  }
  if (!provider.url.empty() && !is_address(provider.url)) {
    reader.mismatch("url", "an address that begins with https://", provider.url);
  }
  reader.done();
  return provider;
}

void place_prices(const std::vector<Provider>& providers, std::vector<Price>& prices) {
  for (Price& price : prices) {
    const Provider* known = entry_with(providers, &Provider::id, price.provider);
    if (known == nullptr) continue;
    price.jurisdiction = known->jurisdiction;
    price.location = known->location_of(price.region);
    if (price.tenancy == kUnstated) price.tenancy = known->tenancy;
  }
}

}  // namespace sizesheet
