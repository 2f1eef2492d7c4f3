// SPDX-License-Identifier: Apache-2.0
// A run on spot: examples on paper, edges, refusals, and 300 random runs against a sum of what is
// done again and again.
#include "cost/spot_cost.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>

#include "cost/cost_line.h"
#include "cost/rent.h"
#include "support/formula_evaluator.h"
#include "support/money.h"

namespace sizesheet {
namespace {

/// Ten hours on two instances, hourly checkpoints, a quarter of an hour to start again.
SpotTerms ten_hours() { return {10, 0.01, 2, 1, 0.25}; }

TEST(SpotCost, TheExampleOnPaper) {
  // Lost each time: 1 / 2 + 0.25 = 0.75 h. Rate: 0.01 x 2 = 0.02 an hour, so 1.5 % of the paid
  // hours are lost: 10 / 0.985 = 10.1523 h, in which the run is stopped 0.2030 times.
  const auto run = spot_run(ten_hours());
  ASSERT_TRUE(run);
  EXPECT_DOUBLE_EQ(run->hours_lost_each, 0.75);
  EXPECT_NEAR(run->hours, 10.152284, 1e-6);
  EXPECT_NEAR(run->interruptions, 0.203046, 1e-6);
  const CostLine cost =
      explain_spot_cost(MicroUsd{20'000'000}, round_hours(run->hours), "price page");
  EXPECT_EQ(cost.usd, MicroUsd{203'046'000}) << "20 dollars x 10.1523 hours";
  EXPECT_EQ(cost.title, "Spot rent per run, interruptions counted");
  EXPECT_EQ(cost.name, "usd_per_run_interrupted");
  EXPECT_EQ(cost.source, "price page");
  EXPECT_EQ(rounded_usd(evaluate(cost.formula)), cost.usd);
}

TEST(SpotCost, AShortRunLosesHalfOfItself) {
  SpotTerms terms = ten_hours();
  terms.hours = 0.5;
  const auto run = spot_run(terms);
  ASSERT_TRUE(run);
  EXPECT_DOUBLE_EQ(run->hours_lost_each, 0.5) << "half of half an hour, and the start";
  EXPECT_NEAR(run->hours, 0.5 / 0.99, 1e-12);
}

TEST(SpotCost, WithoutInterruptionsNothingIsLost) {
  SpotTerms terms = ten_hours();
  terms.interruptions_per_hour = 0;
  const auto run = spot_run(terms);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->hours, 10);
  EXPECT_EQ(run->interruptions, 0);
}

TEST(SpotCost, ARunThatHardlyEndsHasNoPrice) {
  SpotTerms terms = ten_hours();
  terms.interruptions_per_hour = 0.6;
  ASSERT_TRUE(spot_run(terms)) << "1.2 an hour x 0.75 h = 0.9 of the hours";
  EXPECT_NEAR(spot_run(terms)->hours, 100, 1e-9);
  terms.interruptions_per_hour = 0.61;
  EXPECT_FALSE(spot_run(terms));
  EXPECT_FALSE(explain_spot_hours(terms, "a source"));
}

TEST(SpotCost, TheFormulaGivesTheHours) {
  const auto line = explain_spot_hours(ten_hours(), "an advisor");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->name, "spot_hours");
  EXPECT_EQ(line->title, "Hours of a run on spot");
  EXPECT_EQ(line->unit, "h");
  EXPECT_EQ(line->source, "an advisor");
  EXPECT_EQ(line->formula.text, "hours / (1 - share_lost)");
  ASSERT_EQ(line->formula.steps.size(), 3U);
  EXPECT_EQ(line->formula.steps[0].formula, "interruptions_per_instance_hour * instances");
  EXPECT_EQ(line->formula.steps[1].formula, "min(checkpoint_hours, hours) / 2 + restart_hours");
  EXPECT_EQ(line->formula.steps[2].formula, "interruptions_per_hour * hours_lost_each");
  EXPECT_EQ(evaluate(line->formula), line->value);
}

TEST(SpotCost, RefusesWhatCannotBe) {
  for (double SpotTerms::*member : {&SpotTerms::hours, &SpotTerms::interruptions_per_hour,
                                    &SpotTerms::checkpoint_hours, &SpotTerms::restart_hours}) {
    for (const double bad : {-1.0, std::nan("")}) {
      SpotTerms terms = ten_hours();
      terms.*member = bad;
      EXPECT_THROW(spot_run(terms), std::invalid_argument);
      EXPECT_THROW(explain_spot_hours(terms, ""), std::invalid_argument);
    }
  }
  SpotTerms terms = ten_hours();
  terms.instances = 0;
  EXPECT_THROW(spot_run(terms), std::invalid_argument);
}

/// The first pass over the hours, then what is lost in it, then what is lost in that, and so on.
double summed_hours(const SpotTerms& terms) {
  const double kept = terms.checkpoint_hours < terms.hours ? terms.checkpoint_hours : terms.hours;
  double pass = terms.hours;
  double all = 0;
  for (int again = 0; again < 10000 && pass > 1e-15 * terms.hours; ++again) {
    all += pass;
    const double stops = pass * terms.interruptions_per_hour * static_cast<double>(terms.instances);
    pass = stops * kept * 0.5 + stops * terms.restart_hours;
  }
  return all;
}

TEST(SpotCost, ThreeHundredRandomRunsAgreeWithTheSum) {
  std::mt19937_64 random(58);
  const auto up_to = [&](double most) {
    return most * static_cast<double>(random() % 1'000'001) / 1e6;
  };
  int ended = 0;
  for (int i = 0; i < 300; ++i) {
    const SpotTerms terms{0.01 + up_to(200), up_to(0.05),
                          1 + static_cast<std::int64_t>(random() % 16), 0.05 + up_to(8), up_to(1)};
    const auto run = spot_run(terms);
    const auto line = explain_spot_hours(terms, "");
    ASSERT_EQ(run.has_value(), line.has_value()) << i;
    const double summed = summed_hours(terms);
    if (!run) {
      EXPECT_GT(summed, 9.99 * terms.hours) << i;
      continue;
    }
    ++ended;
    EXPECT_NEAR(run->hours, summed, 1e-9 * summed) << i;
    EXPECT_NEAR(line->value, run->hours, 1e-12 * summed) << i;
    EXPECT_GE(run->hours, terms.hours) << i;
    EXPECT_NEAR(run->hours, terms.hours + run->interruptions * run->hours_lost_each, 1e-9 * summed)
        << "what is paid is the run and what it loses: " << i;
  }
  EXPECT_GT(ended, 150);
}

TEST(SpotCost, MoreInterruptionsOrLongerIntervalsNeverCostLess) {
  std::mt19937_64 random(59);
  for (int i = 0; i < 100; ++i) {
    SpotTerms terms = ten_hours();
    terms.interruptions_per_hour = static_cast<double>(random() % 1000) / 1e5;
    const double hours = spot_run(terms)->hours;
    for (double SpotTerms::*member : {&SpotTerms::interruptions_per_hour,
                                      &SpotTerms::checkpoint_hours, &SpotTerms::restart_hours}) {
      SpotTerms more = terms;
      more.*member *= 1.5;
      EXPECT_GE(spot_run(more)->hours, hours) << i;
    }
  }
}

}  // namespace
}  // namespace sizesheet
