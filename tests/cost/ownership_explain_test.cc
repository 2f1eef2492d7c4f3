// SPDX-License-Identifier: Apache-2.0
// Formulas of owning, of its break-even and of the runs from which it pays: each gives its figure.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "cost/cost_line.h"
#include "cost/ownership.h"
#include "cost/ownership_answer.h"
#include "cost/sample_terms.h"
#include "support/formula_evaluator.h"
#include "support/money.h"

namespace sizesheet {
namespace {

std::map<std::string, CostLine> by_name(const std::vector<CostLine>& lines) {
  std::map<std::string, CostLine> found;
  for (const CostLine& line : lines) found.emplace(line.name, line);
  return found;
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

}  // namespace
}  // namespace sizesheet
