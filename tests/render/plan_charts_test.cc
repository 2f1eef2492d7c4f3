// SPDX-License-Identifier: Apache-2.0
// Charts of the plan: their bars add up to what the plan says, and they say it.
#include <gtest/gtest.h>

#include <numeric>

#include "render/charts.h"
#include "render/html/site.h"
#include "render/sample_plan.h"
#include "render/svg/svg.h"
#include "sheet/quarterly.h"
#include "support/text.h"

namespace sizesheet {
namespace {

const AmountBars& amounts_of(const Chart& chart) { return std::get<AmountBars>(chart.body); }

double sum_of(const std::vector<double>& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

TEST(PlanCharts, months_say_what_is_paid_for) {
  const Chart chart = plan_months_chart(*planned_sheet().plan);
  const AmountBars& body = amounts_of(chart);
  EXPECT_EQ(body.parts, (std::vector<std::string>{"machines", "on demand", "reserved",
                                                  "energy of runs on machines"}));
  ASSERT_EQ(body.bars.size(), 6U);
  EXPECT_EQ(body.bars[0].parts, (std::vector<double>{4'000, 600, 5'000, 0}));
  EXPECT_EQ(chart.conclusion, "A month costs $5,000 to $23,020.");
  EXPECT_EQ(chart.description,
            "Month 1 $9,600, Month 2 $9,000, Month 3 $5,000, Month 4 $23,020, Month 5 $23,000, "
            "Month 6 $23,000.");
}

TEST(PlanCharts, use_says_what_each_place_has_and_holds) {
  const Sheet& sheet = planned_sheet();
  const Chart chart = plan_use_chart(sheet, *sheet.plan);
  const AmountBars& body = amounts_of(chart);
  EXPECT_EQ(body.parts, std::vector<std::string>{"8B LoRA"});
  ASSERT_EQ(body.bars.size(), 4U);
  EXPECT_EQ(body.bars[0].limit, 200);
  EXPECT_EQ(body.bars[0].words, "50\u00a0% used");
  EXPECT_EQ(body.bars[3].words, "60\u00a0h");
  EXPECT_FALSE(body.bars[3].limit);
}

TEST(PlanCharts, of_the_project_add_up) {
  const Sheet& sheet = quarterly_sheet();
  const SheetPlan& plan = sheet.plan.value();
  MicroUsd all;
  for (const PlanMonthLine& month : plan.months) {
    EXPECT_EQ(month.usd, month.machines_usd + month.reserved_usd + month.energy_usd +
                             month.on_demand_usd + month.spot_usd);
    all += month.usd;
  }
  EXPECT_EQ(all, plan.totals.usd);
  for (const Chart& chart : {plan_months_chart(plan), plan_use_chart(sheet, plan)}) {
    for (const AmountBar& bar : amounts_of(chart).bars) {
      EXPECT_NEAR(sum_of(bar.parts), bar.value, 1e-6 * bar.value) << bar.label;
    }
  }
}

TEST(PlanCharts, kinds_beyond_the_first_four_share_a_part) {
  Sheet sheet = planned_sheet();
  SheetPlan& plan = *sheet.plan;
  for (int i = 0; i < 5; ++i) plan.kinds.push_back(plan.kinds.front());
  plan.assignments[0].kind = 5;
  plan.assignments[1].kind = 1;
  const Chart chart = plan_use_chart(sheet, plan);
  EXPECT_EQ(amounts_of(chart).parts.back(), "other kinds");
  EXPECT_EQ(amounts_of(chart).bars[0].parts, (std::vector<double>{0, 0, 0, 0, 100}));
  EXPECT_EQ(amounts_of(chart).bars[3].parts, (std::vector<double>{0, 60, 0, 0, 0}));
}

TEST(PlanCharts, are_drawn_with_a_shade_a_part_and_a_line_at_the_limit) {
  const Sheet& sheet = planned_sheet();
  const std::string use = svg(plan_use_chart(sheet, *sheet.plan));
  EXPECT_EQ(count(use, "class=\"part-1\""), 2U);
  EXPECT_EQ(count(use, "class=\"limit\""), 1U) << "of the pools in use";
  const std::string months = svg(plan_months_chart(*sheet.plan));
  EXPECT_EQ(count(months, "class=\"part-1\""), 5U);
  EXPECT_EQ(count(months, "class=\"part-3\""), 6U);
}

}  // namespace
}  // namespace sizesheet
