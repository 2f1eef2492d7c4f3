// SPDX-License-Identifier: Apache-2.0
// One sizing taken apart: what `explain` answers, and what `ask --explain` adds to each answer.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "calculator/terms.h"
#include "sheet/rows/size_row.h"
#include "sizing/advice/limits.h"
#include "sizing/answer/estimate.h"
#include "sizing/answer/residual.h"
#include "sizing/request/question.h"
#include "support/json.h"

namespace sizesheet {

struct Catalog;

/// What an explanation is held against.
struct HeldAgainst {
  std::optional<double> measured_gib;
  std::optional<double> deadline;  ///< hours
  std::optional<double> budget;    ///< dollars
};

struct Explanation {
  std::string model, method;
  std::string gpu;    ///< "" where none is named
  std::string stack;  ///< "" where none is named
  HeldAgainst against;
  Sizing sizing;
  JobTerms terms;
  std::vector<PhaseCheck> phases;
  Death smaller;                        ///< of the next smaller count, or of this one if it is none
  std::int64_t smaller_gpus = 0;        ///< 0: nothing runs out
  std::vector<ResidualCause> residual;  ///< empty without a measured figure
  std::optional<RentedRun> money;       ///< where dollars are asked for

  /// Whether the upper end of the hours passes the deadline; nullopt where either is not known.
  std::optional<bool> late() const;
  /// The same of dollars and the budget.
  std::optional<bool> over_budget() const;
  /// Whether it fits, as far as that is known, and is sure to keep deadline and budget.
  bool is_yes() const;
};

/// The question that a request asks, with every part of the answer. Throws InputError.
Question question_to_explain(Json request, const Catalog& catalog);

/// Answers a question about money.
using RentedAnswer = std::function<RentedRun(const Question& question)>;

/// `rented` is called only where dollars are asked for.
Explanation explained(const Question& question, const HeldAgainst& against,
                      const RentedAnswer& rented);

Json to_json(const Explanation& explanation);

}  // namespace sizesheet
