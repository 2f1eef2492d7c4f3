// SPDX-License-Identifier: Apache-2.0
#include "sheet/spec_ownership.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "catalog/prices/purchase.h"
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
  EXPECT_EQ(ids, (Texts{"life-years", "residual-share-5y", "cost-of-capital", "idle-power-share",
                        "pue", "usd-per-kwh", "colo-usd-per-kw-month", "ops-share",
                        "network-usd-per-gpu", "hours-per-month", "utilisation"}));
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
  EXPECT_EQ(own.rates().size(), 15U);
}

TEST(SpecOwnership, NoPlaceTakesAnotherUnit) {
  std::size_t refused = 0;
  for (const OwnershipRole& role : ownership_roles()) {
    for (const Rate& rate : project_catalog().purchase.rates) {
      Json json = quarterly_ownership();
      json["support"] = "support-share";
      const bool is_staff = std::string(role.key).find("fte") != std::string::npos;
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
