// SPDX-License-Identifier: Apache-2.0
// How a plan differs between two editions and which inputs did it, against plans found apart.
#include <gtest/gtest.h>

#include "catalog/files/loader.h"
#include "catalog/prices/price.h"
#include "sheet/changes.h"
#include "sheet/diff/causes.h"
#include "sheet/diff/edition.h"
#include "sheet/diff/inputs.h"
#include "sheet/diff/sample_editions.h"
#include "sheet/plan.h"
#include "sheet/plan/build_plan.h"
#include "support/json.h"
#include "support/money.h"

namespace sizesheet {
namespace {

Json& runs_in(Json& inputs) { return inputs["sheet"]["plan"]["runs"]; }

/// The small inputs with a demand that a machine is worth buying for.
Json planned_inputs(const InputsEdit& edit = [](Json&) {}) {
  return edited_inputs([&](Json& inputs) {
    inputs["sheet"]["plan"] = Json::parse(R"({"months": 6, "lead_months": 1, "runs": [
      {"model": "llama-3.1-8b", "method": "lora-r16",
       "runs_per_month": {"low": 50, "expected": 200, "high": 400}},
      {"model": "size-70b", "method": "lora-r16",
       "runs_per_month": {"low": 10, "expected": 60, "high": 90}}]})");
    edit(inputs);
  });
}

/// Found once for the same inputs.
const std::optional<SheetPlan>& plan_from(const Json& inputs) {
  static std::map<std::string, std::optional<SheetPlan>> plans;
  const auto [known, is_new] = plans.try_emplace(inputs.dump());
  if (is_new) {
    const EditionInputs read = read_inputs(inputs, "inputs.json");
    known->second = bare_plan_of(read.catalog, read.spec, 2);
  }
  return known->second;
}

Edition planned_edition(const Json& inputs, const std::string& file) {
  Edition edition = edition_from(inputs, file);
  edition.plan = plan_from(inputs);
  return edition;
}

SheetChanges diff_of_plans(const Json& old_inputs, const Json& new_inputs) {
  return diff_editions(planned_edition(old_inputs, "old.json"),
                       planned_edition(new_inputs, "new.json"), {});
}

void scale_demand(Json& inputs, double factor) {
  for (Json& runs : runs_in(inputs)) {
    for (Json& end : runs["runs_per_month"]) end = end.get<double>() * factor;
  }
}

void dearer_rent(Json& inputs) {
  for (const char* gpu : {"a100-80-sxm", "h100-sxm"}) scale_prices(inputs, gpu, "on_demand", 1.5);
}

void less_time(Json& inputs) { runs_in(inputs)[0]["deadline_hours"] = 0.001; }

const PlanCause& cause_of(const PlanChange& change, const std::string& group) {
  const auto found = std::ranges::find(change.causes, group, &PlanCause::group);
  if (found == change.causes.end()) throw std::out_of_range("no cause " + group);
  return *found;
}

MicroUsd dollars(const std::optional<SheetPlan>& plan) { return plan.value().totals.usd; }

void expect_causes_add_up(const PlanChange& change) {
  MicroUsd sum;
  for (const PlanCause& cause : change.causes) sum += cause.usd;
  EXPECT_EQ(sum, change.new_totals->usd - change.old_totals->usd);
}

TEST(PlanChange, IsNoneOfOneAndTheSameDemandOrBelowTheThreshold) {
  EXPECT_FALSE(diff_of_plans(planned_inputs(), planned_inputs()).plan);
  EXPECT_FALSE(diff_of_plans(small_inputs(), small_inputs()).plan);
  const auto slightly = planned_inputs([](Json& inputs) { scale_demand(inputs, 1.001); });
  EXPECT_FALSE(diff_of_plans(planned_inputs(), slightly).plan);
}

TEST(PlanChange, EachGroupDidWhatAPlanWithItAloneComesTo) {
  const Json before = planned_inputs();
  const Json dearer = planned_inputs(dearer_rent);
  const Json after = planned_inputs([](Json& inputs) {
    dearer_rent(inputs);
    scale_demand(inputs, 3);
  });
  const SheetChanges changes = diff_of_plans(before, after);
  ASSERT_TRUE(changes.plan);
  const PlanChange& plan = *changes.plan;
  ASSERT_EQ(plan.causes.size(), 2U);
  EXPECT_EQ(cause_of(plan, "prices").usd, dollars(plan_from(dearer)) - dollars(plan_from(before)));
  EXPECT_EQ(cause_of(plan, "demand").usd, dollars(plan_from(after)) - dollars(plan_from(dearer)));
  expect_causes_add_up(plan);
  EXPECT_EQ(plan.level, "notable");
  // For more runs at dearer rents more is bought, be it other machines than before.
  EXPECT_TRUE(std::ranges::any_of(
      plan.moves, [](const PlanUnitsMoved& moved) { return moved.from < moved.to; }));
  EXPECT_LT(plan.old_totals->capex_usd, plan.new_totals->capex_usd);
}

TEST(PlanChange, OfTheDemandAloneMovesNoRowAndIsTold) {
  const auto after = planned_inputs([](Json& inputs) { scale_demand(inputs, 2); });
  const SheetChanges changes = diff_of_plans(planned_inputs(), after);
  EXPECT_TRUE(changes.changes.empty());
  EXPECT_TRUE(changes.causes.empty());
  ASSERT_TRUE(changes.plan);
  ASSERT_EQ(changes.plan->causes.size(), 1U);
  EXPECT_EQ(changes.plan->causes[0].group, "demand");
  expect_causes_add_up(*changes.plan);
  ASSERT_EQ(changes.moved.size(), 6U);
  EXPECT_EQ(changes.moved[0].id, "demand:sheet/plan/runs/0/runs_per_month/expected");
}

TEST(PlanChange, ToNoneBreaksAndSaysWhatStandsInTheWay) {
  const SheetChanges changes = diff_of_plans(planned_inputs(), planned_inputs(less_time));
  ASSERT_TRUE(changes.plan);
  EXPECT_EQ(changes.plan->level, "breaking");
  const std::string why =
      "no set-up runs llama-3.1-8b by lora-r16 in month 1 within its deadline of 0.001 hours";
  EXPECT_EQ(changes.plan->new_totals->why, why);
  ASSERT_EQ(changes.plan->causes.size(), 1U);
  EXPECT_EQ(changes.plan->causes[0].group, "demand");
  EXPECT_EQ(changes.plan->causes[0].why, why);
}

TEST(PlanChange, OutOfNoneIsToBeLookedAt) {
  const SheetChanges changes = diff_of_plans(planned_inputs(less_time), planned_inputs());
  ASSERT_TRUE(changes.plan);
  EXPECT_EQ(changes.plan->level, "notable");
  expect_causes_add_up(*changes.plan);
}

TEST(PlanChange, OfASheetThatGotADemandHasNoCauses) {
  const SheetChanges came = diff_of_plans(small_inputs(), planned_inputs());
  ASSERT_TRUE(came.plan);
  EXPECT_EQ(came.plan->level, "notable");
  EXPECT_EQ(came.plan->old_months, 0);
  EXPECT_EQ(came.plan->new_months, 6);
  EXPECT_TRUE(came.plan->causes.empty());
  const SheetChanges went = diff_of_plans(planned_inputs(), small_inputs());
  ASSERT_TRUE(went.plan);
  EXPECT_FALSE(went.plan->new_totals);
}

TEST(PlanChange, RunsOfAModelThatWentGoWithIt) {
  const Json after = planned_inputs([](Json& inputs) {
    runs_in(inputs).erase(1);
    inputs["models"].erase(1);
    inputs["sheet"]["models"].erase(1);
    inputs["sheet"]["highlight_model"] = "llama-3.1-8b";
  });
  const SheetChanges changes = diff_of_plans(planned_inputs(), after);
  ASSERT_EQ(changes.causes_unknown, "");
  ASSERT_TRUE(changes.plan);
  EXPECT_LT(cause_of(*changes.plan, "models").usd, MicroUsd{});
  expect_causes_add_up(*changes.plan);
  ASSERT_EQ(changes.plan->runs.back().model, "size-70b");
  EXPECT_EQ(changes.plan->runs.back().to, "");
}

TEST(PlanChange, ARenamedModelIsNone) {
  const Json after = planned_inputs([](Json& inputs) {
    entry_of(inputs["models"], "size-70b")["was"] = {"size-70b"};
    entry_of(inputs["models"], "size-70b")["id"] = "seventy";
    entry_of(inputs["sheet"]["models"], "size-70b")["id"] = "seventy";
    inputs["sheet"]["highlight_model"] = "seventy";
    runs_in(inputs)[1]["model"] = "seventy";
  });
  const SheetChanges changes = diff_of_plans(planned_inputs(), after);
  EXPECT_EQ(changes.causes_unknown, "");
  EXPECT_FALSE(changes.plan);
}

}  // namespace
}  // namespace sizesheet
