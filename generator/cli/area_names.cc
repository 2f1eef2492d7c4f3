// SPDX-License-Identifier: Apache-2.0
#include "cli/area_names.h"

#include <algorithm>
#include <functional>
#include <iterator>

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

/// Where sellers have what people call by a country, a state or a town.
constexpr WordPair kPlaces[] = {{"germany", "eu-central-1,germanywestcentral,europe-west3"},
                                {"frankfurt", "eu-central-1,germanywestcentral,europe-west3"},
                                {"london", "eu-west-2,uksouth,europe-west2"},
                                {"ireland", "eu-west-1,northeurope"},
                                {"dublin", "eu-west-1,northeurope"},
                                {"france", "francecentral,eu-west-3,europe-west9"},
                                {"paris", "francecentral,eu-west-3,europe-west9"},
                                {"sweden", "eu-north-1,swedencentral"},
                                {"stockholm", "eu-north-1"},
                                {"netherlands", "westeurope,europe-west4"},
                                {"amsterdam", "westeurope"},
                                {"belgium", "europe-west1"},
                                {"finland", "europe-north1"},
                                {"virginia", "us-east-1,eastus*,us-east4"},
                                {"ohio", "us-east-2,us-east5"},
                                {"oregon", "us-west-2,us-west1"},
                                {"iowa", "us-central1,centralus"},
                                {"texas", "southcentralus,us-south1"},
                                {"tokyo", "ap-northeast-1,japaneast,asia-northeast1"},
                                {"mumbai", "ap-south-1,asia-south1"},
                                {"sydney", "ap-southeast-2,australiaeast"},
                                {"toronto", "canadacentral,northamerica-northeast2"}};

/// The parts of the world by how names of regions begin.
constexpr WordPair kAreaBeginnings[] = {{"eu-west-2", "uk"},
                                        {"europe-west2", "uk"},
                                        {"uksouth", "uk"},
                                        {"ukwest", "uk"},
                                        {"eu-", "eu"},
                                        {"europe-", "eu"},
                                        {"germany", "eu"},
                                        {"france", "eu"},
                                        {"sweden", "eu"},
                                        {"northeurope", "eu"},
                                        {"westeurope", "eu"},
                                        {"us-", "us"},
                                        {"eastus", "us"},
                                        {"westus", "us"},
                                        {"centralus", "us"},
                                        {"southcentralus", "us"},
                                        {"northcentralus", "us"},
                                        {"ca-", "ca"},
                                        {"canada", "ca"},
                                        {"northamerica", "ca"},
                                        {"ap-northeast", "jp"},
                                        {"asia-northeast", "jp"},
                                        {"japan", "jp"},
                                        {"ap-southeast-2", "au"},
                                        {"australia", "au"},
                                        {"ap-southeast", "sg"},
                                        {"asia-southeast", "sg"},
                                        {"ap-south", "in"},
                                        {"asia-south", "in"},
                                        {"sa-", "br"},
                                        {"southamerica", "br"},
                                        {"brazil", "br"}};

std::size_t common_beginning(std::string_view one, std::string_view other) {
  const auto [first, second] = std::ranges::mismatch(one, other);
  return static_cast<std::size_t>(first - one.begin());
}

}  // namespace

std::vector<std::string> regions_of_place(std::string_view place) {
  const std::string_view regions = meant_in(kPlaces, small_letters(place));
  return regions.empty() ? std::vector<std::string>() : split(std::string(regions), ',');
}

std::string area_of_region(std::string_view region) {
  const std::vector<std::string> places = places_of_area(region);
  if (!places.empty()) return places.size() == 1 ? places.front() : small_letters(region);
  const std::vector<std::string> there = regions_of_place(region);
  const std::string name = there.empty() ? small_letters(region) : there.front();
  const auto* found = std::ranges::find_if(
      kAreaBeginnings, [&](const WordPair& one) { return name.starts_with(one.first); });
  return found == std::end(kAreaBeginnings) ? "" : std::string(found->second);
}

std::vector<std::string> nearest_regions(const std::string& region,
                                         const std::vector<std::string>& others) {
  constexpr std::size_t kMostNamed = 3;
  const std::string area = area_of_region(region);
  std::vector<std::string> near;
  for (const std::string& other : others) {
    if (!area.empty() && area_of_region(other) == area) near.push_back(other);
  }
  const bool there = !near.empty();
  if (!there) near = others;
  std::ranges::stable_sort(near, std::ranges::greater(),
                           [&](const std::string& one) { return common_beginning(one, region); });
  if (near.size() > kMostNamed) near.resize(kMostNamed);
  if (there && !contains(near, area)) near.push_back(area);
  return near;
}

std::vector<std::string> places_of_area(std::string_view area) {
  const std::string_view places = meant_in(kAreas, small_letters(area));
  return places.empty() ? std::vector<std::string>() : split(std::string(places), ',');
}

bool says_area(const std::string& word) {
  return word != "us" && (!places_of_area(word).empty() || !regions_of_place(word).empty());
}

bool is_in_region(const Price& price, const std::string& region) {
  const std::vector<std::string> places = places_of_area(region);
  if (!places.empty()) return contains(places, price.location);
  const std::vector<std::string> regions = regions_of_place(region);
  if (regions.empty()) return region_matches(price.region, region);
  return std::ranges::any_of(
      regions, [&](const std::string& one) { return region_matches(price.region, one); });
}

void put_region(const std::string& region, PriceRules& rules) {
  if (region.empty()) return;
  const std::vector<std::string> places = places_of_area(region);
  const std::vector<std::string> regions = regions_of_place(region);
  if (places.empty()) {
    rules.regions = regions.empty() ? std::vector{region} : regions;
  } else {
    rules.locations = places;
  }
}

}  // namespace sizesheet
