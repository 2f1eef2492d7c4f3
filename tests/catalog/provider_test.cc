// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "catalog/prices/price.h"
#include "catalog/sample_catalog.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

TEST(Providers, ARegionIsWhereItsLongestBeginningSays) {
  Provider provider;
  provider.locations = {{"eu-", "eu"}, {"eu-west-2", "uk"}};
  EXPECT_EQ(provider.location_of("eu-west-1"), "eu");
  EXPECT_EQ(provider.location_of("eu-west-2"), "uk");
  EXPECT_EQ(provider.location_of("us-east-1"), "unstated");
  EXPECT_EQ(provider.location_of("any"), "unstated");
}

TEST(Providers, PlaceTheRowsOfTheirs) {
  Documents documents = sample_documents();
  const Json worlds = oracle("catalog_faults.json").at("worlds");
  documents["providers.json"] = worlds.at("provider").at("providers.json");
  Json& rows = documents["prices/cloud.json"]["rows"];
  rows.push_back(rows[0]);
  rows[1]["region"] = "eu-west-2";
  rows[1]["tenancy"] = "bare-metal";
  documents["prices/other.json"] = {{"provider", "other"}, {"rows", {rows[0]}}};
  const std::vector<Price> prices = loaded(documents).prices;
  ASSERT_EQ(prices.size(), 3U);
  const auto origin = [](const Price& price) {
    return price.jurisdiction + " " + price.location + " " + price.tenancy;
  };
  EXPECT_EQ(origin(prices[0]), "us unstated virtual-machine");
  EXPECT_EQ(origin(prices[1]), "us uk bare-metal");
  EXPECT_EQ(origin(prices[2]), "unstated unstated unstated");
}

TEST(PriceHistory, KeepsWhatTheFileSays) {
  Documents documents = sample_documents();
  const Json worlds = oracle("catalog_faults.json").at("worlds");
  documents["price_history.json"] = worlds.at("history").at("price_history.json");
  const std::vector<PriceHistory> histories = loaded(documents).price_histories;
  ASSERT_EQ(histories.size(), 1U);
  EXPECT_EQ(histories[0].points[1].usd_per_gpu_hour, MicroUsd{2'890'000});
}

TEST(Providers, EveryProviderOfTheCatalogIsKnown) {
  std::set<std::string> known;
  for (const Provider& provider : project_catalog().providers) known.insert(provider.id);
  for (const Price& price : project_catalog().prices) {
    EXPECT_TRUE(known.contains(price.provider)) << price.key();
  }
}

TEST(Providers, EveryNamedRegionOfTheCatalogHasAPlace) {
  for (const Price& price : project_catalog().prices) {
    const bool named = price.region != "any" && price.region != "unstated";
    EXPECT_EQ(price.location != kUnstated, named) << price.key();
  }
}

TEST(AcceleratorNames, FaultsNameTheirPlace) {
  const Json names =
      Json::parse(R"({"source": "s", "date": "2026-11", "providers": {}, "offers": {},
    "accelerators": [
      {"name": "H100", "gpu": "h100-sxmm"},
      {"name": "H100", "gpu": "h100-sxm", "unclear": "u", "when": [
        {"gpu": "h100-sxm"}, {"text": "PCIe", "gpu": "h100-sxm"}]}],
    "not_in_catalog": ["H100"], "priced_without_gpus": []})");
  Faults faults;
  read_accelerator_names(ObjectReader(names, "skypilot.json", "", faults), {"h100-sxm"});
  Texts texts;
  for (const Fault& fault : faults.all()) texts.push_back(to_text(fault));
  EXPECT_EQ(
      texts,
      (Texts{"skypilot.json:/accelerators/1/name: expected a name that stands once, got "
             "\"H100\" again",
             "skypilot.json:/accelerators/0/gpu: no GPU \"h100-sxmm\" in the catalog (did you "
             "mean \"h100-sxm\"?)",
             "skypilot.json:/accelerators/1/when/0: expected either a provider or a text",
             "skypilot.json:/accelerators/1/when/1/text: expected lower case, got \"PCIe\"",
             "skypilot.json:/not_in_catalog: expected names without a GPU, got \"H100\""}));
}

}  // namespace
}  // namespace sizesheet
