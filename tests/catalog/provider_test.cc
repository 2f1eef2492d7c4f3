// SPDX-License-Identifier: Apache-2.0
// Providers, names of others for GPUs, histories of prices, and amounts in other currencies.
#include "catalog/prices/provider.h"

#include <gtest/gtest.h>

#include <set>

#include "catalog/prices/price.h"
#include "catalog/sample_catalog.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
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
  EXPECT_EQ(
      texts_of(faults),
      (Texts{"skypilot.json:/accelerators/1/name: expected a name that is used once, got "
             "\"H100\" again",
             "skypilot.json:/accelerators/0/gpu: no GPU \"h100-sxmm\" in the catalog (did you "
             "mean \"h100-sxm\"?)",
             "skypilot.json:/accelerators/1/when/0: expected either a provider or a text",
             "skypilot.json:/accelerators/1/when/1/text: expected lower case, got \"PCIe\"",
             "skypilot.json:/not_in_catalog: expected names without a GPU, got \"H100\""}));
}

/// The sample catalog with a row asked in euros on 2026-10-10, and a table of rates.
Documents with_euros() {
  Documents documents = sample_documents();
  const Json world = oracle("catalog_faults.json").at("worlds").at("euros");
  for (const auto& [path, document] : world.items()) documents[path] = document;
  return documents;
}

TEST(Exchange, ConvertsOnceHalfUp) {
  EXPECT_EQ(converted({28'500'000}, {"EUR", {1'084'217}, "", "", {}}), MicroUsd{30'900'185});
  EXPECT_EQ(converted({1}, {"EUR", {500'000}, "", "", {}}), MicroUsd{1});
  EXPECT_EQ(converted({1}, {"EUR", {499'999}, "", "", {}}), MicroUsd{0});
}

TEST(Exchange, TakesTheNewestRateUpToTheDay) {
  const Price price = loaded(with_euros()).prices.at(0);
  EXPECT_EQ(price.usd_per_instance_hour, MicroUsd{30'900'185});  // 28.5 x 1.084217 = 30.9001845
  ASSERT_TRUE(price.asked);
  EXPECT_EQ(price.asked->currency, "EUR");
  EXPECT_EQ(price.asked->per_instance_hour, MicroUsd{28'500'000});
  EXPECT_EQ(price.asked->rate.date, "2026-10-09");
}

TEST(Exchange, ARateServesItsDayAndTheLimitAfter) {
  const Exchange table{31, {{"EUR", {1'100'000}, "2026-09-01", "a bank", {}}}};
  EXPECT_EQ(table.rate_on("EUR", "2026-08-31"), nullptr);
  EXPECT_EQ(table.rate_on("EUR", "2026-09"), &table.rates[0]);
  EXPECT_EQ(table.rate_on("EUR", "2026-10-02"), &table.rates[0]);
  EXPECT_EQ(table.rate_on("EUR", "2026-10-03"), nullptr);
}

TEST(Exchange, ARowWithoutATableIsRefusedByName) {
  Documents without_table = with_euros();
  without_table.erase("exchange.json");
  EXPECT_EQ(faults_in(without_table),
            Texts{"prices/cloud.json:/rows/0/currency: expected USD or a currency with a rate in "
                  "exchange.json, got \"EUR\""});
}

TEST(Exchange, AnAmountStandsUnderTheKeyOfItsCurrency) {
  Documents documents = with_euros();
  Json& row = documents["prices/cloud.json"]["rows"][0];
  row["usd_per_instance_hour"] = 30;
  EXPECT_EQ(faults_in(documents),
            Texts{"prices/cloud.json:/rows/0/usd_per_instance_hour: unknown key (did you mean "
                  "\"per_instance_hour\"?)"});
}

/// The sample's rate of owning, in euros as of a day.
Rate rate_in_euros(const std::string& day, const Documents& documents) {
  Documents changed = documents;
  Json& rate = changed["purchase/rates.json"]["rates"][0];
  rate["unit"] = "EUR per kWh";
  rate["value"].update({{"low", 0.12}, {"typical", 0.19}, {"high", 0.26}, {"date", day}});
  return loaded(changed).purchase.rates.at(0);
}

TEST(Exchange, ARateOfOwningIsConvertedOnItsDay) {
  const Rate rate = rate_in_euros("2026-10-10", with_euros());
  EXPECT_EQ(rate.unit, "USD per kWh");
  EXPECT_EQ(rate.value.low, 0.130106);      // 0.12 x 1.084217 = 0.13010604
  EXPECT_EQ(rate.value.typical, 0.206001);  // 0.19 x 1.084217 = 0.20600123
  EXPECT_EQ(rate.value.high, 0.281896);     // 0.26 x 1.084217 = 0.28189642
  EXPECT_EQ(rate.value.source,
            "quote; stated as 0.12, 0.19, 0.26 EUR per kWh; 1 EUR = $1.084217 on 2026-10-09 (a "
            "bank)");
  ASSERT_TRUE(rate.exchange);
  EXPECT_EQ(rate.exchange->date, "2026-10-09");
  EXPECT_EQ(rate.raw.at("unit"), "EUR per kWh");
}

TEST(Exchange, ARateOfOwningWithoutOneStaysAsItIs) {
  const Rate rate = rate_in_euros("2026-12-01", with_euros());
  EXPECT_EQ(rate.unit, "EUR per kWh");
  EXPECT_EQ(rate.value.typical, 0.19);
  EXPECT_EQ(rate.unconverted,
            "expected a rate of exchange dated at most 31 days before 2026-12-01 in exchange.json "
            "for \"EUR\", the newest is of 2026-10-11");
  EXPECT_FALSE(rate.exchange);
}

}  // namespace
}  // namespace sizesheet
