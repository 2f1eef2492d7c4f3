// SPDX-License-Identifier: Apache-2.0
#include "catalog/prices/provider.h"

#include <algorithm>

#include "catalog/loader.h"
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

namespace {

std::string lower(std::string text) {
  for (char& letter : text) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return text;
}

AcceleratorSign read_sign(ObjectReader& reader, const std::vector<std::string>& gpus) {
  AcceleratorSign sign;
  sign.provider = reader.text_or("provider", "");
  sign.text = reader.text_or("text", "");
  sign.gpu = read_id(reader, "gpu");
  check_reference(reader, "gpu", "GPU", gpus);
  if (sign.provider.empty() == sign.text.empty()) {
    reader.fault("", "expected either a provider or a text");
  }
  if (sign.text != lower(sign.text)) {
    reader.fault("text", "expected lower case, got " + shown(sign.text));
  }
  reader.done();
  return sign;
}

AcceleratorName read_name(ObjectReader& reader, const std::vector<std::string>& gpus) {
  AcceleratorName name;
  name.name = read_filled_text(reader, "name");
  name.gpu = read_id(reader, "gpu");
  check_reference(reader, "gpu", "GPU", gpus);
  name.unclear = read_note(reader, "unclear");
  if (reader.has("when")) {
    for (ObjectReader& sign : read_rows(reader, "when")) {
      name.signs.push_back(read_sign(sign, gpus));
    }
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
  const auto found = std::find_if(accelerators.begin(), accelerators.end(),
                                  [&](const AcceleratorName& each) { return each.name == name; });
  return found == accelerators.end() ? nullptr : &*found;
}

std::vector<std::string> AcceleratorNames::known() const {
  std::vector<std::string> names = not_in_catalog;
  for (const AcceleratorName& each : accelerators) names.push_back(each.name);
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
  std::vector<ObjectReader> rows = read_rows(reader, "accelerators");
  check_unique(rows, "name", "a name");
  for (ObjectReader& row : rows) names.accelerators.push_back(read_name(row, gpus));
  names.not_in_catalog = reader.texts("not_in_catalog");
  names.priced_without_gpus = reader.texts("priced_without_gpus");
  for (const std::string& name : names.not_in_catalog) {
    if (names.find(name) == nullptr) continue;
    reader.fault("not_in_catalog", "expected names without a GPU, got " + shown(name));
  }
  reader.done();
  return names;
}

}  // namespace sizesheet
