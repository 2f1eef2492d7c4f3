// SPDX-License-Identifier: Apache-2.0
#include "sheet/spec_ownership.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "catalog/prices/purchase.h"
#include "cost/ownership.h"
#include "sheet/quarterly.h"
#include "sizing/time/throughput.h"
#include "support/error.h"
#include "support/json.h"
#include "support/named.h"
#include "support/project_catalog.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

Json quarterly_ownership() { return quarterly_json().at("ownership"); }

SpecOwnership read_ownership(const Json& json, Texts& faults_found) {
  Faults faults;
  SpecOwnership own = read_spec_ownership(ObjectReader(json, "s.json", "/ownership", faults),
                                          project_catalog().purchase);
  faults_found = texts_of(faults);
  return own;
}

TEST(SpecOwnership, OptionsAreOffUnlessNamed) {
  Texts faults;
  const SpecOwnership own = read_ownership(quarterly_ownership(), faults);
  EXPECT_EQ(faults, Texts{});
  EXPECT_EQ(own.value_decay + own.cabling + own.staff_fte_per_node + own.licence, "");
  Texts ids;
  for (const auto& [role, id] : own.rates()) ids.push_back(id);
  EXPECT_EQ(ids,
            (Texts{"life-years", "residual-share-5y", "cost-of-capital", "idle-power-share", "pue",
                   "usd-per-kwh", "colo-usd-per-kw-month", "ops-share", "network-usd-per-gpu",
                   "fte-usd-per-year", "staff-fte-per-node", "used-life-years",
                   "residual-share-used-3y", "hours-per-month", "utilisation"}));
  EXPECT_EQ(own.staff_fte_per_site, "");
}

/// A catalog of before used machines and least people has no rate for them.
TEST(SpecOwnership, WhatTheCatalogLacksIsLeftOut) {
  Purchase purchase = project_catalog().purchase;
  std::erase_if(purchase.rates, [](const Rate& rate) {
    return rate.id.starts_with("used-") || rate.id == "residual-share-used-3y" ||
           rate.id == "fte-usd-per-year";
  });
  Faults faults;
  const Json json = quarterly_ownership();
  const SpecOwnership own =
      read_spec_ownership(ObjectReader(json, "s.json", "/ownership", faults), purchase);
  EXPECT_EQ(texts_of(faults), Texts{});
  EXPECT_EQ(own.used_life + own.used_residual + own.least_fte_per_node + own.usd_per_fte_year, "");
  Json with_site = json;
  with_site["staff_fte_per_site"] = "staff-fte-per-site";
  read_spec_ownership(ObjectReader(with_site, "s.json", "/ownership", faults), purchase);
  EXPECT_EQ(texts_of(faults),
            (Texts{"s.json:/ownership/staff_fte_per_site: expected staff beside it, since the "
                   "catalog has no rate \"fte-usd-per-year\" of what a person costs"}));
}

TEST(SpecOwnership, RatesOfUsedMachinesAreInUseWhereOneIsSold) {
  Texts faults;
  const SpecOwnership own = read_ownership(quarterly_ownership(), faults);
  const Purchase& purchase = project_catalog().purchase;
  const auto has_used = [&](const std::string& gpu) {
    const auto rates = rates_in_use(purchase, own, {gpu});
    return std::ranges::any_of(rates,
                               [](const auto& rate) { return rate.second == "used-life-years"; });
  };
  EXPECT_TRUE(has_used("h100-sxm"));
  EXPECT_TRUE(has_used("a100-80-sxm"));
  EXPECT_FALSE(has_used("b200"));
}

/// 3 years and a quarter left of a used machine, 5 and a quarter of a new one; a decay goes on.
TEST(SpecOwnership, AUsedMachineHasALifeAndAResidualValueOfItsOwn) {
  Texts faults;
  const Purchase& purchase = project_catalog().purchase;
  PurchaseNode node = purchase.nodes.front();
  const auto terms_of = [&](const Json& json, Condition condition) {
    node.condition = condition;
    const SpecOwnership own = read_ownership(json, faults);
    EXPECT_EQ(faults, Texts{});
    return typical_terms(ownership_inputs(purchase, own, node, false), node, node.gpus);
  };
  Json json = quarterly_ownership();
  EXPECT_EQ(terms_of(json, Condition::kNew).life_years, 5);
  EXPECT_EQ(terms_of(json, Condition::kUsed).life_years, 3);
  json["residual"] = "residual-share-1y";
  EXPECT_EQ(terms_of(json, Condition::kNew).residual_share, 0.65);
  EXPECT_EQ(terms_of(json, Condition::kUsed).residual_share, 0.25);
  json["used_residual"] = "residual-share-2y";
  json["used_life"] = "life-years";
  EXPECT_EQ(terms_of(json, Condition::kUsed).residual_share, 0.45);
  EXPECT_EQ(terms_of(json, Condition::kUsed).life_years, 5);
  json.erase("residual");
  json["value_decay"] = "value-decay-oom-per-year";
  EXPECT_EQ(terms_of(json, Condition::kNew).value_decay_oom_per_year, 0.14);
  EXPECT_EQ(terms_of(json, Condition::kUsed).value_decay_oom_per_year, std::nullopt);
  EXPECT_EQ(terms_of(json, Condition::kUsed).residual_share, 0.45);
  json.erase("used_residual");
  EXPECT_EQ(terms_of(json, Condition::kUsed).value_decay_oom_per_year, 0.14);
}

TEST(SpecOwnership, SupportPaysTheLeastPeopleWhereItsRateCoversStaff) {
  Texts faults;
  const Purchase& purchase = project_catalog().purchase;
  const PurchaseNode& node = purchase.nodes.front();
  const auto terms_of = [&](const Json& json) {
    const SpecOwnership own = read_ownership(json, faults);
    EXPECT_EQ(faults, Texts{});
    return typical_terms(ownership_inputs(purchase, own, node, false), node, node.gpus);
  };
  Json json = quarterly_ownership();
  EXPECT_TRUE(terms_of(json).support_covers_staff);
  EXPECT_EQ(terms_of(json).least_fte_per_node, 0.02);
  EXPECT_EQ(terms_of(json).least_fte_per_site, 0);
  json["staff_fte_per_site"] = "staff-fte-per-site";
  EXPECT_EQ(terms_of(json).least_fte_per_site, 0.25);
  json["support"] = "support-share";
  EXPECT_FALSE(terms_of(json).support_covers_staff);
  EXPECT_EQ(terms_of(json).staff_fte_per_node, 0);
  json["staff"] = {{"fte_per_node", "staff-fte-per-node"},
                   {"usd_per_fte_year", "fte-usd-per-year"}};
  EXPECT_EQ(terms_of(json).least_fte_per_node, 0);  // the same rate counts once
  EXPECT_EQ(terms_of(json).staff_fte_per_node, 0.02);
}

TEST(SpecOwnership, EveryOptionOn) {
  Json json = quarterly_ownership();
  json.erase("residual");
  json["support"] = "support-share";
  json["value_decay"] = "value-decay-oom-per-year";
  json["cabling"] = "cabling-share";
  json["licence"] = "licence-usd-per-gpu-year";
  json["staff"] = {{"fte_per_node", "staff-fte-per-node"},
                   {"usd_per_fte_year", "fte-usd-per-year"}};
  Texts faults;
  const SpecOwnership own = read_ownership(json, faults);
  EXPECT_EQ(faults, Texts{});
  EXPECT_EQ(own.residual, "");
  EXPECT_EQ(own.staff_fte_per_node, "staff-fte-per-node");
  EXPECT_EQ(own.used_residual, "");  // a value that falls does so in used machines
  EXPECT_EQ(own.rates().size(), 16U);
}

TEST(SpecOwnership, NoPlaceTakesAnotherUnit) {
  std::size_t refused = 0;
  for (const OwnershipRole& role : ownership_roles()) {
    if (role.named == OwnershipRole::Named::kByCatalog) continue;
    for (const Rate& rate : project_catalog().purchase.rates) {
      Json json = quarterly_ownership();
      json["support"] = "support-share";
      const bool is_staff = role.named == OwnershipRole::Named::kWithStaff;
      if (is_staff) {
        json["staff"] = {{"fte_per_node", "staff-fte-per-node"},
                         {"usd_per_fte_year", "fte-usd-per-year"}};
      }
      if (role.key == std::string("value_decay")) json.erase("residual");
      (is_staff ? json["staff"] : json)[role.key] = rate.id;
      Texts found;
      read_ownership(json, found);
      const std::string place = std::string("s.json:/ownership/") + (is_staff ? "staff/" : "") +
                                role.key + ": expected a rate in " + role.unit + " (";
      const bool named = std::any_of(found.begin(), found.end(), [&](const std::string& text) {
        return text.starts_with(place);
      });
      EXPECT_EQ(named, rate.unit != role.unit) << role.key << " " << rate.id;
      refused += named ? 1 : 0;
    }
  }
  EXPECT_GT(refused, 250U);
}

}  // namespace
}  // namespace sizesheet
