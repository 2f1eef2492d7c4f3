// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "catalog/prices/price.h"
#include "catalog/sample_catalog.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

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
