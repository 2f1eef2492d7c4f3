// SPDX-License-Identifier: Apache-2.0
// Totals: what counts, what stands outside, which bar is missed; medians, percentiles and bias
// worked by hand.
#include "evidence/totals.h"

#include <gtest/gtest.h>

#include "catalog/published/measured.h"
#include "evidence/accuracy.h"
#include "sizing/memory/verdict.h"

namespace sizesheet {
namespace {

AccuracyRow equal_row(const std::string& source, const std::string& kind, double error) {
  AccuracyRow row;
  row.source = source;
  row.framework = "hf";
  row.method = "lora";
  row.kind = kind;
  row.relation = "equal";
  row.measured = 1000;
  row.predicted = 1000;
  row.error = error;
  row.verdict = Verdict::kFits;
  return row;
}

AccuracyRow run_row(const std::string& relation, Verdict verdict) {
  AccuracyRow row;
  row.source = "c";
  row.kind = "device";
  row.relation = relation;
  row.predicted = 1000;
  row.verdict = verdict;
  return row;
}

AccuracyRow bound_row(std::int64_t measured, std::int64_t predicted) {
  AccuracyRow row = run_row("lower_bound", Verdict::kFits);
  row.measured = measured;
  row.predicted = predicted;
  return row;
}

AccuracyRow flagged_row(AccuracyRow row, const std::string& flag) {
  row.flags = {flag};
  return row;
}

TEST(Totals, group_errors_by_what_rows_share) {
  const AccuracyPart part =
      totals_of({equal_row("a", "allocated", 0.02), equal_row("a", "reserved", -0.04),
                 equal_row("b", "allocated", 0.10)});
  EXPECT_EQ(part.sources, 2);
  EXPECT_EQ(part.errors->n, 3);
  EXPECT_DOUBLE_EQ(part.errors->median, 0.04);
  EXPECT_DOUBLE_EQ(*part.one_vote_median, 0.065);  // a: 0.03, b: 0.10
  ASSERT_EQ(part.by_kind.size(), 2U);
  EXPECT_EQ(part.by_kind[0].name, "allocated");
  EXPECT_DOUBLE_EQ(part.by_kind[0].errors.median, 0.06);
  EXPECT_EQ(part.by_source[0].errors.n, 2);
  EXPECT_EQ(part.by_method[0].name, "lora");
  EXPECT_EQ(part.by_framework[0].name, "hf");
}

TEST(Totals, flagged_rows_stand_apart_but_running_out_of_memory_counts) {
  const std::vector<AccuracyRow> rows = {
      equal_row("a", "allocated", 0.01),
      flagged_row(equal_row("a", "allocated", 0.50), "near-capacity"),
      flagged_row(bound_row(1000, 1), "near-capacity"),
      flagged_row(run_row("oom", Verdict::kNo), "near-capacity")};
  const AccuracyPart part = totals_of(rows);
  EXPECT_EQ(part.errors->n, 1);
  EXPECT_EQ(part.lower_bounds, 0);
  EXPECT_EQ(part.confusion.ran(), 1);
  EXPECT_EQ(part.confusion.oom_no, 1);
  const std::vector<AccuracyGroup> flagged = flagged_errors(rows);
  ASSERT_EQ(flagged.size(), 1U);
  EXPECT_EQ(flagged[0].name, "a");
  EXPECT_DOUBLE_EQ(flagged[0].errors.worst, 0.50);
}

TEST(Totals, verdicts_are_counted_against_what_happened) {
  const Confusion seen = totals_of({run_row("fits", Verdict::kFits),
                                    run_row("fits", Verdict::kTight), run_row("fits", Verdict::kNo),
                                    run_row("oom", Verdict::kFits), run_row("oom", Verdict::kTight),
                                    run_row("oom", Verdict::kNo), equal_row("a", "device", 0)})
                             .confusion;
  EXPECT_EQ(seen.ran_fits, 2);
  EXPECT_EQ(seen.ran_tight, 1);
  EXPECT_EQ(seen.ran_no, 1);
  EXPECT_EQ(seen.oom_fits, 1);
  EXPECT_EQ(seen.oom_tight, 1);
  EXPECT_EQ(seen.oom_no, 1);
}

TEST(Totals, a_bound_is_undercut_below_97_per_cent) {
  const AccuracyPart part = totals_of({bound_row(1000, 970), bound_row(1000, 969)});
  EXPECT_EQ(part.lower_bounds, 2);
  EXPECT_EQ(part.undercut, 1);
}

TEST(Totals, refusals_are_counted_and_nothing_else_of_them) {
  AccuracyRow refused = run_row("oom", Verdict::kUnknown);
  refused.refusal = "layout.pp: not modelled";
  refused.predicted.reset();
  const AccuracyPart part = totals_of({refused, flagged_row(refused, "near-capacity")});
  EXPECT_EQ(part.refused, 1);
  EXPECT_EQ(part.confusion.oom(), 0);
}

TEST(Totals, reasons_are_counted_once_a_row_each) {
  const ValidationRules rules{
      "", {{"refused", "Refused"}, {"near-capacity", "Near"}, {"old", "Old"}}, {}};
  AccuracyRow row = flagged_row(run_row("fits", Verdict::kUnknown), "near-capacity");
  row.refusal = "no";
  const std::vector<OutOfModel> counts =
      out_of_model({row, run_row("fits", Verdict::kFits)}, {}, rules);
  ASSERT_EQ(counts.size(), 3U);
  EXPECT_EQ(counts[0].rows, 1);
  EXPECT_EQ(counts[1].rows, 1);
  EXPECT_EQ(counts[2].rows, 0);
}

TEST(Totals, a_bar_is_missed_above_its_limit_and_without_a_figure) {
  const ValidationRules rules{"",
                              {},
                              {{"all-median", "Median", 0.04, ""},
                               {"allocated-p90", "P90", 0.01, ""},
                               {"tight-share", "Tight", 0.5, ""},
                               {"oom-fits", "False fits", 0, ""}}};
  const std::vector<BarResult> bars = bar_results(
      {}, totals_of({equal_row("a", "allocated", 0.04), run_row("fits", Verdict::kTight)}), {},
      rules);
  ASSERT_EQ(bars.size(), 4U);
  EXPECT_FALSE(bars[0].missed);
  EXPECT_TRUE(bars[1].missed);
  EXPECT_EQ(bars[2].value, 0.5);
  EXPECT_FALSE(bars[2].missed);
  EXPECT_EQ(bars[3].value, std::nullopt);
  EXPECT_TRUE(bars[3].missed);
}

TEST(Totals, intervals_must_hold_what_was_held_out_and_not_everything) {
  const ValidationRules rules{"",
                              {},
                              {{"held-out-uncovered", "Outside", 0.15, ""},
                               {"held-out-half-width", "Width", 0.15, ""},
                               {"left-out-uncovered", "Unseen", 0.15, ""}}};
  const auto missed = [&](const HeldOutCoverage& coverage) {
    Accuracy accuracy;
    accuracy.coverage = accuracy.left_out = coverage;
    const std::vector<BarResult> bars = bar_results(accuracy, {}, {}, rules);
    EXPECT_EQ(bars[2].missed, bars[0].missed);
    return std::pair(bars[0].missed, bars[1].missed);
  };
  EXPECT_EQ(missed({20, 0.9, 0.1}), std::pair(false, false));
  EXPECT_EQ(missed({20, 0.58, 0.03}), std::pair(true, false));
  EXPECT_EQ(missed({20, 1.0, 0.4}), std::pair(false, true));
  EXPECT_EQ(missed({}), std::pair(true, true));
}

TEST(Statistics, median_is_the_middle_or_the_mean_of_two) {
  EXPECT_EQ(median_of({}), std::nullopt);
  EXPECT_EQ(median_of({3, 1, 2}), 2);
  EXPECT_EQ(median_of({4, 1, 2, 3}), 2.5);
}

TEST(Statistics, sizes_are_sorted_and_signs_are_kept_where_they_count) {
  const auto stats = stats_of({0.1, -0.4, 0.2, -0.3});
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->n, 4);
  EXPECT_DOUBLE_EQ(stats->median, 0.25);
  EXPECT_DOUBLE_EQ(stats->mean, 0.25);
  EXPECT_DOUBLE_EQ(stats->p90, 0.4);
  EXPECT_DOUBLE_EQ(stats->worst, -0.4);
  EXPECT_DOUBLE_EQ(stats->bias, -0.1);
  EXPECT_DOUBLE_EQ(stats->low, -0.4);
  EXPECT_DOUBLE_EQ(stats->high, 0.2);
}

TEST(Statistics, ninetieth_percentile_leaves_a_tenth_above) {
  std::vector<double> errors;
  for (int i = 1; i <= 20; ++i) errors.push_back(i / 100.0);
  EXPECT_DOUBLE_EQ(stats_of(errors)->p90, 0.19);
  EXPECT_DOUBLE_EQ(stats_of({0.05})->p90, 0.05);
  EXPECT_FALSE(stats_of({}));
}

}  // namespace
}  // namespace sizesheet
