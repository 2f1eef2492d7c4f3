// SPDX-License-Identifier: Apache-2.0
// Interval factors: coverage, rounding, grades, and where too little was measured.
#include "evidence/interval_fit.h"

#include <gtest/gtest.h>

#include "catalog/published/measured.h"
#include "evidence/accuracy.h"
#include "support/text.h"

namespace sizesheet {
namespace {

Intervals classes() {
  Intervals intervals;
  IntervalClass narrow;
  narrow.id = "one-full";
  narrow.title = "Full on one GPU";
  narrow.when.kind = {"full"};
  narrow.when.spread = "one";
  IntervalClass other;
  other.id = "data";
  other.title = "Data parallel";
  other.when.spread = "data";
  IntervalClass any;
  any.id = "any";
  any.title = "Any run";
  any.low = 0.5;
  any.high = 2;
  intervals.classes = {narrow, other, any};
  return intervals;
}

Residual residual(const std::string& kind, const std::string& spread, const std::string& source,
                  double ratio, bool held_out = false) {
  return {{"hf", kind, spread, true}, source, held_out, ratio};
}

/// 0.93, 0.94 … 1.10 and two far ones on one GPU, from two sources.
std::vector<Residual> twenty() {
  std::vector<Residual> residuals;
  for (int i = 0; i < 18; ++i) {
    residuals.push_back(residual("full", "one", i % 2 == 0 ? "a" : "b", (93 + i) / 100.0));
  }
  residuals.push_back(residual("full", "one", "a", 1.4));
  residuals.push_back(residual("full", "one", "b", 1.5));
  return residuals;
}

TEST(IntervalFit, leaves_out_the_far_ones_on_whichever_side_they_are) {
  const IntervalClass one = fit_intervals(classes(), twenty()).classes[0];
  EXPECT_DOUBLE_EQ(one.low, 0.93);
  EXPECT_DOUBLE_EQ(one.high, 1.10);
  EXPECT_EQ(one.n, 20);
  EXPECT_EQ(one.sources, 2);
  EXPECT_EQ(one.grade, "A");
  EXPECT_EQ(one.basis, "20 figures from 2 sources; the range leaves out the 2 most extreme.");
}

TEST(IntervalFit, covers_nine_of_ten_of_any_sample) {
  std::vector<Residual> residuals;
  for (int n = 1; n <= 60; ++n) {
    residuals.push_back(residual("lora", "one", n % 2 == 0 ? "a" : "b", 0.7 + n * 0.0137));
    if (n < 8) continue;
    const IntervalClass any = fit_intervals(classes(), residuals).classes[2];
    std::int64_t within = 0;
    for (const Residual& one : residuals) {
      within += any.low <= one.ratio && one.ratio <= any.high ? 1 : 0;
    }
    EXPECT_GE(within * 10, std::int64_t{9} * n) << n;
  }
}

TEST(IntervalFit, always_contains_the_estimate) {
  std::vector<Residual> residuals;
  for (int i = 0; i < 10; ++i) {
    residuals.push_back(residual("full", "one", i % 2 == 0 ? "a" : "b", 1.30 + i / 100.0));
  }
  const IntervalClass one = fit_intervals(classes(), residuals).classes[0];
  EXPECT_EQ(one.low, 1);
  EXPECT_DOUBLE_EQ(one.high, 1.38);
  EXPECT_EQ(one.grade, "B");
}

TEST(IntervalFit, too_few_rows_take_the_next_wider_class) {
  std::vector<Residual> residuals = twenty();
  residuals.push_back(residual("full", "data", "a", 1.05));
  const Intervals fitted = fit_intervals(classes(), residuals);
  const IntervalClass& data = fitted.classes[1];
  EXPECT_EQ(data.low, fitted.classes[2].low);
  EXPECT_EQ(data.high, fitted.classes[2].high);
  EXPECT_EQ(data.n, 1);
  EXPECT_EQ(data.grade, "C");
  EXPECT_EQ(data.basis, "Only 1 figure from 1 source, so the range of \"Any run\" is used.");
}

TEST(IntervalFit, a_card_that_nothing_was_measured_on_takes_the_wider_class_and_more) {
  for (const auto& [evidence, share] : {std::pair{"none", 0.3}, std::pair{"related", 0.2}}) {
    Intervals unmeasured = classes();
    unmeasured.rules.new_card = 0.3;
    unmeasured.rules.related_card = 0.2;
    unmeasured.classes[0].when = {};
    unmeasured.classes[0].when.evidence = evidence;
    const Intervals fitted = fit_intervals(unmeasured, twenty());
    const IntervalClass& any = fitted.classes.back();
    EXPECT_NEAR(fitted.classes[0].low, (1 - share) * any.low, 0.0006);
    EXPECT_NEAR(fitted.classes[0].high, (1 + share) * any.high, 0.0006);
    EXPECT_EQ(fitted.classes[0].grade, "C");
    EXPECT_EQ(fitted.classes[0].basis, "No figures, so the range of \"" + any.title +
                                           "\" is used, widened by " +
                                           format_number(100 * share, 0) + " % at each end.");
  }
}

/// Three sources agree and a fourth lies a fifth higher: whoever meets it unseen needs that much.
TEST(IntervalFit, a_source_that_lies_apart_moves_the_end_on_its_side) {
  std::vector<Residual> residuals;
  for (const char* source : {"a", "b", "c"}) {
    for (int i = 0; i < 10; ++i)
      residuals.push_back(residual("full", "one", source, 1 + i / 100.0));
  }
  for (int i = 0; i < 3; ++i) residuals.push_back(residual("full", "one", "d", 1.2 * 1.09));
  Intervals asked = classes();
  asked.rules.unseen_coverage = 0.95;
  const Intervals fitted = fit_intervals(asked, residuals);
  EXPECT_EQ(fitted.classes[0].low, 1);
  EXPECT_NEAR(fitted.classes[0].high, 1.09 * 1.2, 0.02);
  std::vector<AccuracyInterval> intervals(1);
  intervals[0].id = "one-full";
  const HeldOutCoverage coverage = put_coverage(fitted, residuals, intervals);
  EXPECT_EQ(coverage.n, 33);
  EXPECT_EQ(intervals[0].rows, 33);
  EXPECT_EQ(intervals[0].within, 1);
  EXPECT_NEAR(*intervals[0].left_out, 30 / 33.0, 1e-12);  // without it nothing speaks for "d"
}

TEST(IntervalFit, one_source_is_too_few_however_many_rows) {
  std::vector<Residual> residuals;
  for (int i = 0; i < 9; ++i) residuals.push_back(residual("full", "one", "a", 1.01));
  const IntervalClass any = fit_intervals(classes(), residuals).classes[2];
  EXPECT_EQ(any.low, 0.5);
  EXPECT_EQ(any.high, 2);
  EXPECT_EQ(any.basis, "Only 9 figures from 1 source, so the earlier range is kept.");
}

TEST(IntervalFit, held_out_figures_are_tried_and_never_fitted) {
  std::vector<Residual> residuals = twenty();
  residuals.push_back(residual("full", "one", "c", 1.05, true));
  residuals.push_back(residual("full", "one", "c", 1.50, true));
  const HeldOutCoverage coverage = held_out_coverage(classes(), residuals);
  EXPECT_EQ(coverage.n, 2);
  EXPECT_EQ(coverage.share, 0.5);
  EXPECT_NEAR(*coverage.median_half_width, 0.085, 1e-12);
  EXPECT_EQ(held_out_coverage(classes(), twenty()).share, std::nullopt);
}

}  // namespace
}  // namespace sizesheet
