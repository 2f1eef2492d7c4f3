// SPDX-License-Identifier: Apache-2.0
// The decision in words: what it says of whom, and that no figure of it differs from the rows.
#include "render/decision_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cost/rent_or_own.h"
#include "render/sample_sheet.h"
#include "sheet/decided_jobs.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/plan.h"
#include "sheet/quarterly.h"
#include "sheet/seller_names.h"
#include "sheet/sheet.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

TEST(FewDigits, are_two_or_three) {
  EXPECT_EQ(few_digits_usd(rounded_usd(0.614)), "0.61");
  EXPECT_EQ(few_digits_usd(rounded_usd(2.874)), "2.9");
  EXPECT_EQ(few_digits_usd(rounded_usd(9.97)), "10");
  EXPECT_EQ(few_digits_usd(rounded_usd(26.2)), "26");
  EXPECT_EQ(few_digits_usd(rounded_usd(99.6)), "100");
  EXPECT_EQ(few_digits_usd(rounded_usd(500.12)), "500");
  EXPECT_EQ(few_digits_usd(rounded_usd(3594.4)), "3,590");
  EXPECT_EQ(few_digits_usd(rounded_usd(0)), "0");
  EXPECT_EQ(few_digits_hours(11.52), "12");
  EXPECT_EQ(machine_usd(rounded_usd(480'000)), "480\u00a0k");
  EXPECT_EQ(machine_usd(rounded_usd(4'699)), "4.7\u00a0k");
  EXPECT_EQ(machine_usd(rounded_usd(3'472'000)), "3.5\u00a0M");
  EXPECT_EQ(machine_usd(rounded_usd(999'700)), "1.00\u00a0M");
}

TEST(SellerNames, are_those_people_use) {
  Sheet sheet = tiny_sheet();
  sheet.inputs["providers"] =
      Json::array({{{"id", "elm"}, {"title", "Elm Compute Holdings Ltd"}, {"short_title", "Elm"}},
                   {{"id", "oak"}, {"title", "Oak Ltd"}}});
  EXPECT_EQ(seller_name(sheet, "elm"), "Elm");
  EXPECT_EQ(seller_name(sheet, "oak"), "Oak Ltd");
  EXPECT_EQ(seller_name(sheet, "ash"), "ash");
}

TEST(SellerNames, of_the_project_are_short_enough_for_a_column) {
  const Sheet& sheet = quarterly_sheet();
  for (const SheetPrice& price : sheet.prices) {
    const std::string name = seller_name(sheet, price.provider);
    EXPECT_LE(name.size(), 16U) << name;
    EXPECT_TRUE(name.find('(') == name.npos) << name;
  }
}

/// The least and the most hours of all jobs, rounded outwards as the sentence says
/// them.
std::string range_of_hours(const Sheet& sheet) {
  double least = 1e9;
  double most = 0;
  for (const Pick& pick : sheet.picks) {
    if (!pick.own || !pick.own->break_even_hours_per_month) continue;
    least = std::min(least, *pick.own->break_even_hours_per_month);
    most = std::max(most, *pick.own->break_even_hours_per_month);
  }
  return format_number(std::floor(std::round(least) / 10) * 10, 0) + "–" +
         format_number(std::ceil(std::round(most) / 10) * 10, 0);
}

TEST(Decision, without_a_stated_demand_never_says_buy) {
  const Sheet& sheet = quarterly_sheet();
  ASSERT_TRUE(!sheet.plan || sheet.plan->demand.example);
  const std::string sentence = decision_sentences(sheet).front();
  EXPECT_EQ(sentence, "Rent by the hour: owning is cheaper only if a machine is busy over " +
                          range_of_hours(sheet) + " h per month (by job)");
  for (const DecisionTile& tile : decision_tiles(sheet)) {
    for (const std::string& words : tile.words) {
      EXPECT_EQ(words.find("Buys"), words.npos) << words;
    }
  }
}

TEST(Decision, of_a_stated_demand_is_what_its_plan_buys) {
  Sheet sheet = planned_sheet();
  sheet.plan->demand.example = false;
  const std::string bought = decision_sentences(sheet).front();
  EXPECT_TRUE(bought.starts_with("Buy ")) << bought;
  EXPECT_TRUE(bought.ends_with(" and rent the rest for the next 6 months")) << bought;
  for (PlanPoolLine& pool : sheet.plan->pools) {
    if (pool.kind == "bought") pool.units = 0;
  }
  EXPECT_EQ(decision_sentences(sheet).front(),
            "Rent by the hour: the demand of the next 6 months pays for no machine");
}

TEST(Decision, knows_machines_that_never_pay_and_jobs_without_a_price) {
  Sheet sheet = quarterly_sheet();
  for (Pick& pick : sheet.picks) {
    if (pick.own) pick.own->break_even_hours_per_month.reset();
  }
  EXPECT_EQ(decision_sentences(sheet).front(),
            "Rent by the hour: no machine pays within the hours of a month");
  for (Pick& pick : sheet.picks) pick.own.reset();
  EXPECT_EQ(decision_sentences(sheet).front(),
            "Rent by the hour: no machine of these jobs has a price to buy");
  for (Pick& pick : sheet.picks) pick.rent_key.reset();
  EXPECT_EQ(decision_sentences(sheet).front(), "No job of this edition has a price to rent");
}

TEST(Decision, says_what_a_run_is_by_method) {
  EXPECT_EQ(run_sentences(quarterly_sheet()).front(),
            "One run = 500\u00a0million training tokens for full fine-tuning, 50\u00a0million for "
            "LoRA and QLoRA; sequences of 4,096 tokens. Compare costs within one method.");
}

TEST(Decision, tiles_are_of_adapters_the_full_run_the_budget_and_the_weakest_point) {
  const Sheet& sheet = quarterly_sheet();
  const std::vector<DecisionTile> tiles = decision_tiles(sheet);
  ASSERT_EQ(tiles.size(), 4U);
  EXPECT_EQ(tiles[0].title, "LoRA and QLoRA, 3B to 70B");
  EXPECT_EQ(tiles[1].title, "70B, full fine-tuning");
  EXPECT_EQ(tiles[2].title, "Example budget for 12 months");
  EXPECT_EQ(tiles[3].title, "Largest uncertainty");
  EXPECT_TRUE(tiles[3].warns);
  const Row* row = shown_row(sheet, "size-70b", "full");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(tiles[1].figure, "$" + few_digits_usd(row->set_up()->usd.mid));
  EXPECT_EQ(tiles[2].figure, "$" + machine_usd(sheet.plan->totals.usd_mid.value()));
}

TEST(Decision, the_weakest_point_is_the_risk_of_most_jobs) {
  const std::vector<JobsAtRisk> risks = jobs_at_risk(quarterly_sheet());
  ASSERT_FALSE(risks.empty());
  for (const JobsAtRisk& risk : risks) {
    EXPECT_LE(risk.count, risks.front().count) << risk.id;
    EXPECT_EQ(risk.of, 27) << risk.id;
  }
}

/// What the picture says is what the column says.
TEST(Decision, splits_by_use_follow_the_break_even_hours) {
  const Sheet& sheet = quarterly_sheet();
  for (const UseSplit& split : use_splits(sheet)) {
    std::int64_t own = 0;
    for (const DecidedJob& job : decided_jobs(sheet)) {
      const auto& machine = job.pick->own;
      if (!machine || !machine->break_even_hours_per_month) continue;
      own += *machine->break_even_hours_per_month <= split.hours ? 1 : 0;
    }
    EXPECT_EQ(split.own, own) << split.hours;
    EXPECT_LE(split.own + split.rent, 27) << split.hours;
  }
}

}  // namespace
}  // namespace sizesheet
