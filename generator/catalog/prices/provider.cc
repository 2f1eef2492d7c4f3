// SPDX-License-Identifier: Apache-2.0
// Where providers rent GPUs out, and what others call them and their GPUs.
#include <algorithm>

#include "catalog/loader.h"
#include "catalog/prices/price.h"
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

namespace {

std::string lower(std::string text) {
  for (char& letter : text) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return text;
}

AcceleratorName read_name(ObjectReader& reader, const EntryRules& rules) {
  auto name = read_members<AcceleratorName>(reader, rules);
  if (reader.has("when")) {
    name.signs = read_list(reader, "when", [&](ObjectReader& row) {
      auto sign = read_members<AcceleratorSign>(row, rules);
      if (sign.provider.empty() == sign.text.empty()) {
        row.fault("", "expected either a provider or a text");
      }
      if (sign.text != lower(sign.text)) row.mismatch("text", "lower case", sign.text);
      row.done();
      return sign;
    });
  }
  reader.done();
  return name;
}

std::map<std::string, std::string> read_texts(ObjectReader reader) {
  std::map<std::string, std::string> texts;
  for (const std::string& key : reader.keys()) texts[key] = read_filled_text(reader, key);
  reader.done();
  return texts;
}

}  // namespace

const AcceleratorName* AcceleratorNames::find(const std::string& name) const {
  return entry_with(accelerators, &AcceleratorName::name, name);
}

std::vector<std::string> AcceleratorNames::known() const {
  std::vector<std::string> names = each_of(accelerators, &AcceleratorName::name);
  names.insert(names.begin(), not_in_catalog.begin(), not_in_catalog.end());
  return names;
}

ResolvedGpu resolve(const AcceleratorName& name, const std::string& provider,
                    const std::string& described) {
  const std::string text = lower(described);
  for (const AcceleratorSign& sign : name.signs) {
    const bool seen =
        sign.text.empty() ? sign.provider == provider : text.find(sign.text) != std::string::npos;
    if (seen) return {sign.gpu, false};
  }
  return {name.gpu, !name.unclear.empty()};
}

AcceleratorNames read_accelerator_names(ObjectReader reader, const std::vector<std::string>& gpus) {
  AcceleratorNames names;
  read_source(reader);
  read_date(reader, "date");
  names.providers = read_texts(reader.object("providers"));
  names.offers = read_texts(reader.object("offers"));
  const EntryRules rules{.references = {{"gpu", {"GPU", gpus}}},
                         .may_lack = {"provider", "text", "unclear"},
                         .may_be_empty = {"provider", "text"}};
  names.accelerators = read_list(
      reader, "accelerators", [&](ObjectReader& row) { return read_name(row, rules); }, "name",
      "a name");
  names.not_in_catalog = reader.texts("not_in_catalog");
  names.priced_without_gpus = reader.texts("priced_without_gpus");
  for (const std::string& name : names.not_in_catalog) {
    if (names.find(name) == nullptr) continue;
    reader.mismatch("not_in_catalog", "names without a GPU", name);
  }
  reader.done();
  return names;
}

}  // namespace sizesheet
