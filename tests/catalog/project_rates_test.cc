// SPDX-License-Identifier: Apache-2.0
// Rates of projects and of interruptions on spot: what the file says, faults in it, whose rate an
// offer has, and the catalog's own.
#include "catalog/prices/project_rates.h"

#include <gtest/gtest.h>

#include "catalog/catalog.h"
#include "catalog/prices/price.h"
#include "catalog/prices/provider.h"
#include "catalog/sample_catalog.h"
#include "support/json.h"
#include "support/project_catalog.h"
#include "support/text.h"

namespace sizesheet {
namespace {

Json estimate_of(double low, double typical, double high) {
  return {{"low", low},       {"typical", typical},   {"high", high}, {"basis", "assumption"},
          {"source", "none"}, {"date", "2026-11-28"}, {"note", ""}};
}

Json project_file() {
  return {{"rates",
           {{{"id", "forward-share"},
             {"title", "A token that is read"},
             {"unit", "share"},
             {"value", estimate_of(0.25, 0.3, 0.5)}}}},
          {"spot_interruptions",
           {{{"id", "large"},
             {"title", "Large clouds"},
             {"offers", {"list"}},
             {"sellers", "hyperscaler"},
             {"value", estimate_of(0.1, 0.2, 0.3)}},
            {{"id", "other"},
             {"title", "Others"},
             {"offers", {"list", "community"}},
             {"value", estimate_of(1, 2, 3)}}}}};
}

Documents with_project(const Json& file) {
  Documents documents = sample_documents();
  documents["project.json"] = file;
  return documents;
}

TEST(ProjectRates, KeepWhatTheFileSays) {
  const ProjectRates rates = loaded(with_project(project_file())).project;
  ASSERT_NE(rates.find(kForwardShare), nullptr);
  EXPECT_EQ(rates.find(kForwardShare)->value.typical, 0.3);
  EXPECT_EQ(rates.find(kStorageRate), nullptr);
  ASSERT_EQ(rates.spot_interruptions.size(), 2U);
  EXPECT_EQ(rates.spot_interruptions[0].sellers, "hyperscaler");
  EXPECT_FALSE(rates.spot_interruptions[1].sellers);
}

TEST(ProjectRates, AnOfferHasTheRateOfTheFirstClassThatFits) {
  const ProjectRates rates = loaded(with_project(project_file())).project;
  Provider large;
  large.id = "aws";
  large.kind = "hyperscaler";
  Price price;
  price.offer = "list";
  price.provider = "aws";
  EXPECT_EQ(rates.spot_of(price, {large})->id, "large");
  EXPECT_EQ(rates.spot_of(price, {})->id, "other") << "a seller without a kind is specialised";
  price.offer = "community";
  EXPECT_EQ(rates.spot_of(price, {large})->id, "other");
  price.offer = "marketplace";
  EXPECT_EQ(rates.spot_of(price, {large}), nullptr);
}

TEST(ProjectRates, ArePartOfTheHashAndMayLack) {
  const Catalog without = loaded();
  const Catalog with = loaded(with_project(project_file()));
  EXPECT_TRUE(without.project.rates.empty());
  EXPECT_TRUE(without.project.raw.is_null());
  EXPECT_NE(without.hash, with.hash);
}

TEST(ProjectRates, FaultsNamePlaceValueAndNearMiss) {
  const auto fault = [](const std::string& pointer, const Json& value) {
    Json file = project_file();
    file[Json::json_pointer(pointer)] = value;
    return faults_in(with_project(file));
  };
  EXPECT_EQ(fault("/rates/0/id", "forward-shre"),
            Texts{"project.json:/rates/0/id: no rate of a project \"forward-shre\" in the catalog "
                  "(did you mean \"forward-share\"?)"});
  EXPECT_EQ(fault("/rates/0/unit", "ratio"),
            Texts{"project.json:/rates/0/unit: expected \"share\", the unit of forward-share, got "
                  "\"ratio\""});
  EXPECT_EQ(fault("/rates/0/value/high", 2),
            Texts{"project.json:/rates/0/value/high: expected a number from 0.01 to 1, got 2"});
  EXPECT_EQ(fault("/spot_interruptions/0/offers", Json::array()),
            Texts{"project.json:/spot_interruptions/0/offers: expected at least one of list, "
                  "community, marketplace, got []"});
  EXPECT_EQ(fault("/spot_interruptions/0/offers", {"lists"}),
            Texts{"project.json:/spot_interruptions/0/offers: expected some of list, community, "
                  "marketplace, got \"lists\" (did you mean \"list\"?)"});
  EXPECT_EQ(fault("/spot_interruptions/0/sellers", "hyperscalers"),
            Texts{"project.json:/spot_interruptions/0/sellers: expected one of hyperscaler, "
                  "specialised; got \"hyperscalers\" (did you mean \"hyperscaler\"?)"});
  EXPECT_EQ(fault("/spot_interruptions/1/id", "large"),
            Texts{"project.json:/spot_interruptions/1/id: expected an id that is used once, got "
                  "\"large\" again"});
}

TEST(ProjectRates, TheCatalogHasOneOfEachKindWithSourceAndDay) {
  const ProjectRates& rates = project_catalog().project;
  EXPECT_EQ(rates.rates.size(), std::size(kProjectRateKinds));
  for (const ProjectRateKind& kind : kProjectRateKinds) {
    ASSERT_NE(rates.find(kind), nullptr) << kind.id;
    EXPECT_FALSE(rates.find(kind)->value.source.empty());
    EXPECT_FALSE(rates.find(kind)->value.date.empty());
  }
  std::size_t priced = 0;
  for (const Price& price : project_catalog().prices) {
    if (price.tier != "spot") continue;
    EXPECT_NE(rates.spot_of(price, project_catalog().providers), nullptr) << price.key();
    ++priced;
  }
  EXPECT_GT(priced, 10U);
}

}  // namespace
}  // namespace sizesheet
