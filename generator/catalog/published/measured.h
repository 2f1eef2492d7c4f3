// SPDX-License-Identifier: Apache-2.0
// Published measurements of memory and speed, what the comparison with them is held to, and the
// intervals that follow.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "catalog/published/team_runs.h"
#include "support/described.h"
#include "support/error.h"
#include "support/json.h"

namespace sizesheet {

/// What was published. Without a figure the run itself is the finding: it ran, or it did not.
struct MeasuredFigure {
  std::optional<std::int64_t> bytes;  ///< per GPU
  std::string kind;                   ///< allocated | reserved | device
  bool kind_stated = false;           ///< the source names the counter; else it is inferred
  std::string unit_as_published;      ///< "GB", "GiB", "bytes"
  std::string relation;  ///< equal | lower_bound (the run was at most as large as the request says)
                         ///< | fits | oom
  bool last_stage = false;  ///< of the last pipeline stage; else of the one that needs most
};
BOOST_DESCRIBE_STRUCT(MeasuredFigure, (), (kind, kind_stated, unit_as_published, relation, bytes))

struct MeasuredRow {
  std::string id;
  std::string framework;  ///< a stack's id where it is that stack
  std::string model;      ///< its name in the file or the catalog
  Json request;           ///< whole, as `estimate` takes it
  MeasuredFigure measured;
  std::string confidence;          ///< high | medium | low: of the mapping to a request
  std::vector<std::string> flags;  ///< why no request can describe the run; outside the totals
  std::vector<std::string> assumptions;
  std::string link;      ///< where the figure stands
  std::string evidence;  ///< the line of the table
};

/// A run whose speed was published; `run.measured` says nothing.
struct MeasuredSpeed {
  MeasuredRow run;
  double tokens_per_s_per_gpu = 0;
  bool derived = false;  ///< from seconds or samples, which is what was published
};

/// One publication: its rows share tools and habits, so that it also counts as one vote.
struct PublishedSource {
  std::string id;
  std::string title;
  std::string source;
  std::string url;
  std::string date;
  bool held_out = false;        ///< no constant may be fitted to it
  bool speed_held_out = false;  ///< no constant of speed may be fitted to it
};
BOOST_DESCRIBE_STRUCT(PublishedSource, (), (id, title, source, url, date, held_out))

struct MeasuredSource : PublishedSource {
  std::vector<std::string> assumptions;  ///< that hold for every row
  std::vector<MeasuredRow> rows;         ///< of memory
  std::vector<MeasuredSpeed> speeds;
};
BOOST_DESCRIBE_STRUCT(MeasuredSource, (PublishedSource), ())

MeasuredSource read_measured_source(ObjectReader reader);

/// Ids that rows may name.
struct MeasuredNames {
  std::vector<std::string> models;
  std::vector<std::string> gpus;
  std::vector<std::string> reasons;  ///< flags
};

/// Faults names that are not known and row ids in `seen`, to which it adds the source's own.
void check_measured(const MeasuredSource& source, const std::string& file,
                    const MeasuredNames& known, std::set<std::string>& seen, Faults& faults);

/// A figure of the comparison and the most it may be. `id` is of a closed set.
struct Bar {
  std::string id;
  std::string title;
  double limit = 0;  ///< a share, or a count or a ratio where the title says so
  std::string reason;
};
BOOST_DESCRIBE_STRUCT(Bar, (), (id, title, limit, reason))

/// A reason for which a published run is outside what a request can say.
struct OutOfModelReason {
  std::string id;  ///< a row's flag, or "refused"
  std::string title;
  std::string fits = {};  ///< memory | speed: the intervals of which its runs are fitted to as well
};
BOOST_DESCRIBE_STRUCT(OutOfModelReason, (), (id, title, fits))

/// Errors of the speeds of sources that were left out one at a time while every constant was fitted
/// anew, as `make refit` writes them.
struct RefittedErrors {
  std::int64_t n = 0;  ///< speeds
  double median = 0;   ///< of the absolute errors, as shares
  double p90 = 0;
  std::string date;
};
BOOST_DESCRIBE_STRUCT(RefittedErrors, (), (n, median, p90, date))

/// What the comparison with measurements is held to.
struct ValidationRules {
  std::string held_out;  ///< how the held-out sources were chosen, one sentence
  std::vector<OutOfModelReason> reasons;
  std::vector<Bar> bars;
  std::optional<RefittedErrors> refitted_speed = {};
};

/// What the engine itself refuses is counted under this reason; no row may be flagged with it.
inline constexpr const char* kRefusedRequest = "refused";

ValidationRules read_validation_rules(ObjectReader reader);

// ---- How far an estimate may be off: factors on the predicted bytes, or on the predicted speed,
// by class of run, as residuals against published measurements gave them. Of classes that hold for
// a run, one that only asks less than another is left out; the range is that of all others
// together.

/// What a class may ask about a run.
struct IntervalFacts {
  std::string stack;    ///< id of the stack or framework, "" for none
  std::string kind;     ///< of a MethodKind
  std::string spread;   ///< one (GPU) | data (parallel only) | model (split over tp, pp, cp or ep)
  bool packed = true;   ///< false: lengths vary from step to step
  bool routed = false;  ///< a mixture of experts
  // Speeds only.
  bool desktop = false;  ///< a card for one machine, not sold by the node
  bool fp8 = false;
  /// exact: a published speed is of this GPU, kind of method and number type | related: of this GPU
  /// and kind in another number type, or of its sibling | none
  std::string evidence = "exact";
  // Asked by runs of a team's own alone.
  std::string gpu = {};        ///< id, "" for none
  std::string optimizer = {};  ///< id
};
BOOST_DESCRIBE_STRUCT(IntervalFacts, (),
                      (stack, kind, spread, packed, routed, desktop, fp8, evidence))

/// Conditions of a class; an absent one holds always.
struct IntervalWhen {
  std::optional<std::string> stack;
  std::vector<std::string> kind;  ///< any of these; empty: any
  std::optional<std::string> spread;
  std::optional<bool> packed;
  std::optional<bool> routed = std::nullopt;
  std::optional<bool> desktop = std::nullopt;
  std::optional<bool> fp8 = std::nullopt;
  std::optional<std::string> evidence = std::nullopt;

  bool holds(const IntervalFacts& facts) const;
  /// Every run that `narrow` holds for is one that this holds for.
  bool covers(const IntervalWhen& narrow) const;
};
BOOST_DESCRIBE_STRUCT(IntervalWhen, (),
                      (stack, kind, spread, packed, routed, desktop, fp8, evidence))

/// What the measurements of a class come to.
struct IntervalFigures {
  std::string id;
  std::string title;
  double low = 1;      ///< at most 1
  double high = 1;     ///< at least 1
  std::int64_t n = 0;  ///< comparisons that fall into the class
  std::int64_t sources = 0;
  std::string grade;  ///< A | B | C
  std::string basis;  ///< what the factors rest on, in words
};
BOOST_DESCRIBE_STRUCT(IntervalFigures, (), (id, title, low, high, n, sources, grade, basis))

struct IntervalClass : IntervalFigures {
  IntervalWhen when;
};
BOOST_DESCRIBE_STRUCT(IntervalClass, (IntervalFigures), ())

/// How classes become factors and grades.
struct IntervalRules {
  double coverage = 0.9;          ///< share of the residuals between the factors
  double unseen_coverage = 0.9;   ///< of those of sources that are left out of the fit
  double class_coverage = 0.8;    ///< the same in each class by itself, at least
  std::int64_t minimum_rows = 8;  ///< a smaller class takes the next wider one's factors
  std::int64_t minimum_sources = 2;
  double grade_a = 0.1;  ///< largest half-width of grade A; a borrowed interval is C
  double grade_b = 0.2;
  /// Share by which both ends move outward, on top of the class it borrows from, where the evidence
  /// is related.
  double related_card = 0;
  /// The same where there is none.
  double new_card = 0;

  static constexpr Key kKeys[] = {{"grade_a", "grade_a_half_width"},
                                  {"grade_b", "grade_b_half_width"},
                                  {"related_card", "related_card_share"},
                                  {"new_card", "new_card_share"}};
};
BOOST_DESCRIBE_STRUCT(IntervalRules, (),
                      (coverage, unseen_coverage, class_coverage, minimum_rows, minimum_sources,
                       grade_a, grade_b, related_card, new_card))

/// The range of a run: its first class, and how far the other classes that hold widen that.
struct IntervalRange {
  const IntervalClass* first = nullptr;  ///< of the intervals that were asked
  double low = 1;
  double high = 1;
  std::string grade;  ///< the worst of theirs
  // Where a team's own runs say something:
  std::int64_t team_runs = 0;
  double factor = 1;  ///< of the estimate; `low` and `high` are around the corrected one
};

struct Intervals {
  IntervalRules rules;
  std::vector<IntervalClass> classes;  ///< narrow to wide; the last holds for every run

  Json raw;  ///< the file whole; absent in those just fitted

  std::vector<TeamRun> team = {};  ///< of a team's own; no part of the file

  /// The first class that holds. Its range is widened to that of each other that holds and does not
  /// cover one that does: the run has both, and no evidence says that it has the narrower errors.
  /// Runs of `team` then move it.
  IntervalRange of(const IntervalFacts& facts) const;
};

Intervals read_intervals(ObjectReader reader);

/// The file's text again, one class a line.
std::string to_json_text(const Intervals& intervals);

}  // namespace sizesheet
