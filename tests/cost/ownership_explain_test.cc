// SPDX-License-Identifier: Apache-2.0
// Formulas of owning, of its break-even and of the runs from which it pays: each gives its figure.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "cost/ownership.h"
#include "cost/sample_terms.h"
#include "support/formula_evaluator.h"

namespace sizesheet {
namespace {

std::map<std::string, CostLine> by_name(const std::vector<CostLine>& lines) {
  std::map<std::string, CostLine> found;
  for (const CostLine& line : lines) found.emplace(line.name, line);
  return found;
}

/// The formula of a step of `line`, or "".
std::string step_of(const CostLine& line, const std::string& name) {
  for (const FormulaStep& step : line.formula.steps) {
    if (step.name == name) return step.formula;
  }
  return "";
}

TEST(ExplainOwnership, ListsThePartsInOrderThenTheTotalsThenTheComparison) {
  std::vector<std::string> names;
  for (const CostLine& line : explain_ownership(h100_terms())) names.push_back(line.name);
  EXPECT_EQ(names, (std::vector<std::string>{
                       "capex_usd", "depreciation", "capital", "colo", "support", "energy", "staff",
                       "network", "licence", "own_usd_per_month", "own_usd_per_gpu_hour",
                       "rent_usd_per_month", "savings_usd_over_life", "npv_usd"}));
  OwnershipTerms alone = h100_terms();
  alone.rent_usd_per_gpu_hour.reset();
  EXPECT_EQ(explain_ownership(alone).back().name, "own_usd_per_gpu_hour");
}

TEST(ExplainOwnership, FormulasReadLikeTheMethod) {
  const auto lines = by_name(explain_ownership(h100_terms()));
  EXPECT_EQ(step_of(lines.at("depreciation"), "depreciation"),
            "(capex_usd - residual_usd) / life_years / 12");
  EXPECT_EQ(step_of(lines.at("depreciation"), "capex_usd"),
            "nodes * capex_usd_per_node + gpus * network_usd_per_gpu");
  EXPECT_EQ(lines.at("colo").formula.text, "nodes * node_kw * colo_usd_per_kw_month");
  EXPECT_EQ(lines.at("support").formula.text, "support_share_per_year * capex_usd / 12");
  EXPECT_EQ(step_of(lines.at("energy"), "full_load_energy"),
            "nodes * node_kw * pue * hours_per_month * usd_per_kwh");
  EXPECT_EQ(lines.at("energy").formula.text,
            "full_load_energy * (idle_power_share + (1 - idle_power_share) * utilisation)");
  EXPECT_EQ(lines.at("own_usd_per_month").formula.text,
            "depreciation + capital + colo + support + energy + staff + network + licence");
  EXPECT_EQ(lines.at("own_usd_per_gpu_hour").formula.text, "own_usd_per_month / used_gpu_hours");
  EXPECT_EQ(lines.at("rent_usd_per_month").formula.text, "rent_usd_per_gpu_hour * used_gpu_hours");
}

TEST(ExplainOwnership, WritesTheYearsOut) {
  OwnershipTerms terms = h100_terms();
  terms.life_years = 3;
  const CostLine capital = by_name(explain_ownership(terms)).at("capital");
  EXPECT_EQ(step_of(capital, "present_value_1"), "1 / (1 + cost_of_capital)");
  EXPECT_EQ(step_of(capital, "present_value_3"), "present_value_2 / (1 + cost_of_capital)");
  EXPECT_EQ(step_of(capital, "annuity"), "present_value_1 + present_value_2 + present_value_3");
  EXPECT_EQ(step_of(capital, "capital_recovery_usd_per_year"),
            "(capex_usd - residual_usd * present_value_3) / annuity");
  EXPECT_EQ(capital.formula.text, "capital_recovery_usd_per_year / 12 - depreciation");
  terms.capital_method = CapitalMethod::kStraightLine;
  EXPECT_EQ(by_name(explain_ownership(terms)).at("capital").formula.text,
            "cost_of_capital * (capex_usd + residual_usd) / 2 / 12");
}

TEST(ExplainOwnership, WhatIsOffLeavesNoTraceAndWhatIsOnDoes) {
  OwnershipTerms terms = h100_terms();
  terms.gpus = 60;
  terms.life_years = 3;
  terms.cabling_share = 0.12;
  terms.value_decay_oom_per_year = 0.14;
  terms.staff_fte_per_node = 0.02;
  terms.usd_per_fte_year = MicroUsd{180'000'000'000};
  terms.capital_method = CapitalMethod::kNone;
  const auto lines = by_name(explain_ownership(terms));
  EXPECT_EQ(step_of(lines.at("depreciation"), "capex_usd"),
            "nodes * capex_usd_per_node * (1 + cabling_share) + gpus * network_usd_per_gpu");
  EXPECT_EQ(step_of(lines.at("depreciation"), "residual_share"),
            "value_kept_a_year * value_kept_a_year * value_kept_a_year");
  EXPECT_EQ(lines.at("staff").formula.text,
            "(staff_usd_per_year + nodes * staff_fte_per_node * usd_per_fte_year) / 12");
  EXPECT_EQ(lines.at("capital").formula.text, "0");
  EXPECT_EQ(lines.at("capital").title, "Capital, not charged");
  EXPECT_EQ(lines.at("unused_usd_per_month").formula.text,
            "own_usd_per_month * unused_gpus / gpus_bought");
  const auto plain = by_name(explain_ownership(h100_terms()));
  EXPECT_EQ(plain.at("staff").formula.text, "staff_usd_per_year / 12");
  EXPECT_FALSE(plain.contains("unused_usd_per_month"));
}

TEST(ExplainOwnership, EveryLineHasASource) {
  for (const CostLine& line : explain_ownership(h100_terms())) {
    EXPECT_FALSE(line.source.empty()) << line.name;
    EXPECT_FALSE(line.title.empty()) << line.name;
  }
}

TEST(ExplainOwnership, EveryFormulaGivesItsAmount) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200; ++i) {
    const OwnershipTerms terms = random_terms(random);
    const OwnLine result = cost_of_owning(terms);
    const auto lines = explain_ownership(terms);
    for (const CostLine& line : lines) {
      EXPECT_EQ(rounded_usd(evaluate(line.formula)), line.usd) << line.name << " in case " << i;
    }
    const auto named = by_name(lines);
    for (const auto& [name, usd] : result.parts.named()) EXPECT_EQ(named.at(name).usd, usd) << name;
    EXPECT_EQ(named.at("own_usd_per_month").usd, result.own_usd_per_month);
  }
}

TEST(ExplainBreakEven, EveryFormulaGivesItsValue) {
  std::mt19937_64 random(8);
  std::size_t compared = 0;
  for (int i = 0; i < 200; ++i) {
    const OwnershipTerms terms = random_terms(random);
    const auto lines = explain_break_even(terms);
    for (const QuantityLine& line : lines)
      EXPECT_EQ(evaluate(line.formula), line.value) << line.name;
    const OwnLine result = cost_of_owning(terms);
    const bool has = result.break_even_utilisation.has_value();
    EXPECT_EQ(result.break_even_runs_per_month.has_value(), has && terms.hours_per_run);
    const bool never = lines.back().name == "break_even_utilisation";
    EXPECT_EQ(lines.size(), 1U + (result.payback_years_cash ? 1 : 0) + (has ? 2 : 0) +
                                (never ? 1 : 0) + (result.break_even_runs_per_month ? 1 : 0));
    if (never) {
      EXPECT_FALSE(has);
      EXPECT_GT(lines.back().value, 1);
      EXPECT_EQ(lines.back().title, "Break-even, share of a month's hours: above 1, so never");
    }
    compared += has ? 1 : 0;
  }
  EXPECT_GT(compared, 20U);
}

TEST(ExplainBreakEven, ReadsAsTwoLinesThatMeet) {
  const auto lines = explain_break_even(h100_terms());
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0].formula.text, "nodes");
  EXPECT_EQ(lines[1].formula.text,
            "capex_usd / (12 * (rent_usd_per_month - running_usd_per_month))");
  EXPECT_EQ(lines[2].formula.text, "own_at_zero_hours / rent_less_energy_at_full_use");
  EXPECT_EQ(lines[3].formula.text, "break_even_utilisation * hours_per_month");
  EXPECT_EQ(lines[3].unit, "h/month");
  EXPECT_EQ(lines[3].formula.inputs.size(), 2U) << "the figure before it, and the hours of a month";
}

/// $3,650 a month idle, $7,300 at full use ($5 an hour of power), 10 hours a run.
OwnedMachine machine() { return {MicroUsd{3'650'000'000}, MicroUsd{7'300'000'000}, 730, 10}; }

constexpr MicroUsd dollars(std::int64_t usd) { return {usd * 1'000'000}; }

TEST(RunBreakEven, WhereBothMonthsCostTheSame) {
  // A run saves its rent of 150 less 50 of power: 3,650 / 100 runs.
  const auto found = run_break_even(machine(), dollars(150));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_DOUBLE_EQ(found[0].value, 36.5);
  EXPECT_DOUBLE_EQ(found[1].value, 365);
}

TEST(RunBreakEven, RunsThatDoNotFitIntoTheMonthAreNone) {
  EXPECT_DOUBLE_EQ(run_break_even(machine(), dollars(100)).at(1).value, 730);
  EXPECT_TRUE(run_break_even(machine(), dollars(99)).empty());
}

TEST(RunBreakEven, ARentBelowThePowerOfARunIsNeverCaughtUp) {
  EXPECT_TRUE(run_break_even(machine(), dollars(50)).empty());
  EXPECT_TRUE(run_break_even(machine(), dollars(10)).empty());
  EXPECT_TRUE(run_break_even(machine(), MicroUsd{}).empty());
}

TEST(RunBreakEven, TheFormulasGiveTheFigures) {
  const auto lines = run_break_even(machine(), dollars(151));
  ASSERT_EQ(lines.size(), 2U);
  for (const QuantityLine& line : lines) EXPECT_EQ(evaluate(line.formula), line.value) << line.name;
  EXPECT_EQ(lines[0].formula.steps[0].formula,
            "(full_use_usd_per_month - fixed_usd_per_month) / hours_per_month * hours_per_run");
  EXPECT_EQ(lines[0].formula.steps[1].formula, "rent_usd_per_run - energy_usd_per_run");
  EXPECT_EQ(lines[0].formula.steps[2].formula, "fixed_usd_per_month / saved_usd_per_run");
  EXPECT_EQ(lines[1].formula.text, "break_even_runs_per_month * hours_per_run");
}

}  // namespace
}  // namespace sizesheet
