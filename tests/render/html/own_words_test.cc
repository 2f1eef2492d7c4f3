// SPDX-License-Identifier: Apache-2.0
// What pages say of a machine to own: used, the day of its price, its lead time, a speed that
// nobody published, and that there is no quote.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "catalog/prices/purchase.h"
#include "render/formats.h"
#include "render/html/site.h"
#include "render/sample_sheet.h"
#include "sheet/fields.h"
#include "sheet/plan.h"
#include "sheet/sheet.h"
#include "sizing/memory/verdict.h"
#include "support/json.h"
#include "support/money.h"

namespace sizesheet {
namespace {

OwnPick used_box() {
  OwnPick own;
  own.used = true;
  own.price_as_of = "2026-07-22";
  own.price_kind = PriceKind::kParts;
  own.lead_time_weeks = LeadTime{36, 52};
  own.usd_per_month = MicroUsd{2'740'000'000};
  own.usd_per_run_low = MicroUsd{8'000'000};
  own.usd_per_run = MicroUsd{10'000'000};
  own.usd_per_run_high = MicroUsd{12'500'000};
  return own;
}

TEST(OwnWords, OfAUsedMachineWithoutAPublishedSpeed) {
  const Json own = written(used_box());
  EXPECT_EQ(formatted("ordered", own),
            "price of its parts, 2026-07-22; delivery in 36 to 52 weeks");
  EXPECT_EQ(formatted("own_month", own), "2,740 used");
  EXPECT_EQ(formatted("own_run", own), "~10.0");
  EXPECT_EQ(formatted("own_run_range", own), "8.00–12.5");
  EXPECT_EQ(formatted("own_month", Json()), "–");
}

TEST(OwnWords, WhatIsNotKnownIsLeftOut) {
  OwnPick known = used_box();
  known.used = false;
  known.measured = true;
  known.price_kind.reset();
  known.lead_time_weeks.reset();
  const Json own = written(known);
  EXPECT_EQ(formatted("ordered", own), "2026-07-22");
  EXPECT_EQ(formatted("own_month", own), "2,740");
  EXPECT_EQ(formatted("own_run", own), "10.0");
}

TEST(OwnWords, FromWhenOwningPaysIsToldInHours) {
  OwnPick own = used_box();
  EXPECT_EQ(formatted("pays_from", written(own)), "–") << "nothing is compared";
  own.rent_usd_per_run = MicroUsd{20'000'000};
  own.advice = "rent";
  EXPECT_EQ(formatted("pays_from", written(own)), "never");
  EXPECT_EQ(formatted("even_class", written(own)), "never");
  own.break_even_hours_per_month = 213.6;
  own.advice = "buy";
  EXPECT_EQ(formatted("pays_from", written(own)), "214");
  EXPECT_EQ(formatted("pays_from", Json()), "–");
}

TEST(OwnWords, TheWordOfAStatedDemandStandsBehindTheHours) {
  OwnPick own = used_box();
  own.rent_usd_per_run = MicroUsd{20'000'000};
  own.advice = "buy";
  own.break_even_hours_per_month = 213.6;
  EXPECT_EQ(formatted("decision", written(own)), "");
  EXPECT_EQ(formatted("decision_class", written(own)), "absent");
  own.decision = RentOrOwn::kClose;
  EXPECT_EQ(formatted("decision", written(own)), "close");
  EXPECT_EQ(formatted("pays_from", written(own)), "214, close");
  EXPECT_EQ(formatted("decision_class", written(own)), "close");
}

TEST(OwnWords, TheRentItIsComparedWithHasItsRange) {
  OwnPick own = used_box();
  EXPECT_EQ(formatted("against_range", written(own)), "–");
  own.rent_set_up = RentSetUp{"mi300x",
                              8,
                              "runpod",
                              "key",
                              {MicroUsd{31'500'000}, MicroUsd{38'810'000}, MicroUsd{52'000'000}}};
  EXPECT_EQ(formatted("against_range", written(own)), "32–52");
  MonthOfUse month{200, MicroUsd{3'822'000'000}, MicroUsd{2'740'000'000}, "buy", false};
  EXPECT_EQ(formatted("rent_or_own_month", written(month)), "3,822 or 2,740");
  month.rent_usd_per_month.reset();
  EXPECT_EQ(formatted("rent_or_own_month", written(month)), "– or 2,740");
}

TEST(OwnWords, DeliveryIsThatOfEachMachine) {
  PlanPoolLine pool;
  EXPECT_EQ(formatted("delivery", written(pool)), "");
  pool.lead_months = 3;
  EXPECT_EQ(formatted("delivery", written(pool)), "3 months (assumed)");
  pool.lead_months = 1;
  EXPECT_EQ(formatted("delivery", written(pool)), "1 month (assumed)");
  pool.lead_months = 12;
  pool.lead_time_weeks = LeadTime{52, 52};
  EXPECT_EQ(formatted("delivery", written(pool)), "52 weeks");
}

/// A row that is tight buys nothing in the sample; here its GPU is sold without a quote.
TEST(OwnWords, ARowWithoutAQuoteSaysSo) {
  Sheet sheet = sample_sheet();
  const auto tight = std::ranges::find_if(sheet.rows, [](const Row& row) {
    return row.modelled && row.verdict == Verdict::kTight && !row.own;
  });
  ASSERT_NE(tight, sheet.rows.end());
  SoldMachine machine;
  machine.id = "box";
  machine.title = "A box";
  machine.gpu = tight->gpu;
  machine.gpus = 8;
  machine.quoted = false;
  sheet.machines = {machine};
  for (Row& row : sheet.rows) row.owned.reset();
  const FileSet files = site(sheet);
  EXPECT_GT(count(files.at("rows.html"), ">no quote</td>"), 0U);
  EXPECT_EQ(count(sample_site().at("rows.html"), ">no quote</td>"), 0U);
  EXPECT_EQ(count(files.at("gpus/" + machine.gpu + ".html"), "<strong>no quote</strong>"), 1U);
  EXPECT_EQ(count(files.at("own.html"), "No quote: A box."), 1U);
}

TEST(OwnWords, ThePlanNamesWhatItCannotBuy) {
  Sheet sheet = planned_sheet();
  sheet.plan->left_out = {{"8x-b200", "8x B200 node", "delivered in 36 to 52 weeks"}};
  EXPECT_EQ(
      count(site(sheet).at("plan.html"), "<li>8x B200 node: delivered in 36 to 52 weeks</li>"), 1U);
}

}  // namespace
}  // namespace sizesheet
