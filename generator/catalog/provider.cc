// SPDX-License-Identifier: Apache-2.0
#include "catalog/provider.h"

#include <algorithm>

#include "catalog/entry.h"
#include "support/address.h"
#include "support/printable.h"
#include "support/text.h"

namespace sizesheet {
namespace {

std::vector<std::string> or_unstated(std::vector<std::string> known) {
  known.emplace_back(kUnstated);
  return known;
}

std::string read_country(ObjectReader& reader) {
  const std::string country = reader.text("country");
  const bool code = country.size() == 2 && std::all_of(country.begin(), country.end(),
                                                       [](char c) { return c >= 'A' && c <= 'Z'; });
  if (reader.sound("country") && !code && country != kUnstated) {
    reader.fault("country", "expected two capital letters (ISO 3166) or \"unstated\", got " +
                                in_quotes(country));
  }
  return country;
}

std::map<std::string, std::string> read_locations(ObjectReader& reader) {
  std::map<std::string, std::string> locations;
  if (!reader.has("locations")) return locations;
  ObjectReader places = reader.object("locations");
  for (const std::string& region : places.keys()) {
    locations[region] = places.one_of(region, known_jurisdictions());
  }
  places.done();
  return locations;
}

}  // namespace

const std::vector<std::string>& known_jurisdictions() {
  static const std::vector<std::string> kKnown{"au", "br", "ca", "ch", "eu",
                                               "in", "jp", "sg", "uk", "us"};
  return kKnown;
}

const std::vector<std::string>& known_tenancies() {
  static const std::vector<std::string> kKnown{"bare-metal", "virtual-machine", "container"};
  return kKnown;
}

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
  Provider provider;
  provider.raw = reader.whole();
  provider.id = read_filled_text(reader, "id");
  provider.title = read_filled_text(reader, "title");
  provider.country = read_country(reader);
  provider.jurisdiction = reader.one_of("jurisdiction", or_unstated(known_jurisdictions()));
  provider.tenancy = reader.one_of("tenancy", or_unstated(known_tenancies()));
  provider.locations = read_locations(reader);
  provider.url = reader.text_or("url", "");
  if (!provider.url.empty() && !is_address(provider.url)) {
    reader.fault("url",
                 "expected an address that begins with https://, got " + shown(provider.url));
  }
  provider.basis = read_basis(reader);
  provider.source = read_source(reader);
  provider.date = read_date(reader, "date");
  provider.note = read_note(reader);
  reader.done();
  return provider;
}

void place_prices(const std::vector<Provider>& providers, std::vector<Price>& prices) {
  for (Price& price : prices) {
    const auto known = std::find_if(providers.begin(), providers.end(),
                                    [&](const Provider& one) { return one.id == price.provider; });
    if (known == providers.end()) continue;
    price.jurisdiction = known->jurisdiction;
    price.location = known->location_of(price.region);
    if (price.tenancy == kUnstated) price.tenancy = known->tenancy;
  }
}

}  // namespace sizesheet
