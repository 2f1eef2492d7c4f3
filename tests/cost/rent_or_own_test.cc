// SPDX-License-Identifier: Apache-2.0
// The comparison of a run rented with a run owned: by hand, its symmetry, its monotony, and against
// an implementation of its own.
#include "cost/rent_or_own.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "cost/cost_line.h"
#include "support/formula_evaluator.h"
#include "support/money.h"

namespace sizesheet {
namespace {

/// $3,650 per month idle, $7,300 at full use ($5 an hour of power), 10 hours per run.
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

/// Amounts and ways that are as often equal, or zero, as not.
class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}

  MicroUsd usd(std::int64_t most) {
    const std::int64_t cents = std::uniform_int_distribution<std::int64_t>(0, most * 100)(engine_);
    return {one_in(20) ? 0 : cents * 10'000};
  }
  double number(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  WayToRun way() { return {to_usd(usd(5'000)), to_usd(usd(300))}; }
  bool one_in(int n) { return std::uniform_int_distribution<int>(1, n)(engine_) == 1; }
  OwnedMachine machine() {
    const MicroUsd fixed = usd(20'000);
    return {fixed, fixed + usd(4'000), one_in(4) ? 500.0 : 730.0, number(0.1, 60)};
  }

 private:
  std::mt19937 engine_;
};

RentOrOwn mirrored(RentOrOwn word) {
  if (word == RentOrOwn::kClose) return word;
  return word == RentOrOwn::kRent ? RentOrOwn::kBuy : RentOrOwn::kRent;
}

TEST(RentOrOwn, amounts_exchanged_mirror_the_word) {
  Dice dice(20261128);
  for (int i = 0; i < 1000; ++i) {
    const MicroUsd rent = dice.usd(1'000);
    const MicroUsd own =
        dice.one_in(3) ? rounded_usd(to_usd(rent) * dice.number(0.85, 1.2)) : dice.usd(1'000);
    EXPECT_EQ(rent_or_own(own, rent), mirrored(rent_or_own(rent, own)))
        << rent.value << " " << own.value;
  }
}

TEST(RentOrOwn, ways_exchanged_break_even_at_the_same_runs) {
  Dice dice(1128);
  int meet = 0;
  for (int i = 0; i < 1000; ++i) {
    const WayToRun a = dice.way();
    const WayToRun b = dice.way();
    const auto there = even_runs(a, b);
    const auto back = even_runs(b, a);
    ASSERT_EQ(there.has_value(), back.has_value());
    if (!there) continue;
    ++meet;
    EXPECT_EQ(there->runs_per_month, back->runs_per_month);
    EXPECT_NE(there->second_is_less_above, back->second_is_less_above);
  }
  EXPECT_GT(meet, 300);
}

TEST(RentOrOwn, a_higher_rent_never_raises_the_break_even) {
  Dice dice(365);
  int even = 0;
  for (int i = 0; i < 1000; ++i) {
    const OwnedMachine machine = dice.machine();
    const MicroUsd rent = dice.usd(2'000);
    const auto at = run_break_even(machine, rent);
    const auto dearer = run_break_even(machine, rent + dice.usd(500));
    if (at.empty()) continue;
    ++even;
    ASSERT_FALSE(dearer.empty()) << "what pays at a rent pays at a higher one";
    EXPECT_LE(dearer[0].value, at[0].value);
    EXPECT_LE(dearer[1].value, at[1].value);
  }
  EXPECT_GT(even, 300);
}

/// Hours per month found by halving the month until rented and owned cost the same; below zero
/// where owning is dearer at every hour.
double halved(const OwnedMachine& machine, MicroUsd rent) {
  const auto saved = [&](double hours) {
    const double share = hours / machine.hours_per_month;
    const double owned = to_usd(machine.fixed_usd_per_month) * (1 - share) +
                         to_usd(machine.full_use_usd_per_month) * share;
    return hours / machine.hours_per_run * to_usd(rent) - owned;
  };
  double low = 0;
  double high = machine.hours_per_month;
  if (saved(high) < 0) return -1;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (saved(middle) < 0 ? low : high) = middle;
  }
  return high;
}

TEST(RentOrOwn, three_hundred_questions_agree_with_another_implementation) {
  Dice dice(300);
  int even = 0;
  for (int i = 0; i < 300; ++i) {
    OwnedMachine machine = dice.machine();
    machine.fixed_usd_per_month += MicroUsd{10'000};  // a machine that costs nothing pays at once
    const MicroUsd rent = dice.usd(2'000);
    const double hours = halved(machine, rent);
    const auto found = run_break_even(machine, rent);
    if (hours < 0) {
      EXPECT_TRUE(found.empty()) << i;
      continue;
    }
    ++even;
    ASSERT_FALSE(found.empty()) << i;
    EXPECT_NEAR(found[1].value, hours, 1e-6 * machine.hours_per_month) << i;
    EXPECT_NEAR(found[0].value, hours / machine.hours_per_run,
                1e-6 * machine.hours_per_month / machine.hours_per_run)
        << i;
  }
  EXPECT_GT(even, 100);
  EXPECT_LT(even, 300);
}

TEST(RentOrOwn, is_close_within_a_tenth_of_the_dearer_in_either_order) {
  const MicroUsd dearer{1000};
  for (const auto& [other, close] : {std::pair(899, false), {900, true}, {1000, true}}) {
    EXPECT_EQ(is_close(MicroUsd{other}, dearer), close) << other;
    EXPECT_EQ(is_close(dearer, MicroUsd{other}), close) << other;
  }
}

TEST(RentOrOwn, close_is_within_a_tenth_of_the_dearer) {
  EXPECT_EQ(rent_or_own(dollars(100), dollars(90)), RentOrOwn::kClose);
  EXPECT_EQ(rent_or_own(dollars(100), MicroUsd{89'999'999}), RentOrOwn::kBuy);
  EXPECT_EQ(rent_or_own(dollars(90), dollars(100)), RentOrOwn::kClose);
  EXPECT_EQ(rent_or_own(MicroUsd{89'999'999}, dollars(100)), RentOrOwn::kRent);
  EXPECT_EQ(rent_or_own(MicroUsd{}, MicroUsd{}), RentOrOwn::kClose);
}

TEST(RentOrOwn, ways_that_cost_the_same_a_run_never_meet) {
  EXPECT_FALSE(even_runs({0, 50}, {100, 50}));
  EXPECT_FALSE(even_runs({0, 40}, {100, 50})) << "the second is dearer at any number of runs";
  const auto even = even_runs({0, 100}, {500, 50});
  ASSERT_TRUE(even);
  EXPECT_EQ(even->runs_per_month, 10);
  EXPECT_TRUE(even->second_is_less_above);
}

}  // namespace
}  // namespace sizesheet
