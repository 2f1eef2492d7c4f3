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

namespace {

/// Machines by the provider's names for them, which `cloud_machine` reads in `raw`.
void read_machines(ObjectReader machines) {
  for (const std::string& name : machines.keys()) {
    ObjectReader one = machines.object(name);
    read_filled_text(one, "gpu");
    one.integer("gpus", {1, 1024});
    read_filled_text(one, "source");
    read_date(one, "date");
    one.done();
  }
}

}  // namespace

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
  if (reader.has("short_title")) read_filled_text(reader, "short_title");  // forms read it in `raw`
  if (reader.has("kind")) provider.kind = reader.one_of("kind", kSellerKinds);
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
  if (reader.has("machines")) read_machines(reader.object("machines"));
  if (reader.has("nodes")) {
    ObjectReader nodes = reader.object("nodes");
    for (const std::string& gpu : nodes.keys()) {
      provider.nodes[gpu] = nodes.integer(gpu, {2, 65536});
    }
  }
  if (!provider.url.empty() && !is_address(provider.url)) {
    reader.mismatch("url", "an address that begins with https://", provider.url);
  }
  provider.file = reader.file();
  provider.pointer = reader.pointer("");
  reader.done();
  return provider;
}

void check_nodes(const std::vector<Provider>& providers, const std::vector<std::string>& known,
                 Faults& faults) {
  for (const Provider& provider : providers) {
    for (const auto& [gpu, size] : provider.nodes) {
      if (contains(known, gpu)) continue;
      faults.add(provider.file, provider.pointer + "/nodes/" + gpu,
                 not_in_catalog("GPU", gpu, known));
    }
  }
}

WrongUnit wrong_unit(const std::vector<Provider>& providers, const Price& price) {
  if (!price.settled.empty()) return {};
  const Provider* seller = entry_with(providers, &Provider::id, price.provider);
  if (seller == nullptr) return {};
  const auto node = seller->nodes.find(price.gpu);
  if (node == seller->nodes.end()) return {};
  const std::string sold = ", since " + seller->id + " sells " + price.gpu + " in nodes of " +
                           std::to_string(node->second) + " (providers.json)";
  if (price.gpus % node->second != 0) {
    return {"gpus", "expected whole nodes" + sold + ", got " + std::to_string(price.gpus)};
  }
  if (price.instance.empty()) {
    return {"instance", "expected the name of the node" + sold + ", got nothing"};
  }
  return {};
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
