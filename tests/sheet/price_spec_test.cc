// SPDX-License-Identifier: Apache-2.0
// The "prices" of a sheet spec: what is read, what is refused, and what it does to a sheet.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "catalog/catalog.h"
#include "catalog/prices/price.h"
#include "catalog/prices/purchase.h"
#include "cost/rent.h"
#include "sheet/assemble/build_sheet.h"
#include "sheet/assemble/facts.h"
#include "sheet/money.h"
#include "sheet/quarterly.h"
#include "sheet/rows/price_row.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sizing/time/throughput.h"
#include "support/error.h"
#include "support/json.h"
#include "support/project_catalog.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

/// The quarterly spec with other "prices" keys laid over its own.
SheetSpec spec_with(const Json& prices) {
  Json json = quarterly_json();
  json["prices"].update(prices);
  return spec_of(json);
}

TEST(PriceSpec, ReadsEveryRule) {
  const SheetSpec spec = spec_with(
      {{"jurisdictions", {"eu", "uk"}},
       {"locations", {"eu"}},
       {"tenancies", {"bare-metal"}},
       {"providers", {"aws", "verda (datacrunch)"}},
       {"exclude_providers", {"vast.ai"}},
       {"regions", {"eu-*", "us-east-1"}},
       {"block_max_age_days", 300},
       {"warn_age_days", 10},
       {"spot_interruption", {{"share", 0.25}, {"basis", "source"}, {"source", "a study"}}}});
  const PricePolicy policy = policy_of(spec, "capacity_block");
  EXPECT_EQ(policy.tier, "capacity_block");
  EXPECT_EQ(policy.max_age_days, 300);
  EXPECT_EQ(policy.jurisdictions, (Texts{"eu", "uk"}));
  EXPECT_EQ(policy.locations, Texts{"eu"});
  EXPECT_EQ(policy.tenancies, Texts{"bare-metal"});
  EXPECT_EQ(policy.providers, (Texts{"aws", "verda (datacrunch)"}));
  EXPECT_EQ(policy.exclude_providers, Texts{"vast.ai"});
  EXPECT_EQ(policy.regions, (Texts{"eu-*", "us-east-1"}));
  EXPECT_EQ(policy.as_of, "2026-11-20");
  EXPECT_EQ(spec.price_rules.warn_age_days, 10);
  EXPECT_EQ(spec.price_rules.spot_interruption_share, 0.25);
  EXPECT_EQ(spec.price_rules.spot_interruption_basis, "source");
  EXPECT_EQ(spec.price_rules.spot_interruption_source, "a study");
}

TEST(PriceSpec, EveryTierHasItsOwnAgeLimit) {
  SheetSpec spec = spec_with({{"max_age_days", 50}, {"reserved_max_age_days", 60}});
  spec.price_rules.block_max_age_days.reset();
  EXPECT_EQ(policy_of(spec, "on_demand").max_age_days, 50);
  EXPECT_EQ(policy_of(spec, "spot").max_age_days, 50);
  EXPECT_EQ(policy_of(spec, "capacity_block").max_age_days, 50);
  EXPECT_EQ(policy_of(spec, "reserved_1y").max_age_days, 60);
  EXPECT_EQ(policy_of(spec, "reserved_3y").max_age_days, 60);
}

TEST(PriceSpec, AKindOfPriceMayCountForFewerDays) {
  const SheetSpec spec = spec_with({{"max_age_days", 400}});
  EXPECT_EQ(policy_of(spec, "on_demand").max_age_days, 400);
  EXPECT_EQ(policy_of(spec, "on_demand").max_age_days_of,
            (std::map<std::string, std::int64_t>{{"list-specialised", 180}}));
  EXPECT_EQ(spec.age_limit_days("on_demand", "list", "list-specialised"), 180);
  EXPECT_EQ(spec.age_limit_days("on_demand", "list", "list-hyperscaler"), 400);
  EXPECT_EQ(spec.age_limit_days("on_demand", "list"), 400);
}

TEST(PriceSpec, AnOlderListPriceMayStandInOnDemandOnly) {
  const SheetSpec spec =
      spec_with({{"max_age_days", 45}, {"fallback_age_days", 120}, {"several_nodes", "connected"}});
  EXPECT_EQ(policy_of(spec, "on_demand").fallback_age_days, 120);
  EXPECT_FALSE(policy_of(spec, "spot").fallback_age_days);
  EXPECT_TRUE(policy_of(spec, "spot").connected);
  EXPECT_FALSE(policy_of(spec_with({{"several_nodes", "any"}}), "on_demand").connected);
}

/// The quarterly sheet under other price rules, of two models only.
Sheet sheet_with(const Json& prices) {
  SheetSpec spec = spec_with(prices);
  spec.models.resize(2);
  spec.highlight_model = spec.models.front().id;
  return built(spec);
}

TEST(PriceRules, OnlyAdmittedSeatsPriceASheet) {
  const Sheet sheet = sheet_with({{"jurisdictions", {"eu"}}});
  EXPECT_EQ(sheet.options.price_rules.jurisdictions, Texts{"eu"});
  std::int64_t used = 0;
  std::int64_t refused = 0;
  std::map<std::string, std::string> jurisdiction_of;  // a provider's
  for (const SheetPrice& price : sheet.prices) {
    jurisdiction_of[price.provider] = price.jurisdiction;
    if (price.used) {
      ++used;
      EXPECT_EQ(price.jurisdiction, "eu") << price.key;
    }
    if (price.excluded == "provider's seat is us, not eu") ++refused;
  }
  EXPECT_GT(used, 0);
  EXPECT_GT(refused, 100);
  for (const RowOffers& row : sheet.offers) {
    for (const RentOffer& offer : row.offers) {
      EXPECT_EQ(jurisdiction_of.at(offer.provider), "eu") << offer.price_key;
    }
  }
}

TEST(PriceRules, NoAllowanceNoInterruptedRun) {
  Json json = quarterly_json();
  json["prices"].erase("spot_interruption");
  SheetSpec spec = spec_of(json);
  spec.models.resize(1);
  std::int64_t spots = 0;
  sweep(
      project_catalog(), spec, 1,
      [&](Row&& row) {
        if (!row.rents[kSpot]) return;
        ++spots;
        EXPECT_FALSE(row.rents[kSpot]->usd_per_run_interrupted) << row.key();
      },
      [](std::size_t, std::size_t) {});
  EXPECT_GT(spots, 0);
}

TEST(PriceRules, AConvertedPriceSaysWhatWasAsked) {
  Catalog catalog = project_catalog();
  const SheetSpec& spec = quarterly_spec();
  Price& price = catalog.prices.front();
  price.gpu = spec.gpus.front();
  price.note = "a note";
  price.asked = AskedPrice{
      "EUR", {28'500'000}, {"EUR", {1'084'217}, "2026-10-09", "a bank", {{"currency", "EUR"}}}};
  Sheet sheet;
  sheet.inputs = Json::object();
  copy_facts(catalog, spec, sheet);
  EXPECT_EQ(sheet.prices.front().note,
            "a note; asked as 28.5 EUR; 1 EUR = $1.084217 on 2026-10-09 (a bank)");
  EXPECT_EQ(sheet.inputs.at("exchange"), Json::array({{{"currency", "EUR"}}}));
}

TEST(PriceRules, AConvertedRateOfOwningStandsInTheSheetWithItsExchange) {
  Catalog catalog = project_catalog();
  const Json raw = {{"currency", "EUR"}, {"usd_per_unit", 1.16}};
  catalog.exchange = {31, {{"EUR", {1'160'000}, "2025-10-28", "a bank", raw}}};
  convert_rates(catalog.exchange, catalog.purchase.rates);
  Json json = quarterly_json();
  json["ownership"]["electricity"] = "eur-per-kwh";
  Faults faults;
  const SheetSpec spec = read_sheet_spec(ObjectReader(json, "q.json", "", faults), catalog);
  EXPECT_EQ(texts_of(faults), Texts{});
  Sheet sheet;
  sheet.inputs = Json::object();
  copy_facts(catalog, spec, sheet);
  const auto power = std::find_if(sheet.rates.begin(), sheet.rates.end(),
                                  [](const SheetEstimate& r) { return r.role == "usd_per_kwh"; });
  ASSERT_NE(power, sheet.rates.end());
  EXPECT_EQ(power->unit, "USD per kWh");
  EXPECT_EQ(power->typical, 0.2204);
  EXPECT_EQ(power->source,
            project_catalog().purchase.rate("eur-per-kwh").value.source +
                "; stated as 0.09, 0.19, 0.28 EUR per kWh; 1 EUR = $1.16 on 2025-10-28 (a bank)");
  EXPECT_EQ(sheet.inputs.at("exchange"), Json::array({raw}));
  EXPECT_EQ(sheet.inputs.at("exchange_max_age_days"), 31);
}

TEST(PriceRules, EveryOldRowInUseIsNamedWithItsAge) {
  const Sheet& sheet = quarterly_sheet();
  const std::vector<std::string>& stale = sheet.options.price_rules.stale;
  const auto named = [&](const SheetPrice& price) {
    return std::any_of(stale.begin(), stale.end(), [&](const std::string& sentence) {
      return sentence.starts_with("price " + price.key + " is ");
    });
  };
  for (const SheetPrice& price : sheet.prices) {
    EXPECT_EQ(named(price), price.used && (price.old || price.as_of < "2026-08-22")) << price.key;
  }
  EXPECT_NE(std::find(stale.begin(), stale.end(),
                      "price aws/us-east-1/p5e.48xlarge capacity block/h200-sxm/capacity_block/8/"
                      "2026-03 is 264 days old on 2026-11-20; after 400 days it is not used"),
            stale.end());
}

}  // namespace
}  // namespace sizesheet
