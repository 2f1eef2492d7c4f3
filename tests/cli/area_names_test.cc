// SPDX-License-Identifier: Apache-2.0
// Parts of the world in the place of a seller's name of a region.
#include "cli/area_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/prices/price.h"
#include "cli/program.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/project_catalog.h"
#include "support/text.h"

namespace sizesheet {
namespace {

using Places = std::vector<std::string>;

TEST(AreaNames, are_places_of_the_catalog) {
  EXPECT_EQ(places_of_area("Europe"), (Places{"eu", "uk", "ch"}));
  EXPECT_EQ(places_of_area("eu"), (Places{"eu"}));
  EXPECT_EQ(places_of_area("us-east-1"), Places());
  for (const char* area : {"emea", "usa", "britain", "canada", "brazil", "apac", "asia", "japan",
                           "india", "singapore", "australia", "switzerland"}) {
    EXPECT_FALSE(places_of_area(area).empty()) << area;
    for (const std::string& place : places_of_area(area)) {
      EXPECT_TRUE(contains(kJurisdictions, place)) << area << ": " << place;
    }
  }
  EXPECT_TRUE(says_area("US"));
  EXPECT_FALSE(says_area("us")) << "\"tell us\" names no place";
}

/// The regions of the prices that a list has.
std::set<std::string> regions_listed(const std::string& region) {
  std::set<std::string> regions;
  const Outcome listed = program(
      {"prices", "--catalog", kCatalog, "--as-of", "2026-11-20", "--region", region, "--json"});
  EXPECT_EQ(listed.code, 0) << listed.err;
  for (const Json& row : parse_json(listed.out, "prices")) {
    if (row.at("region").is_string()) regions.insert(row.at("region").get<std::string>());
  }
  return regions;
}

TEST(AreaNames, have_all_regions_there_and_no_other) {
  const std::set<std::string> eu = regions_listed("eu");
  for (const char* there : {"eu", "eu-central-1", "westeurope", "francecentral"}) {
    EXPECT_TRUE(eu.contains(there)) << there;
  }
  for (const char* elsewhere : {"eu-west-2", "uksouth", "us-east-1", "any", "unstated"}) {
    EXPECT_FALSE(eu.contains(elsewhere)) << elsewhere;
  }
  const std::set<std::string> europe = regions_listed("europe");
  EXPECT_TRUE(europe.contains("eu-west-2"));
  EXPECT_TRUE(europe.contains("uksouth"));
  EXPECT_EQ(regions_listed("us-east").size(), 3U) << "still a beginning of names";
}

TEST(AreaNames, choose_the_price_of_an_answer) {
  const Outcome asked = program({"ask", "llama-3.1-8b", "lora", "h100", "--region", "uk",
                                 "--catalog", kCatalog, "--as-of", "2026-11-20", "--json"});
  EXPECT_EQ(asked.err.find("region \"uk\""), std::string::npos) << asked.err;
  const Json rent = parse_json(asked.out, "answer").at("answers").at(0).at("rent");
  ASSERT_FALSE(rent.is_null());
  const std::vector<Price>& prices = project_catalog().prices;
  const auto used = std::ranges::find(prices, rent.at("price_key").get<std::string>(), &Price::key);
  ASSERT_NE(used, prices.end()) << rent;
  EXPECT_EQ(used->location, "uk");
}

}  // namespace
}  // namespace sizesheet
