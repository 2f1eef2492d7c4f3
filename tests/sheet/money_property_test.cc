// SPDX-License-Identifier: Apache-2.0
// Money over 2,000 rows and more, from the printed text of sheet.json alone: every amount is
// computed again here, in integers, from the prices and hours that stand beside it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "sheet/assemble/build_sheet.h"
#include "sheet/assemble/facts.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "sheet/sheet_json.h"
#include "sheet/spec.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/project_catalog.h"
#include "support/text.h"

namespace sizesheet {
namespace {

using Wide = __int128;

/// The spec of the quarterly sheet with more models, and with the GPUs that differ in money.
SheetSpec large_spec() {
  SheetSpec spec = quarterly_spec();
  for (const auto& [id, model] : project_catalog().models) {
    if (spec.models.size() == 36) break;
    if (entry_with(spec.models, &SpecModel::id, id) == nullptr) spec.models.push_back({id, id, ""});
  }
  spec.gpus.insert(spec.gpus.end(), {"rtx-4090", "a100-40", "h100-nvl", "l4", "gb200"});
  return spec;
}

/// A number with `places` decimal places at most, in units of its last one.
Wide digits(const Json& number, int places) {
  const double unit = std::pow(10, places);
  const std::int64_t units = std::llround(number.get<double>() * unit);
  EXPECT_EQ(static_cast<double>(units) / unit, number.get<double>());
  return units;
}

Wide usd(const Json& amount) { return digits(amount, 6); }

void expect_same(Wide printed, Wide computed, const std::string& what) {
  EXPECT_EQ(static_cast<std::int64_t>(printed), static_cast<std::int64_t>(computed)) << what;
}

Wide half_up(Wide product, Wide divisor) { return (product + divisor / 2) / divisor; }

Wide whole(Wide amount, Wide unit) { return (amount + unit - 1) / unit; }

class LargeSheet : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const SheetSpec spec = large_spec();
    Sheet sheet;
    sheet.meta.as_of = spec.as_of;
    sheet.inputs = Json::object();
    copy_facts(project_catalog(), spec, sheet);
    sweep(
        project_catalog(), spec, 2, [&](Row&& row) { sheet.rows.push_back(std::move(row)); },
        [](std::size_t, std::size_t) {});
    sheet.inputs = Json::object();
    json_ = parse_json(to_json_text(sheet), "sheet.json");
    for (const Json& price : json_.at("prices")) prices_[price.at("key")] = price;
  }
  static void TearDownTestSuite() {
    json_ = Json();
    prices_.clear();
  }

  static const Json& rows() { return json_.at("rows"); }
  static const Json& price(const Json& line) { return prices_.at(line.at("price_key")); }

  static inline Json json_;
  static inline std::map<std::string, Json> prices_;
};

/// Ten-thousandths of an hour that a run pays in a tier.
Wide paid_parts(const std::string& tier, Wide parts) {
  if (tier != "capacity_block") return parts;
  const Wide day = 240'000;
  const Wide days = whole(parts, day);
  return days <= 14 ? days * day : whole(days, 7) * 7 * day;
}

/// The price of an instance on the sheet's day, from the day it was seen.
void expect_aged(const Json& price) {
  const std::string what = price.at("key").get<std::string>();
  const double moved = price.at("drift_per_day").get<double>() * price.at("age_days").get<double>();
  const Wide factor = digits(price.at("age_factor"), 6);
  expect_same(factor, std::llround(std::exp(moved) * 1e6), what);
  expect_same(usd(price.at("expected_usd_per_instance_hour")),
              half_up(usd(price.at("usd_per_instance_hour")) * factor, 1'000'000), what);
}

/// Hours that pay for what interruptions take, and their dollars.
void expect_spot(const Json& line, const Json& row, Wide hour, const std::string& what) {
  const Json& spot = line.at("spot");
  const double mid = row.at("hours").at("mid");
  const double kept = std::min(mid, spot.at("checkpoint_hours").get<double>());
  const double each = kept / 2 + spot.at("restart_hours").get<double>();
  const double stops =
      spot.at("interruptions_per_hour").get<double>() * line.at("instances").get<double>();
  EXPECT_NEAR(spot.at("hours").get<double>(), mid / (1 - stops * each), 1e-4) << what;
  expect_same(usd(line.at("usd_per_run_interrupted")),
              half_up(hour * digits(spot.at("hours"), 4), 10'000), what);
}

void expect_line(const Json& line, const Json& price, const Json& row) {
  const std::string what = row.at("key").get<std::string>() + " " + line.at("tier").dump();
  const std::string tier = line.at("tier");
  EXPECT_EQ(price.at("tier"), tier) << what;
  EXPECT_EQ(price.at("excluded"), "") << what;
  const Wide gpus = digits(row.at("layout").at("gpus"), 0);
  const Wide instances = whole(gpus, digits(price.at("gpus"), 0));
  expect_same(digits(line.at("instances"), 0), instances, what);
  expect_aged(price);
  const Wide hour = instances * usd(price.at("expected_usd_per_instance_hour"));
  expect_same(usd(line.at("usd_per_hour")), hour, what);
  expect_same(usd(line.at("seen_usd_per_hour")), instances * usd(price.at("usd_per_instance_hour")),
              what);
  EXPECT_EQ(line.at("age_days"), price.at("age_days")) << what;
  EXPECT_EQ(line.at("ln_width"), price.at("ln_width")) << what;
  expect_same(usd(line.at("usd_per_3_days")), 72 * hour, what);
  expect_same(usd(line.at("usd_per_weekend")), 48 * hour, what);
  expect_same(usd(line.at("usd_per_full_month")), 730 * hour, what);
  const bool reserved = tier.starts_with("reserved");
  EXPECT_EQ(line.at("usd_per_month"), reserved ? line.at("usd_per_full_month") : Json()) << what;
  if (row.at("hours").at("mid").is_null()) {
    EXPECT_TRUE(line.at("usd_per_run").is_null()) << what;
    return;
  }
  const Wide parts = digits(row.at("hours").at("mid"), 4);
  if (!line.at("usd_per_run").is_null()) {
    expect_same(usd(line.at("usd_per_run")), half_up(hour * paid_parts(tier, parts), 10'000), what);
  } else {
    EXPECT_EQ(tier, "capacity_block") << what;
    EXPECT_TRUE(parts > Wide{26} * 168 * 10'000) << what;
  }
  EXPECT_EQ(line.at("usd_per_run_interrupted").is_null(), tier != "spot") << what;
  if (tier == "spot") expect_spot(line, row, hour, what);
}

TEST_F(LargeSheet, HasTwoThousandRows) { EXPECT_GE(rows().size(), 2000U); }

TEST_F(LargeSheet, EveryRentFollowsFromItsPriceAndHours) {
  std::map<std::string, int> seen;
  for (const Json& row : rows()) {
    const bool none_holds = row.at("verdict") == "no";
    EXPECT_TRUE(!none_holds || (row.at("own").is_null() && row.at("hours").at("mid").is_null()));
    for (const char* tier : {"list", "spot", "reserved_1y", "reserved_3y", "capacity_block"}) {
      const Json& line = row.at("rent").at(tier);
      EXPECT_TRUE(!none_holds || line.is_null()) << row.at("key") << " " << tier;
      const std::string flat = tier;
      const Json none;
      EXPECT_EQ(row.at(flat + "_usd_per_hour"), line.is_null() ? none : line.at("usd_per_hour"));
      EXPECT_EQ(row.at(flat + "_usd_per_run"), line.is_null() ? none : line.at("usd_per_run"));
      if (line.is_null()) continue;
      ++seen[tier];
      expect_line(line, price(line), row);
    }
  }
  for (const char* tier : {"list", "spot", "reserved_1y", "capacity_block"}) {
    EXPECT_GT(seen[tier], 50) << tier;
  }
}

/// Instances that hold so many GPUs; 0 where the offer has no machine for them.
Wide instances_of(const Json& price, Wide gpus, Wide per_node) {
  const Wide per_instance = digits(price.at("gpus"), 0);
  if (gpus > per_node && per_instance != per_node) return 0;
  Wide billed = 0;
  for (const Json& count : price.at("counts")) {
    if (billed == 0 && digits(count, 0) >= gpus) billed = digits(count, 0);
  }
  const bool any_number = price.at("counts").empty() || gpus > per_node;
  if (billed == 0 && !any_number) return 0;
  if (billed == 0) billed = gpus;
  const Json& least = price.at("minimum_gpus");
  return whole(std::max(billed, least.is_null() ? 0 : digits(least, 0)), per_instance);
}

/// Micro-dollars of a run at so much an hour: expected, and a part of the way to the upper end. A
/// row without a set-up that is rented is judged by its hour.
double score_of(const Json& row, double hour, double ln_width, double weight) {
  if (row.at("chosen").is_null()) return hour;
  const double expected = hour * row.at("hours").at("mid").get<double>();
  const double slower =
      std::log(row.at("hours").at("high").get<double>() / row.at("hours").at("mid").get<double>());
  const double upper = expected * std::exp(std::sqrt(slower * slower + ln_width * ln_width));
  return expected + weight * (upper - expected);
}

TEST_F(LargeSheet, NoAdmittedListPriceHasALowerScoreThanTheRowsOwn) {
  std::map<std::string, Wide> node;
  for (const Json& gpu : json_.at("gpus")) node[gpu.at("id")] = digits(gpu.at("gpus_per_node"), 0);
  const Json& rules = json_.at("options").at("pick_rules");
  EXPECT_EQ(rules.at("rank"), "score");
  const double weight = rules.at("risk_weight");
  int compared = 0;
  int lower_hours = 0;  // that lose by their width
  for (const Json& row : rows()) {
    const Json& list = row.at("rent").at("list");
    if (list.is_null()) continue;
    const auto own_hour = static_cast<double>(usd(list.at("usd_per_hour")));
    const double own = score_of(row, own_hour, list.at("ln_width"), weight);
    const Wide gpus = digits(row.at("layout").at("gpus"), 0);
    const Wide per_node = node.at(row.at("gpu"));
    for (const auto& [key, rival] : prices_) {
      if (rival.at("gpu") != row.at("gpu") || rival.at("tier") != "on_demand") continue;
      const Wide instances = instances_of(rival, gpus, per_node);
      if (rival.at("excluded") != "" || instances == 0) continue;
      const std::set<Json> joined = {"nvlink-rack", "infiniband", "roce", "efa"};
      if (gpus > per_node && !joined.contains(rival.at("interconnect"))) continue;
      if (rival.at("old") == true && list.at("old") == false) continue;
      const auto hour =
          static_cast<double>(instances * usd(rival.at("expected_usd_per_instance_hour")));
      // Two amounts a run and a score are each rounded to a micro-dollar.
      EXPECT_LE(own, score_of(row, hour, rival.at("ln_width"), weight) + 3)
          << row.at("key") << " " << key;
      ++compared;
      lower_hours += hour < own_hour ? 1 : 0;
    }
  }
  EXPECT_GT(compared, 5000);
  EXPECT_GT(lower_hours, 0);
}

TEST_F(LargeSheet, AReservedTermBeatsListFromTheRatioOfTheirPrices) {
  int found = 0;
  for (const Json& row : rows()) {
    const Json& list = row.at("rent").at("list");
    const Json& term = row.at("rent").at("reserved_1y");
    if (list.is_null() || term.is_null()) continue;
    const auto reserved = static_cast<double>(usd(term.at("usd_per_hour")));
    const auto on_demand = static_cast<double>(usd(list.at("usd_per_hour")));
    EXPECT_EQ(term.at("break_even_use").is_null(), reserved >= on_demand) << row.at("key");
    if (term.at("break_even_use").is_null()) continue;
    ++found;
    EXPECT_NEAR(term.at("break_even_use").get<double>(), reserved / on_demand, 1e-12)
        << row.at("key");
  }
  EXPECT_GT(found, 10);
}

TEST_F(LargeSheet, OwnershipPartsAddUp) {
  int owned = 0;
  for (const Json& row : rows()) {
    const Json& own = row.at("own");
    if (own.is_null()) continue;
    ++owned;
    Wide sum = 0;
    for (const auto& [part, amount] : own.at("parts_usd_per_month").items()) sum += usd(amount);
    expect_same(usd(own.at("own_usd_per_month")), sum, row.at("key").get<std::string>());
    EXPECT_EQ(row.at("own_usd_per_month"), own.at("own_usd_per_month"));
    if (own.at("own_usd_per_run").is_null()) continue;
    // One run's share of the 438 planned hours.
    const Wide parts = digits(row.at("hours").at("mid"), 4);
    expect_same(usd(own.at("own_usd_per_run")), half_up(sum * parts, 4'380'000),
                row.at("key").get<std::string>());
  }
  EXPECT_GT(owned, 500);
}

TEST_F(LargeSheet, EveryCostTermIsTheFigureItProves) {
  std::set<std::string> proved;
  for (const Json& row : rows()) {
    for (const Json& term : row.at("cost_terms")) {
      const std::string name = term.at("name");
      for (const char* tier : {"list", "spot", "reserved_1y", "reserved_3y", "capacity_block"}) {
        const std::string prefix = std::string(tier) + "_";
        if (!name.starts_with(prefix)) continue;
        const Json& line = row.at("rent").at(tier);
        const std::string figure = name.substr(prefix.size());
        const bool of_price = figure == "expected_usd_per_instance_hour";
        EXPECT_EQ(term.at("usd"), of_price ? price(line).at(figure) : line.at(figure))
            << row.at("key") << " " << name;
        proved.insert(figure);
      }
    }
  }
  for (const char* figure : {"expected_usd_per_instance_hour", "usd_per_hour", "usd_per_run",
                             "usd_per_run_interrupted", "usd_per_month"}) {
    EXPECT_TRUE(proved.contains(figure)) << figure;
  }
}

}  // namespace
}  // namespace sizesheet
