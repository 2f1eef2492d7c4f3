// SPDX-License-Identifier: Apache-2.0
// How far the engine is off against published measurements, as plain values: every row, the totals,
// and what stands outside them. An error is predicted over measured, less one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/published/measured.h"
#include "sizing/memory/verdict.h"
#include "support/described.h"

namespace sizesheet {

/// Statistics of relative errors; median, mean and p90 of their sizes, the others with sign.
struct ErrorStats {
  std::int64_t n = 0;
  double median = 0;
  double mean = 0;
  double p90 = 0;
  double worst = 0;
  double bias = 0;
  double low = 0;   ///< the smallest
  double high = 0;  ///< the largest
};
BOOST_DESCRIBE_STRUCT(ErrorStats, (), (n, median, mean, p90, worst, bias, low, high))

/// A published run beside the engine.
struct ComparedRow {
  std::string id;
  std::string source;  ///< id of the source
  std::string framework;
  std::string method;  ///< id of a MethodKind
  std::string setup;   ///< the run in words: "llama-2-7b, lora, 2 × rtx-3090, 4 × 2,048 tokens"
  bool held_out = false;
  std::vector<std::string> flags;  ///< reasons for which it is outside the totals
  std::optional<double> error;     ///< predicted over measured, less one
  std::string refusal;             ///< the engine's words, or ""
  IntervalFacts facts;             ///< what the class follows from
  std::string interval_class;      ///< "" when refused
  std::string link;
  std::string evidence;
};
BOOST_DESCRIBE_STRUCT(ComparedRow, (),
                      (id, source, framework, method, setup, held_out, flags, error, refusal,
                       interval_class, link, evidence))

/// A published figure of memory. There is an error only where the row says "equal".
struct AccuracyRow : ComparedRow {
  std::string kind;                       ///< what was measured: allocated | reserved | device
  std::string relation;                   ///< equal | lower_bound | fits | oom
  std::optional<std::int64_t> measured;   ///< bytes per GPU; absent where only the run is known
  std::optional<std::int64_t> predicted;  ///< absent: refused
  Verdict verdict = Verdict::kUnknown;    ///< kUnknown when refused

  static constexpr Key kKeys[] = {{"measured", "measured_bytes"}, {"predicted", "predicted_bytes"}};
};
BOOST_DESCRIBE_STRUCT(AccuracyRow, (ComparedRow), (kind, relation, measured, predicted, verdict))

struct AccuracySource : PublishedSource {
  std::int64_t rows = 0;
  std::int64_t speeds = 0;
};
BOOST_DESCRIBE_STRUCT(AccuracySource, (),
                      (id, title, source, url, date, held_out, rows, speed_held_out, speeds))

/// The errors of all rows that have something in common.
struct AccuracyGroup {
  std::string name;
  ErrorStats errors;
};
BOOST_DESCRIBE_STRUCT(AccuracyGroup, (), (name, errors))

/// Verdicts against what is known to have happened.
struct Confusion {
  std::int64_t ran_fits = 0;
  std::int64_t ran_tight = 0;
  std::int64_t ran_no = 0;
  std::int64_t oom_fits = 0;
  std::int64_t oom_tight = 0;
  std::int64_t oom_no = 0;

  std::int64_t ran() const { return ran_fits + ran_tight + ran_no; }
  std::int64_t oom() const { return oom_fits + oom_tight + oom_no; }
};
BOOST_DESCRIBE_STRUCT(Confusion, (), (ran_fits, ran_tight, ran_no, oom_fits, oom_tight, oom_no))

/// Totals over the runs of a part of the sources, flagged ones left out.
struct ComparedPart {
  std::int64_t sources = 0;               ///< with at least one error
  std::optional<ErrorStats> errors;       ///< absent without a row
  std::optional<double> one_vote_median;  ///< median over sources of their median errors
  std::vector<AccuracyGroup> by_method;
  std::vector<AccuracyGroup> by_source;
  std::int64_t refused = 0;
};
BOOST_DESCRIBE_STRUCT(ComparedPart, (),
                      (sources, errors, one_vote_median, by_method, by_source, refused))

struct AccuracyPart : ComparedPart {
  std::vector<AccuracyGroup> by_kind;
  std::vector<AccuracyGroup> by_framework;
  Confusion confusion;
  std::int64_t lower_bounds = 0;
  std::int64_t undercut = 0;  ///< lower bounds missed by more than 3 %
};
BOOST_DESCRIBE_STRUCT(AccuracyPart, (ComparedPart),
                      (by_kind, by_framework, confusion, lower_bounds, undercut))

/// A reason for standing outside the totals and how many rows it holds for.
struct OutOfModel {
  std::string id;
  std::string title;
  std::int64_t rows = 0;
};
BOOST_DESCRIBE_STRUCT(OutOfModel, (), (id, title, rows))

struct BarResult {
  std::string id;
  std::string title;
  double limit = 0;
  std::optional<double> value;  ///< absent: nothing to measure it on
  bool missed = false;          ///< an unknown value misses
};
BOOST_DESCRIBE_STRUCT(BarResult, (), (id, title, limit, value, missed))

/// One class of the intervals, as fitted to all sources.
struct AccuracyInterval : IntervalFigures {
  std::int64_t rows = 0;           ///< figures of which it is the first class that holds
  std::optional<double> within;    ///< share of them between the factors
  std::optional<double> left_out;  ///< the same, each source left out of the fit in its turn
};
BOOST_DESCRIBE_STRUCT(AccuracyInterval, (IntervalFigures), (rows, within, left_out))

/// Intervals tried on figures that they were not fitted to.
struct HeldOutCoverage {
  std::int64_t n = 0;
  std::optional<double> share;  ///< of them within their interval
  std::optional<double> median_half_width;
};
BOOST_DESCRIBE_STRUCT(HeldOutCoverage, (), (n, share, median_half_width))

/// A published speed, tokens per second and GPU.
struct SpeedRow : ComparedRow {
  double measured = 0;
  std::optional<double> predicted;  ///< absent: refused, as the following
  std::optional<double> low;        ///< ends of the range
  std::optional<double> high;
  std::string bound_by;  ///< what takes most of a step, in words

  static constexpr Key kKeys[] = {{"measured", "measured_tokens_per_s_per_gpu"},
                                  {"predicted", "predicted_tokens_per_s_per_gpu"},
                                  {"low", "low_tokens_per_s_per_gpu"},
                                  {"high", "high_tokens_per_s_per_gpu"}};
};
BOOST_DESCRIBE_STRUCT(SpeedRow, (ComparedRow), (measured, predicted, low, high, bound_by))

struct SpeedPart : ComparedPart {
  std::optional<double> covered;       ///< share of the rows within their range
  std::optional<double> median_range;  ///< the range's high over its low
  std::vector<AccuracyGroup> by_class;
};
BOOST_DESCRIBE_STRUCT(SpeedPart, (ComparedPart), (covered, median_range, by_class))

struct SpeedAccuracy {
  std::vector<SpeedRow> rows;
  SpeedPart all;
  SpeedPart tuned;
  SpeedPart held_out;
  std::vector<AccuracyGroup> flagged;
  std::vector<AccuracyInterval> intervals;
  HeldOutCoverage left_out;
  std::optional<RefittedErrors> refitted;  ///< of every source, all constants fitted without it

  static constexpr Key kKeys[] = {{"left_out", "coverage_left_out"}};
};
BOOST_DESCRIBE_STRUCT(SpeedAccuracy, (),
                      (rows, all, tuned, held_out, flagged, intervals, left_out, refitted))

/// A figure of a team's own run.
struct TeamAccuracyRow {
  std::string id;
  std::string figure;  ///< speed | allocated | reserved | device
  std::string setup;
  std::string evidence;
  double measured = 0;              ///< tokens per second and GPU, or GiB per GPU
  std::optional<double> plain;      ///< error of the estimate that nothing corrects
  std::optional<double> corrected;  ///< of the one that the team's other runs correct
  std::int64_t runs = 0;            ///< how many of them say something
  std::optional<bool> within;       ///< the figure lies in that estimate's range
  std::string refusal;              ///< the engine's words, or ""
};
BOOST_DESCRIBE_STRUCT(TeamAccuracyRow, (),
                      (id, figure, setup, evidence, measured, plain, corrected, runs, within,
                       refusal))

struct TeamErrors {
  std::optional<ErrorStats> plain;
  std::optional<ErrorStats> corrected;
  std::optional<double> within;  ///< share of the figures in their range
};
BOOST_DESCRIBE_STRUCT(TeamErrors, (), (plain, corrected, within))

struct TeamAccuracy {
  TeamErrors speed;
  TeamErrors memory;
  std::vector<TeamAccuracyRow> rows;

  static constexpr bool kMayLack = true;
};
BOOST_DESCRIBE_STRUCT(TeamAccuracy, (), (speed, memory, rows))

struct Accuracy {
  std::optional<TeamAccuracy> team;  ///< of a catalog with a team's own runs
  std::string held_out_rule;         ///< how the held-out sources were chosen
  std::vector<AccuracySource> sources;
  std::vector<AccuracyRow> rows;  ///< by source, then as published
  AccuracyPart all;
  AccuracyPart tuned;
  AccuracyPart held_out;
  std::vector<AccuracyGroup> flagged;  ///< flagged rows by source, outside the totals
  std::vector<OutOfModel> out_of_model;
  std::vector<BarResult> bars;
  std::vector<AccuracyInterval> intervals;
  HeldOutCoverage coverage;  ///< of the held-out sources
  HeldOutCoverage left_out;  ///< of every source, left out in its turn
  SpeedAccuracy speed;

  static constexpr Key kKeys[] = {{"coverage", "coverage_held_out"},
                                  {"left_out", "coverage_left_out"}};
};
BOOST_DESCRIBE_STRUCT(Accuracy, (),
                      (team, held_out_rule, sources, rows, all, tuned, held_out, flagged,
                       out_of_model, bars, intervals, coverage, left_out, speed))

}  // namespace sizesheet
