// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "cost/ownership.h"
#include "support/formula_evaluator.h"

namespace sizesheet {
namespace {

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
