// SPDX-License-Identifier: Apache-2.0
// The whole project: an example on paper, edges, refusals, and 300 random projects against sums of
// their own.
#include "cost/project_cost.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>

#include "support/formula_evaluator.h"
#include "support/money.h"

namespace sizesheet {
namespace {

/// A sweep of four runs at $100 on 50 million tokens, one of five lost.
ProjectTerms sweep_of_four() {
  ProjectTerms terms;
  terms.usd_per_run = MicroUsd{100'000'000};
  terms.tokens_per_run = 50'000'000;
  terms.runs = 4;
  terms.failed_share = 0.2;
  terms.evaluation_tokens = 10'000'000;
  terms.forward_share = 0.25;
  terms.stored_gib = 200;
  terms.storage_months = 2;
  terms.usd_per_gib_month = MicroUsd{70'000};
  terms.egress_gib = 100;
  terms.usd_per_gib = MicroUsd{90'000};
  terms.engineering_hours = 16;
  terms.usd_per_engineering_hour = MicroUsd{95'000'000};
  return terms;
}

TEST(ProjectCost, TheExampleOnPaper) {
  const ProjectDollars cost = project_cost(sweep_of_four());
  EXPECT_EQ(cost.runs_usd, MicroUsd{500'000'000}) << "4 / (1 - 0.2) = 5 runs started";
  EXPECT_EQ(cost.evaluation_usd, MicroUsd{20'000'000})
      << "4 x 10 million tokens x 0.000002 dollars x 0.25";
  EXPECT_EQ(cost.storage_usd, MicroUsd{28'000'000});
  EXPECT_EQ(cost.egress_usd, MicroUsd{9'000'000});
  EXPECT_EQ(cost.people_usd, MicroUsd{1'520'000'000});
  EXPECT_EQ(cost.total_usd, MicroUsd{2'077'000'000});
}

TEST(ProjectCost, OneRunAndNothingElseIsTheRun) {
  ProjectTerms terms;
  terms.usd_per_run = MicroUsd{5'944'123};
  const ProjectDollars cost = project_cost(terms);
  EXPECT_EQ(cost.total_usd, terms.usd_per_run);
  EXPECT_EQ(cost.runs_usd, terms.usd_per_run);
  const auto lines = explain_project(terms);
  ASSERT_EQ(lines.size(), 2U) << "the runs and the total";
  EXPECT_EQ(lines[0].title, "Project, all runs started");
  EXPECT_EQ(lines[1].title, "The whole project");
  EXPECT_EQ(lines[1].formula.text, "project_usd_runs");
}

TEST(ProjectCost, EveryFormulaGivesItsAmount) {
  const auto lines = explain_project(sweep_of_four());
  ASSERT_EQ(lines.size(), 6U);
  MicroUsd sum;
  for (const CostLine& line : lines) {
    EXPECT_EQ(rounded_usd(evaluate(line.formula)), line.usd) << line.name;
    EXPECT_EQ(line.unit, "$");
    EXPECT_EQ(line.source, kDefinition);
    if (line.name != "project_usd_total") sum += line.usd;
  }
  EXPECT_EQ(lines.back().name, "project_usd_total");
  EXPECT_EQ(lines.back().usd, sum);
  EXPECT_EQ(lines[0].formula.text, "runs_started * usd_per_run");
  EXPECT_EQ(lines[0].formula.steps.at(0).formula, "runs / (1 - failed_share)");
}

void expect_no_project(const ProjectTerms& terms, const std::string& message) {
  try {
    project_cost(terms);
    ADD_FAILURE() << "not refused: " << message;
  } catch (const std::invalid_argument& refusal) {
    EXPECT_EQ(refusal.what(), message);
  }
}

TEST(ProjectCost, RefusesWhatCannotBe) {
  for (double ProjectTerms::*member :
       {&ProjectTerms::runs, &ProjectTerms::failed_share, &ProjectTerms::evaluation_tokens,
        &ProjectTerms::forward_share, &ProjectTerms::stored_gib, &ProjectTerms::storage_months,
        &ProjectTerms::egress_gib, &ProjectTerms::engineering_hours}) {
    for (const double bad : {-0.5, std::nan("")}) {
      ProjectTerms terms = sweep_of_four();
      terms.*member = bad;
      expect_no_project(terms, "project: expected numbers at least 0");
    }
  }
  ProjectTerms terms = sweep_of_four();
  terms.failed_share = 1;
  expect_no_project(terms, "project: expected a failed share below 1");
  terms = sweep_of_four();
  terms.tokens_per_run = 0;
  expect_no_project(terms, "project: expected the tokens of a run beside those of evaluation");
  terms = sweep_of_four();
  terms.engineering_hours = 1e15;
  EXPECT_THROW(project_cost(terms), std::overflow_error);
}

/// Each part in micro-dollars, by another order of the arithmetic.
long double summed_micro_usd(const ProjectTerms& t) {
  const auto micro = [](MicroUsd usd) { return static_cast<long double>(usd.value); };
  const long double lost = t.runs * t.failed_share / (1.0L - t.failed_share);
  long double all = micro(t.usd_per_run) * lost;
  all += micro(t.usd_per_run) * t.runs;
  const long double read = static_cast<long double>(t.runs) * t.evaluation_tokens;
  all +=
      micro(t.usd_per_run) * (read * t.forward_share / static_cast<long double>(t.tokens_per_run));
  all += micro(t.usd_per_gib_month) * t.storage_months * t.stored_gib;
  all += micro(t.usd_per_gib) * t.egress_gib;
  return all + micro(t.usd_per_engineering_hour) * t.engineering_hours;
}

TEST(ProjectCost, ThreeHundredRandomProjectsAgreeWithSums) {
  std::mt19937_64 random(5);
  const auto up_to = [&](double most) {
    return most * static_cast<double>(random() % 1'000'001) / 1e6;
  };
  const auto usd = [&](double most) { return rounded_usd(up_to(most)); };
  for (int i = 0; i < 300; ++i) {
    ProjectTerms t;
    t.usd_per_run = usd(20'000);
    t.tokens_per_run = 1'000'000 + static_cast<std::int64_t>(random() % 1'000'000'000);
    t.runs = 1 + static_cast<double>(random() % 40);
    t.failed_share = up_to(0.9);
    t.evaluation_tokens = static_cast<double>(random() % 100'000'000);
    t.forward_share = 0.25 + up_to(0.25);
    t.stored_gib = up_to(20'000);
    t.storage_months = up_to(36);
    t.usd_per_gib_month = usd(0.2);
    t.egress_gib = up_to(10'000);
    t.usd_per_gib = usd(0.1);
    t.engineering_hours = up_to(400);
    t.usd_per_engineering_hour = usd(200);
    const ProjectDollars cost = project_cost(t);
    EXPECT_NEAR(static_cast<double>(cost.total_usd.value), static_cast<double>(summed_micro_usd(t)),
                4)
        << i << ": five parts, each rounded once";
    EXPECT_EQ(cost.total_usd, cost.runs_usd + cost.evaluation_usd + cost.storage_usd +
                                  cost.egress_usd + cost.people_usd);
    for (const CostLine& line : explain_project(t)) {
      EXPECT_EQ(rounded_usd(evaluate(line.formula)), line.usd) << i << " " << line.name;
    }
  }
}

TEST(ProjectCost, MoreOfAnythingNeverCostsLess) {
  const MicroUsd least = project_cost(sweep_of_four()).total_usd;
  for (double ProjectTerms::*member :
       {&ProjectTerms::runs, &ProjectTerms::failed_share, &ProjectTerms::evaluation_tokens,
        &ProjectTerms::forward_share, &ProjectTerms::stored_gib, &ProjectTerms::storage_months,
        &ProjectTerms::egress_gib, &ProjectTerms::engineering_hours}) {
    ProjectTerms more = sweep_of_four();
    more.*member *= 1.25;
    EXPECT_GT(project_cost(more).total_usd, least);
  }
}

}  // namespace
}  // namespace sizesheet
