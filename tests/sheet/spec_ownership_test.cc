// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "sheet/quarterly.h"
#include "sheet/spec.h"
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

Texts faults_of_unit(const std::string& unit) {
  Json rate = project_catalog().purchase.rate("pue").raw;
  rate["unit"] = unit;
  Faults faults;
  ObjectReader reader(rate, "rates.json", "/rates/0", faults);
  read_rate(reader);
  return texts_of(faults);
}

TEST(Rate, UnitsAreAClosedSet) {
  const std::string all =
      "rates.json:/rates/0/unit: expected one of ratio, share, share of purchase, share of capex, "
      "share of cluster, share of capex per year, share per year, orders of magnitude per year, "
      "years, h, FTE per node, USD per year, USD per GPU, USD per GPU and year, USD per kW and "
      "month, USD per kWh, where another currency may stand for USD; got ";
  EXPECT_EQ(faults_of_unit("CHF per GPU and year"), Texts{});
  EXPECT_EQ(faults_of_unit("FTE per node"), Texts{});
  EXPECT_EQ(faults_of_unit("EUR per kwh"),
            Texts{all + "\"EUR per kwh\" (did you mean \"EUR per kWh\"?)"});
  EXPECT_EQ(faults_of_unit("FTE per nodes"),
            Texts{all + "\"FTE per nodes\" (did you mean \"FTE per node\"?)"});
  EXPECT_EQ(faults_of_unit("furlongs"), Texts{all + "\"furlongs\""});
}

TEST(Rate, CoversNamesKnownOptions) {
  const Json rate = {{"id", "all-in"},
                     {"title", "All in"},
                     {"unit", "share"},
                     {"value",
                      {{"low", 1},
                       {"typical", 1},
                       {"high", 1},
                       {"basis", "assumption"},
                       {"source", "none"},
                       {"date", "2026-01"},
                       {"note", ""}}},
                     {"covers", {"staf"}}};
  Faults faults;
  ObjectReader reader(rate, "rates.json", "/rates/0", faults);
  read_rate(reader);
  ASSERT_EQ(faults.all().size(), 1U);
  EXPECT_EQ(to_text(faults.all()[0]),
            "rates.json:/rates/0/covers: expected one of staff, licence, cabling; got \"staf\" "
            "(did you mean "
            "\"staff\"?)");
}

}  // namespace
}  // namespace sizesheet
