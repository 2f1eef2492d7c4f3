// SPDX-License-Identifier: Apache-2.0
// Plans, and what is asked around them: the cases of tests/oracles/cases_plan.json.

#include "cost/plan/plan.h"

#include <gtest/gtest.h>

#include "cost/plan/study.h"
#include "cost/plan_problems.h"
#include "cost/sample_terms.h"
#include "support/cases.h"
#include "support/json.h"
#include "support/named.h"
#include "support/project_catalog.h"

namespace sizesheet {

BOOST_DESCRIBE_STRUCT(PlanPool, (),
                      (connected_units, highest_use, from_month, until_month, least_units,
                       most_units))
BOOST_DESCRIBE_STRUCT(PlanWay, (), (pool, gpus, hours, usd_per_run))

}  // namespace sizesheet

namespace sizesheet {
namespace {

PlanProblem problem_from(const Json& request) {
  PlanProblem problem = one_job_problem(request.at("runs"));
  problem.months = request.value("months", problem.months);
  PlanPool& machine = problem.pools[0];
  patch(request.at("machine"), machine);
  machine.kind = *value_of(kPoolKinds, request.at("machine").value("kind", "bought"));
  problem.ways.clear();
  for (const Json& way : request.at("ways")) patch(way, problem.ways.emplace_back());
  const Json& limits = request.at("limits");
  if (limits.contains("budget")) problem.limits.budget = whole_usd(limits.at("budget"));
  if (limits.contains("kw")) problem.limits.kw = limits.at("kw");
  return problem;
}

PlanStudyQuestion question_from(const Json& request) {
  PlanStudyQuestion question;
  question.problem = problem_from(request);
  for (const Json& late : request.value("late", Json::array())) {
    PlanWay way = question.problem.ways.back();
    way.usd_per_run = whole_usd(late.at(0));
    question.late_ways.push_back({way, late.at(1)});
  }
  for (const Json& demand : request.value("demands", Json::array())) {
    question.demands.push_back({demand.at(0), {}});
    if (demand.at(1).is_number()) question.demands.back().runs = {{demand.at(1)}};
  }
  if (request.contains("upper")) {
    Json upper = request;
    upper.at("ways").merge_patch(request.at("upper"));
    question.upper_ways = problem_from(upper).ways;
  }
  return question;
}

Json facts_of_plan(const CapacityPlan& plan) {
  static const std::vector<std::string> kBarriers = {"no way", "budget", "power", "limits",
                                                     "units"};
  Json facts = {{"status", id_of(plan.status)},
                {"units", plan.units},
                {"fixed_usd", plan.fixed_usd},
                {"runs_usd", plan.runs_usd},
                {"usd", plan.total()}};
  if (plan.obstacle) {
    facts["obstacle"] = {kBarriers.at(static_cast<std::size_t>(plan.obstacle->barrier)),
                         plan.obstacle->job, plan.obstacle->month};
  }
  return facts;
}

void put_months(const PlanProblem& problem, const CapacityPlan& plan, Json& facts) {
  facts["assigned"] = Json::array();
  for (const PlanAssignment& one : plan.assignments) facts["assigned"].push_back(one.runs);
  for (const PlanPoolMonth& one : plan.pool_months) {
    facts["months"][problem.pools[one.pool].id + "_" + std::to_string(one.month)] = {
        {"used_gpu_hours", one.used_gpu_hours},
        {"gpu_hours", as_json(one.gpu_hours)},
        {"usd_per_gpu_hour", one.usd_per_gpu_hour}};
  }
  if (!plan.found()) return;
  for (const auto& usd : plan.marginal_usd_per_run[0]) facts["marginal"].push_back(as_json(usd));
}

void put_variations(const std::string& name, const std::vector<PlanVariation>& all, Json& facts) {
  facts[name + "s"] = all.size();
  for (std::size_t i = 0; i < all.size(); ++i) {
    Json one = facts_of_plan(all[i].plan);
    one["rents"] = all[i].rents;
    one["demand"] = all[i].demand;
    facts[name + "_" + std::to_string(i)] = one;
  }
}

Json planned_facts(const Json& request) {
  const PlanStudyQuestion question = question_from(request);
  const PlanStudy found = study(question);
  Json facts = facts_of_plan(found.plan);
  put_months(question.problem, found.plan, facts);
  if (request.contains("held")) {
    facts["held"] = facts_of_plan(solve_with_units(question.problem, request.at("held")));
  }
  facts["all_rented"] = facts_of_plan(found.all_rented);
  facts["all_owned"] = facts_of_plan(found.all_owned);
  facts["nothing_new"] = facts_of_plan(found.nothing_new);
  facts["upper"] = found.upper ? facts_of_plan(*found.upper) : Json();
  put_variations("variation", found.variations, facts);
  put_variations("flip", found.flips, facts);
  facts["limits"] = Json::array();
  for (const PlanLimitValue& one : found.limits) {
    facts["limits"].push_back(
        {id_of(kPlanLimits, one.limit), one.job, one.wider_usd, one.without_usd});
  }
  for (const PlanRegret& regret : found.regrets) {
    Json& row = facts["regrets"].emplace_back(Json::array());
    for (const auto& usd : regret.usd) row.push_back(as_json(usd));
  }
  return facts;
}

TEST(Plan, WorkedCases) { expect_cases(oracle("cases_plan.json"), planned_facts); }

TEST(Plan, WhatIsOutOfRangeIsRefused) { expect_refused(oracle("cases_plan.json"), planned_facts); }

TEST(Plan, WithoutAnyUnitsOnSaleEveryRunIsRented) {
  PlanProblem problem = one_job_problem({10});
  problem.pools.erase(problem.pools.begin());
  problem.ways = {{0, 0, 8, 36.5, whole_usd(1'250)}};
  const CapacityPlan plan = solve(problem, {});
  EXPECT_EQ(plan.status, PlanStatus::kOptimal);
  EXPECT_EQ(plan.total(), whole_usd(12'500));
  problem.limits.budget = whole_usd(0);
  EXPECT_EQ(solve(problem, {}).total(), whole_usd(12'500));
}

TEST(Plan, NamesOfThePoolsAreThoseOfFiles) {
  EXPECT_EQ(id_of(PoolKind::kRented), "on-demand");
  EXPECT_EQ(value_of(kPoolKinds, "bought"), PoolKind::kBought);
}

}  // namespace
}  // namespace sizesheet
