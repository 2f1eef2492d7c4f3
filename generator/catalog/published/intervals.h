// SPDX-License-Identifier: Apache-2.0
// How far an estimate may be off: factors on the predicted bytes, or on the predicted speed, by
// class of run, as residuals against published measurements gave them. An ordered list; the first
// class that holds decides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/described.h"
#include "support/json.h"

namespace sizesheet {

/// What a class may ask about a run.
struct IntervalFacts {
  std::string stack;   ///< id of the stack or framework, "" for none
  std::string kind;    ///< of a MethodKind
  std::string spread;  ///< one (GPU) | data (parallel only) | model (split over tp, pp, cp or ep)
  bool packed = true;  ///< false: lengths vary from step to step
  // Speeds only.
  bool routed = false;   ///< a mixture of experts
  bool desktop = false;  ///< a card for one machine, not sold by the node
  bool fp8 = false;
  /// exact: a published speed is of this GPU, kind of method and number type | related: of this GPU
  /// and kind in another number type, or of its sibling | none
  std::string evidence = "exact";
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
                      (coverage, unseen_coverage, minimum_rows, minimum_sources, grade_a, grade_b,
                       related_card, new_card))

struct Intervals {
  IntervalRules rules;
  std::vector<IntervalClass> classes;  ///< narrow to wide; the last holds for every run

  Json raw;  ///< the file whole; absent in those just fitted

  const IntervalClass& of(const IntervalFacts& facts) const;
};

Intervals read_intervals(ObjectReader reader);

/// The file's text again, one class a line.
std::string to_json_text(const Intervals& intervals);

}  // namespace sizesheet
