// SPDX-License-Identifier: Apache-2.0
#include "cli/area_names.h"

#include "catalog/prices/price.h"
#include "cli/word_table.h"
#include "cost/offer_filter.h"
#include "sheet/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// The places of kJurisdictions, between commas.
constexpr WordPair kAreas[] = {
    {"eu", "eu"},         {"europe", "eu,uk,ch"}, {"emea", "eu,uk,ch"}, {"us", "us"},
    {"usa", "us"},        {"america", "us"},      {"uk", "uk"},         {"britain", "uk"},
    {"england", "uk"},    {"switzerland", "ch"},  {"canada", "ca"},     {"brazil", "br"},
    {"australia", "au"},  {"japan", "jp"},        {"india", "in"},      {"singapore", "sg"},
    {"asia", "in,jp,sg"}, {"apac", "au,in,jp,sg"}};

}  // namespace

std::vector<std::string> places_of_area(std::string_view area) {
  const std::string_view places = meant_in(kAreas, small_letters(area));
  return places.empty() ? std::vector<std::string>() : split(std::string(places), ',');
}

bool says_area(const std::string& word) { return word != "us" && !places_of_area(word).empty(); }

bool is_in_region(const Price& price, const std::string& region) {
  const std::vector<std::string> places = places_of_area(region);
  return places.empty() ? region_matches(price.region, region) : contains(places, price.location);
}

void put_region(const std::string& region, PriceRules& rules) {
  if (region.empty()) return;
  const std::vector<std::string> places = places_of_area(region);
  if (places.empty()) {
    rules.regions = {region};
  } else {
    rules.locations = places;
  }
}

}  // namespace sizesheet
