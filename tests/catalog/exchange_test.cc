// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "catalog/prices/price.h"
#include "catalog/sample_catalog.h"

namespace sizesheet {
namespace {

/// The sample catalog with a row asked in euros on 2026-10-10, and a table of rates.
Documents with_euros() {
  Documents documents = sample_documents();
  Json& row = documents["prices/cloud.json"]["rows"][0];
  row.erase("usd_per_instance_hour");
  row["currency"] = "EUR";
  row["per_instance_hour"] = 28.5;
  documents["exchange.json"] = parse_json(R"({"max_age_days": 31, "rates": [
    {"currency": "EUR", "usd_per_unit": 1.1, "date": "2026-09-01", "source": "a bank"},
    {"currency": "EUR", "usd_per_unit": 1.084217, "date": "2026-10-09", "source": "a bank"},
    {"currency": "EUR", "usd_per_unit": 1.2, "date": "2026-10-11", "source": "a bank"},
    {"currency": "GBP", "usd_per_unit": 1.3, "date": "2026-10-11", "source": "a bank"}]})",
                                          "sample");
  return documents;
}

Texts euro_faults(const std::string& path, const std::string& pointer, const Json& value) {
  return faults_after(path, pointer, value, with_euros());
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

TEST(Exchange, ARowWithoutADatedRateIsRefusedByName) {
  const std::string cloud = "prices/cloud.json";
  EXPECT_EQ(faults_in(with_euros()), Texts{});
  EXPECT_EQ(euro_faults(cloud, "/rows/0/currency", "EURO"),
            Texts{"prices/cloud.json:/rows/0/currency: expected USD or a currency with a rate in "
                  "exchange.json, got \"EURO\" (did you mean \"EUR\"?)"});
  EXPECT_EQ(euro_faults(cloud, "/rows/0/as_of", "2026-08-01"),
            Texts{"prices/cloud.json:/rows/0/currency: expected a rate of exchange dated at most "
                  "31 days before 2026-08-01 in exchange.json for \"EUR\", got later ones only"});
  EXPECT_EQ(euro_faults(cloud, "/rows/0/as_of", "2026-12-01"),
            Texts{"prices/cloud.json:/rows/0/currency: expected a rate of exchange dated at most "
                  "31 days before 2026-12-01 in exchange.json for \"EUR\", the newest is of "
                  "2026-10-11"});
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
  EXPECT_EQ(euro_faults("prices/cloud.json", "/rows/0/per_instance_hour", 0),
            Texts{"prices/cloud.json:/rows/0/per_instance_hour: expected a price above 0, got 0"});
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

TEST(Exchange, FaultsOfTheTable) {
  const std::string table = "exchange.json";
  EXPECT_EQ(euro_faults(table, "/rates/0/currency", "USD"),
            Texts{"exchange.json:/rates/0/currency: expected three capital letters (ISO 4217) "
                  "other than USD, got \"USD\""});
  EXPECT_EQ(euro_faults(table, "/rates/0/usd_per_unit", 0),
            Texts{"exchange.json:/rates/0/usd_per_unit: expected a rate above 0, got 0"});
  EXPECT_EQ(euro_faults(table, "/rates/0/date", "2026-09"),
            Texts{"exchange.json:/rates/0/date: expected a day YYYY-MM-DD, got \"2026-09\""});
  EXPECT_EQ(euro_faults(table, "/rates/2/date", "2026-09-01"),
            Texts{"exchange.json:/rates/2/date: expected one rate of EUR a day, got 2026-09-01 "
                  "again"});
}

}  // namespace
}  // namespace sizesheet
