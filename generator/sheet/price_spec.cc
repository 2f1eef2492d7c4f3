// SPDX-License-Identifier: Apache-2.0
#include "sheet/price_spec.h"

#include <algorithm>
#include <set>

#include "catalog/entry.h"
#include "cost/price_policy.h"
#include "support/printable.h"
#include "support/text.h"

namespace sizesheet {
namespace {

using Texts = std::vector<std::string>;

constexpr Bounds<std::int64_t> kDays{1, 100000};

/// An optional list of which every element must be known; an empty list is a fault, since it would
/// read as "none" and count as "any".
Texts read_known(ObjectReader& reader, const std::string& key, const Texts& known,
                 const std::string& what) {
  if (reader.raw(key).is_null()) return {};
  Texts list = reader.texts(key);
  if (list.empty() && reader.sound(key)) {
    reader.fault(key, "expected at least one " + what + ", or no such key for any");
  }
  for (const std::string& one : list) {
    if (std::find(known.begin(), known.end(), one) != known.end()) continue;
    reader.fault(key,
                 "no " + what + " " + shown(one) + " in the catalog" + did_you_mean(one, known));
  }
  return list;
}

Texts texts_or_none(ObjectReader& reader, const std::string& key) {
  return reader.raw(key).is_null() ? Texts{} : reader.texts(key);
}

Texts known_providers(const Catalog& catalog) {
  std::set<std::string> names;
  for (const Price& price : catalog.prices) names.insert(price.provider);
  for (const Provider& provider : catalog.providers) names.insert(provider.id);
  return {names.begin(), names.end()};
}

/// Regions of the price rows; one that ends in "*" must be the beginning of at least one.
Texts read_regions(ObjectReader& reader, const Catalog& catalog) {
  if (reader.raw("regions").is_null()) return {};
  std::set<std::string> names;
  for (const Price& price : catalog.prices) names.insert(price.region);
  const Texts known(names.begin(), names.end());
  Texts regions = reader.texts("regions");
  if (regions.empty() && reader.sound("regions")) {
    reader.fault("regions", "expected at least one region, or no such key for any");
  }
  for (const std::string& wanted : regions) {
    const bool met = std::any_of(known.begin(), known.end(), [&](const std::string& region) {
      return region_matches(region, wanted);
    });
    if (met) continue;
    reader.fault("regions", "no price row of the catalog is in region " + in_quotes(wanted) +
                                did_you_mean(wanted, known));
  }
  return regions;
}

void read_origins(ObjectReader& reader, const Catalog& catalog, PriceOrigins origins,
                  PriceRules& rules) {
  Texts providers = known_providers(catalog);
  if (origins == PriceOrigins::kTrusted) {
    for (const char* key : {"providers", "exclude_providers"}) {
      for (std::string& name : texts_or_none(reader, key)) providers.push_back(std::move(name));
    }
  }
  rules.providers = read_known(reader, "providers", providers, "provider");
  rules.exclude_providers = read_known(reader, "exclude_providers", providers, "provider");
  for (const std::string& one : rules.exclude_providers) {
    if (std::find(rules.providers.begin(), rules.providers.end(), one) == rules.providers.end()) {
      continue;
    }
    reader.fault("exclude_providers", in_quotes(one) + " also stands in providers");
  }
  rules.regions = origins == PriceOrigins::kTrusted ? texts_or_none(reader, "regions")
                                                    : read_regions(reader, catalog);
  rules.jurisdictions = read_known(reader, "jurisdictions", known_jurisdictions(), "jurisdiction");
  rules.locations = read_known(reader, "locations", known_jurisdictions(), "jurisdiction");
  rules.tenancies = read_known(reader, "tenancies", known_tenancies(), "tenancy");
}

void read_interruption(ObjectReader reader, PriceRules& rules) {
  rules.spot_interruption_share = reader.number("share", {0, 10});
  rules.spot_interruption_basis = read_basis(reader);
  rules.spot_interruption_source = read_source(reader);
  reader.done();
}

}  // namespace

void read_spec_prices(ObjectReader reader, const Catalog& catalog, PriceOrigins origins,
                      SheetSpec& spec) {
  spec.price_offers = reader.texts("offers");
  const Texts known{"list", "community", "marketplace"};
  for (const std::string& offer : spec.price_offers) {
    if (std::find(known.begin(), known.end(), offer) == known.end()) {
      reader.fault("offers", "expected list, community or marketplace, got " + in_quotes(offer) +
                                 did_you_mean(offer, known));
    }
  }
  spec.price_max_age_days = reader.integer("max_age_days", kDays);
  spec.reserved_max_age_days = reader.integer("reserved_max_age_days", kDays);
  PriceRules& rules = spec.price_rules;
  rules.block_max_age_days = reader.optional_integer("block_max_age_days", kDays);
  rules.warn_age_days = reader.optional_integer("warn_age_days", kDays);
  read_origins(reader, catalog, origins, rules);
  if (auto interruption = reader.optional_object("spot_interruption")) {
    read_interruption(std::move(*interruption), rules);
  }
  reader.done();
}

}  // namespace sizesheet
