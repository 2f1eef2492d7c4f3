// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "catalog/prices/price.h"
#include "catalog/sample_catalog.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

Json sample_provider() {
  return parse_json(R"({"id": "cloud", "title": "Cloud Inc.", "country": "US",
    "jurisdiction": "us", "tenancy": "virtual-machine",
    "locations": {"eu-": "eu", "eu-west-2": "uk"}, "basis": "assumption",
    "source": "generally known", "date": "2026-11"})",
                    "sample");
}

Documents with_provider(const Json& provider) {
  Documents documents = sample_documents();
  documents["providers.json"] = {{"providers", {provider}}};
  return documents;
}

Texts provider_faults(const std::string& key, const Json& value) {
  Json provider = sample_provider();
  provider[key] = value;
  return faults_in(with_provider(provider));
}

TEST(Providers, ARegionIsWhereItsLongestBeginningSays) {
  Provider provider;
  provider.locations = {{"eu-", "eu"}, {"eu-west-2", "uk"}};
  EXPECT_EQ(provider.location_of("eu-west-1"), "eu");
  EXPECT_EQ(provider.location_of("eu-west-2"), "uk");
  EXPECT_EQ(provider.location_of("us-east-1"), "unstated");
  EXPECT_EQ(provider.location_of("any"), "unstated");
}

TEST(Providers, PlaceTheRowsOfTheirs) {
  Documents documents = with_provider(sample_provider());
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

TEST(PriceHistory, FaultsNameThePlace) {
  Documents documents = sample_documents();
  const std::string file = "price_history.json";
  documents[file] = parse_json(R"({"series": [{"gpu": "h100", "basis": "median of list prices",
    "source": "an archive", "points": [{"date": "2025-01", "usd_per_gpu_hour": 2.99, "sellers": 9},
    {"date": "2025-02", "usd_per_gpu_hour": 2.89, "sellers": 8}]}]})",
                               "sample");
  EXPECT_EQ(faults_in(documents), Texts{});
  const std::vector<PriceHistory> histories = loaded(documents).price_histories;
  ASSERT_EQ(histories.size(), 1U);
  EXPECT_EQ(histories[0].points[1].usd_per_gpu_hour, MicroUsd{2'890'000});
  EXPECT_EQ(faults_after(file, "/series/0/points/1/date", "2025-01", documents),
            Texts{"price_history.json:/series/0/points/1/date: expected one after 2025-01, got "
                  "2025-01"});
  EXPECT_EQ(faults_after(file, "/series/0/points/0/usd_per_gpu_hour", 0, documents),
            Texts{"price_history.json:/series/0/points/0/usd_per_gpu_hour: expected a price above "
                  "0, got 0"});
  EXPECT_EQ(faults_after(file, "/series/0/gpu", "b300", documents),
            Texts{"price_history.json:/series/0/gpu: no GPU \"b300\" in the catalog"});
}

TEST(Providers, FaultsNameThePlace) {
  EXPECT_EQ(faults_in(with_provider(sample_provider())), Texts{});
  EXPECT_EQ(provider_faults("country", "usa"),
            Texts{"providers.json:/providers/0/country: expected two capital letters (ISO 3166) or "
                  "\"unstated\", got \"usa\""});
  EXPECT_EQ(provider_faults("jurisdiction", "eus"),
            Texts{"providers.json:/providers/0/jurisdiction: expected one of au, br, ca, ch, eu, "
                  "in, jp, sg, uk, us, unstated; got \"eus\" (did you mean \"eu\" or \"us\"?)"});
  EXPECT_EQ(provider_faults("tenancy", "bare metal"),
            Texts{"providers.json:/providers/0/tenancy: expected one of bare-metal, "
                  "virtual-machine, container, unstated; got \"bare metal\" (did you mean "
                  "\"bare-metal\"?)"});
  EXPECT_EQ(provider_faults("locations", {{"eu-", "europe"}}),
            Texts{"providers.json:/providers/0/locations/eu-: expected one of au, br, ca, ch, eu, "
                  "in, jp, sg, uk, us; got \"europe\""});
  EXPECT_EQ(provider_faults("seat", "US"), Texts{"providers.json:/providers/0/seat: unknown key"});
}

TEST(Providers, OneAnIdOnly) {
  Documents documents = with_provider(sample_provider());
  documents["providers.json"]["providers"].push_back(sample_provider());
  EXPECT_EQ(faults_in(documents), Texts{"providers.json:/providers/1/id: expected an id that "
                                        "stands once, got \"cloud\" again"});
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
