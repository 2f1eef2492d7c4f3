// SPDX-License-Identifier: Apache-2.0
// When a machine that is ordered is there: weeks of the catalog, months of the sheet.
#include "sheet/plan/delivery.h"

#include <gtest/gtest.h>

#include "catalog/prices/purchase.h"
#include "sheet/plan.h"

namespace sizesheet {
namespace {

PurchaseNode node_with(std::optional<LeadTime> weeks) {
  PurchaseNode node;
  node.id = "box";
  node.lead_time_weeks = weeks;
  return node;
}

TEST(Delivery, WeeksAreWholeMonthsRoundedUp) {
  EXPECT_EQ(whole_months({0, 0}), 0);
  EXPECT_EQ(whole_months({0, 1}), 1);
  EXPECT_EQ(whole_months({0, 4}), 1);
  EXPECT_EQ(whole_months({0, 5}), 2);
  EXPECT_EQ(whole_months({10, 13}), 3);
  EXPECT_EQ(whole_months({36, 52}), 12);
}

TEST(Delivery, TheSheetNamesAMachineElseTheCatalogDoesElseTheSheetForAll) {
  PlanDemand plan;
  const PurchaseNode known = node_with(LeadTime{36, 40});
  EXPECT_EQ(delivery_of(plan, known).from_month(), 10);
  EXPECT_EQ(delivery_of(plan, known).words(), "36 to 40 weeks");
  EXPECT_EQ(delivery_of(plan, node_with({})).from_month(), 3);
  EXPECT_EQ(delivery_of(plan, node_with({})).words(), "3 months");
  plan.lead_months = 1;
  EXPECT_EQ(delivery_of(plan, node_with({})).words(), "1 month");
  EXPECT_EQ(delivery_of(plan, known).from_month(), 10);
  plan.lead_months_of["box"] = 1.5;
  EXPECT_EQ(delivery_of(plan, known).from_month(), 2);
  EXPECT_EQ(delivery_of(plan, known).words(), "1.5 months");
  EXPECT_FALSE(delivery_of(plan, known).weeks);
}

TEST(Delivery, AMachineWithoutAQuoteOrThatComesTooLateIsLeftOut) {
  PlanDemand plan;
  plan.months = 10;
  PurchaseNode node = node_with(LeadTime{36, 40});
  EXPECT_EQ(why_left_out(plan, node),
            "delivery takes 36 to 40 weeks: after the last month of the plan");
  plan.months = 11;
  EXPECT_EQ(why_left_out(plan, node), "");
  node.quoted = false;
  EXPECT_EQ(why_left_out(plan, node), "no quote, only an estimate of its price");
}

}  // namespace
}  // namespace sizesheet
