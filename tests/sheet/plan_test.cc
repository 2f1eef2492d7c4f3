// SPDX-License-Identifier: Apache-2.0
// A sheet's demand and the plan that follows: what is read and refused, one month worked by hand,
// what holds of every plan, and the command.
#include "sheet/plan.h"

#include <gtest/gtest.h>

#include "catalog/catalog.h"
#include "catalog/prices/price.h"
#include "catalog/prices/purchase.h"
#include "cli/program.h"
#include "cli/small_sheet.h"
#include "cost/ownership.h"
#include "render/html/html_writer.h"
#include "render/html/templates/templates.h"
#include "render/phrases.h"
#include "sheet/decision.h"
#include "sheet/fields.h"
#include "sheet/plan/build_plan.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "sheet/sheet_json.h"
#include "support/cases.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/money.h"
#include "support/project_catalog.h"
#include "support/temp_dir.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// A small demand over the quarterly sheet.
Json demand() { return oracle("spec_refusals.json").at("demand"); }

SheetSpec planned(const Json& plan) {
  Json json = quarterly_json();
  json["plan"] = plan;
  return spec_of(json);
}

SheetPlan plan_for(const Json& plan) { return *plan_of(project_catalog(), planned(plan), 2); }

/// Runs that are longer than any capacity block, and those that take no time to speak of.
TEST(SheetPlanDemand, RunsOfAnyLengthHaveAPlan) {
  for (const std::int64_t tokens : {std::int64_t{1000}, std::int64_t{100'000'000'000}}) {
    Json json = quarterly_of({"llama-3.1-8b"}, {"full", "lora-r16"}, {"h100-sxm", "b200"});
    json["tokens"] = json["adapter_tokens"] = tokens;
    json.erase("deadline_hours");
    json["scenarios"][0]["request"]["workload"].erase("startup_hours");
    json["plan"] = {{"months", 3},
                    {"blocks", true},
                    {"spot", true},
                    {"runs",
                     {{{"model", "llama-3.1-8b"}, {"method", "full"}, {"runs_per_month", 2}},
                      {{"model", "llama-3.1-8b"}, {"method", "lora-r16"}, {"runs_per_month", 3}}}}};
    const auto plan = plan_of(project_catalog(), spec_of(json), 2);
    ASSERT_TRUE(plan) << tokens;
    EXPECT_EQ(plan->totals.why, "") << tokens;
    EXPECT_GT(plan->totals.usd.value, 0) << tokens;
    EXPECT_FALSE(to_json_text(built(spec_of(json))).empty()) << tokens;
  }
}

TEST(SheetPlanDemand, IsReadWithTheSheetsTokensAndDeadline) {
  const SheetSpec spec = planned(demand());
  const PlanDemand& plan = *spec.plan;
  EXPECT_EQ(plan.runs[0].tokens, *spec.adapter_tokens);
  EXPECT_EQ(plan.runs[1].tokens, 1'000'000'000);
  EXPECT_EQ(plan.runs[1].deadline_hours, spec.deadline_hours);
  EXPECT_EQ(plan.runs[1].runs_per_month.low, 4);
  EXPECT_EQ(plan.growth_per_quarter.high, 1);
  EXPECT_EQ(plan.lead_months, 3);
  EXPECT_FALSE(plan.spot);
}

TEST(SheetPlan, OneMonthIsTheSumThatAHandWrites) {
  constexpr double kRuns = 200;  // one machine holds them all
  const SheetPlan plan = plan_for(
      {{"months", 1},
       {"lead_months", 0},
       {"lead_months_of", {{"1x-rtx-pro-6000", 0}}},
       {"runs",
        {{{"model", "llama-3.1-8b"}, {"method", "qlora-r16"}, {"runs_per_month", kRuns}}}}});
  const Sheet& sheet = quarterly_sheet();
  // The expected dollars of the lowest score on time, which a pick within the tie share may be
  // above.
  const auto score = [](const RunCandidate& run) {
    return to_usd(run.usd.mid) + 0.25 * (to_usd(run.usd.high) - to_usd(run.usd.mid));
  };
  const RunCandidate* least = nullptr;
  for (const Row& one : sheet.rows) {
    const bool same =
        one.model == "llama-3.1-8b" && one.method == "qlora-r16" && sheet.is_main(one);
    if (!same) continue;
    for (const RunCandidate& run : one.candidates) {
      if (run.hours.high > *sheet.options.deadline_hours) continue;
      if (least == nullptr || score(run) < score(*least)) least = &run;
    }
  }
  ASSERT_NE(least, nullptr);
  ASSERT_FALSE(is_hard_to_start(*least));
  EXPECT_EQ(plan.all_rented.usd, least->usd.mid * 200);
  ASSERT_EQ(plan.pools.size(), 1U);
  EXPECT_EQ(plan.pools[0].id, "1x-rtx-pro-6000");
  EXPECT_EQ(plan.pools[0].units, 1);
  // The machine's month at rest, and the energy of the hours that the runs are expected to take on
  // its GPU.
  const Row& row = *sheet.main_row("llama-3.1-8b", "qlora-r16", "rtx-pro-6000");
  const SheetSpec& spec = quarterly_spec();
  const Purchase& purchase = project_catalog().purchase;
  const auto node = std::ranges::find(purchase.nodes, "1x-rtx-pro-6000", &PurchaseNode::id);
  const auto inputs = ownership_inputs(purchase, spec.ownership, *node, false);
  const OwnLine own = cost_of_owning(typical_terms(inputs, *node, 1));
  const auto alone = std::ranges::find(row.candidates, 1, &RunCandidate::gpus);
  ASSERT_NE(alone, row.candidates.end());
  const double hours = kRuns * alone->hours.mid;
  const double energy = to_usd(own.full_use_usd_per_month - own.fixed_usd_per_month) * hours /
                        sheet.options.hours_per_month;
  EXPECT_NEAR(to_usd(plan.totals.usd), to_usd(own.fixed_usd_per_month) + energy, 0.01);
  EXPECT_NEAR(*plan.pools[0].used_share, hours / (0.85 * sheet.options.hours_per_month), 1e-3);
}

/// Runs of a kind in a month add up to its demand, and money to the totals.
void expect_whole(const SheetPlan& plan) {
  ASSERT_EQ(plan.totals.status, "optimal");
  for (std::size_t kind = 0; kind < plan.demand.runs.size(); ++kind) {
    for (std::int64_t month = 0; month < plan.demand.months; ++month) {
      double runs = 0;
      for (const PlanAssignmentLine& one : plan.assignments) {
        if (one.kind == static_cast<std::int64_t>(kind) && one.month == month) runs += one.runs;
      }
      const double grown = month < 3 ? 1 : 1 + plan.demand.growth_per_quarter.expected;
      EXPECT_NEAR(runs, plan.demand.runs[kind].runs_per_month.expected * grown, 1e-6);
    }
  }
  MicroUsd fixed;
  MicroUsd of_runs;
  for (const PlanPoolLine& pool : plan.pools) {
    fixed += pool.fixed_usd;
    of_runs += pool.runs_usd;
    EXPECT_LE(pool.used_share.value_or(0), 1 + 1e-9) << pool.id;
  }
  EXPECT_EQ(fixed, plan.totals.fixed_usd);
  EXPECT_EQ(of_runs, plan.totals.runs_usd);
  EXPECT_EQ(fixed + of_runs, plan.totals.usd);
  EXPECT_LE(plan.totals.usd, *plan.all_rented.usd);
  EXPECT_LE(plan.totals.usd, *plan.nothing_new.usd);
}

/// The plan for a demand, which adds up, and the units of each kind of pool.
Json planned_facts(const Json& plan) {
  const SheetPlan found = plan_for(plan);
  if (found.totals.status == "optimal") expect_whole(found);
  Json facts = written(found);
  for (const PlanPoolLine& pool : found.pools) {
    Json& units = facts["units"][pool.kind];
    units = pool.units + (units.is_null() ? 0 : units.get<std::int64_t>());
  }
  return facts;
}

/// Each machine is there when its own weeks are over.
TEST(SheetPlan, EveryMachineHasALeadTimeOfItsOwn) {
  const SheetPlan plan = plan_for(demand());
  const auto why = [&](const std::string& machine) {
    const auto* left = entry_with(plan.left_out, &PlanLeftOut::machine, machine);
    return left == nullptr ? "" : left->why;
  };
  EXPECT_EQ(why("8x-b200"), "delivery takes 36 to 52 weeks: after the last month of the plan");
  EXPECT_EQ(why("8x-h100-sxm"), "delivery takes 36 to 52 weeks: after the last month of the plan");
  EXPECT_EQ(why("8x-mi300x"), "no quote, only an estimate of its price");
  EXPECT_EQ(why("8x-h100-sxm-used"), "");
  for (const PlanPoolLine& pool : plan.pools) {
    EXPECT_EQ(pool.lead_months.has_value(), pool.kind == "bought") << pool.id;
    EXPECT_EQ(std::ceil(pool.lead_months.value_or(0)),
              pool.kind == "bought" ? static_cast<double>(pool.from_month) : 0)
        << pool.id;
    EXPECT_EQ(why(pool.machine), "") << pool.id;
  }
}

TEST(SheetPlan, Cases) {
  Json file = oracle("cases_sheet_plan.json");
  file["bases"]["demand"] = demand();
  expect_cases(file, planned_facts);
}

/// The rows of the demand that can only be in a capacity block: all else is out of the catalog.
TEST(SheetPlan, TakesCapacityBlocksWhereAskedAndPaysWholeDays) {
  Catalog catalog = project_catalog();
  std::erase_if(catalog.prices, [](const Price& price) { return price.tier != "capacity_block"; });
  catalog.purchase.nodes.clear();
  const auto plan_with = [&](bool blocks) {
    Json asked = demand();
    asked["blocks"] = blocks;
    return *plan_of(catalog, planned(asked), 2);
  };
  EXPECT_EQ(plan_with(false).totals.status, "infeasible");
  const SheetPlan plan = plan_with(true);
  expect_whole(plan);
  ASSERT_EQ(plan.pools.size(), 1U);
  EXPECT_EQ(plan.pools[0].kind, "block");
  const PlanAssignmentLine& run = plan.assignments.front();
  const Price& price = catalog.prices.front();
  EXPECT_LT(run.hours, 24);
  EXPECT_EQ(run.usd, rounded_usd(to_usd(price.usd_per_instance_hour) * 24 * run.runs));
  EXPECT_EQ(plan.months[0].block_usd, plan.months[0].usd);
}

TEST(SheetPlan, StandsInTheSheetAndOnItsPage) {
  Sheet sheet = small_sheet();
  Json asked = demand();
  asked["runs"].erase(1);
  asked["budget_usd"] = 300000;
  sheet.plan = plan_for(asked);
  const Sheet read = read_sheet(to_json_text(sheet), "sheet.json", sheet.meta.tool_version);
  EXPECT_EQ(written(*read.plan), written(*sheet.plan));
  FileSet files;
  write_site(sheet, builtin_templates(), 1, files);
  const std::string& page = files.at("plan.html");
  EXPECT_NE(page.find("<strong>$" + whole_usd(sheet.plan->totals.usd) + "</strong>"), page.npos);
  for (const PlanPoolLine& pool : sheet.plan->pools) {
    EXPECT_NE(page.find("<th scope=\"row\" class=\"words\">" + pool.title + "</th>"), page.npos)
        << pool.title;
  }
  asked["runs"][0]["deadline_hours"] = 0.01;
  sheet.plan = plan_for(asked);
  write_site(sheet, builtin_templates(), 1, files);
  EXPECT_NE(files.at("plan.html").find("There is no plan: no set-up runs llama-3.1-8b by lora-r16"),
            std::string::npos);
}

TEST(PlanCommand, PrintsThePlanOrWhyThereIsNone) {
  const TempDir dir;
  Json json = quarterly_json();
  json["plan"] = demand();
  dir.write("ours.json", json.dump());
  const Outcome text =
      program({"plan", "--catalog", kCatalog, "--sheet", (dir.path() / "ours.json").string()});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(starts_with(text.out, "Fine-tuning sizing sheet, 4 months, prices as of "))
      << text.out;
  for (const std::string& line : split(text.out, '\n')) {
    EXPECT_TRUE(line.find("->") != line.npos || decode(line).size() <= 80) << line;
  }
  const Outcome answer = program(
      {"plan", "--catalog", kCatalog, "--sheet", (dir.path() / "ours.json").string(), "--json"});
  const Json plan = parse_json(answer.out, "answer");
  for (const char* key :
       {"demand", "pools", "assignments", "totals", "all_rented", "all_owned", "sensitivity"}) {
    EXPECT_TRUE(plan.contains(key)) << key;
  }
  json["plan"]["runs"][1]["deadline_hours"] = 0.01;
  dir.write("late.json", json.dump());
  const Outcome late =
      program({"plan", "--catalog", kCatalog, "--sheet", (dir.path() / "late.json").string()});
  EXPECT_EQ(late.code, 1);
  EXPECT_NE(late.out.find("No plan: no set-up runs size-70b by full in month 1 within"),
            std::string::npos);
  json.erase("plan");
  dir.write("none.json", json.dump());
  const std::string none = (dir.path() / "none.json").string();
  EXPECT_EQ(program({"plan", "--catalog", kCatalog, "--sheet", none}),
            (Outcome{2, "",
                     "sizesheet: --sheet: expected a sheet with a demand in \"plan\", got \"" +
                         none + "\" without one\n"}));
}

}  // namespace
}  // namespace sizesheet
