// SPDX-License-Identifier: Apache-2.0
// What `ask` is asked and what each method comes to, before it is worded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/ask_advice.h"
#include "cli/ask_count.h"
#include "cli/explanation.h"
#include "cli/question_options.h"

namespace sizesheet {

struct Catalog;
struct Pick;
struct Row;
struct Sheet;
struct SheetMethod;
struct SheetSpec;

struct AskOptions : QuestionOptions {
  bool explain = false;
  std::string write;             ///< a folder for the config of the pick; "" where none is asked
  std::string tier;              ///< beside on demand; "" where none is asked for
  std::optional<double> runs;    ///< per month: a demand
  std::optional<double> failed;  ///< of the runs started for them, the share that is lost
  std::optional<double> hours;   ///< or hours of use per month
  std::optional<double> rent;    ///< dollars per GPU-hour, in the place of every seller's price
  std::optional<double> life;    ///< years that a machine is owned
  std::optional<double> usd_per_kwh;

  /// The runs of a month that are started.
  std::optional<double> started_runs() const {
    return runs ? std::optional(*runs / (1 - failed.value_or(0))) : std::nullopt;
  }

  /// Whether rent or buy is decided: somebody says how much an owned machine is used.
  bool states_use() const { return runs || hours; }
};

/// What would make the answer yes.
struct ChangesAsked {
  std::vector<std::string> fit = {};         ///< of memory
  std::vector<std::string> in_time = {};     ///< of the deadline
  bool too_short = false;                    ///< nothing meets the deadline
  std::optional<BudgetChanges> budget = {};  ///< where a budget is not kept
};

/// What one method comes to.
struct MethodAnswer {
  const SheetMethod* method = nullptr;
  const Pick* pick = nullptr;
  const Row* row = nullptr;       ///< rented; nullptr where nothing is
  const Row* unpriced = nullptr;  ///< that fits, without a price or hours; nullptr where priced
  bool over_budget = false;
  bool unknown_limit = false;  ///< whether it meets the budget or deadline is not known

  ChangesAsked changes = {};                    ///< where no method is answered with yes
  std::optional<AskedCount> asked_count = {};   ///< where it takes fewer GPUs than were named
  std::optional<Explanation> explanation = {};  ///< of its set-up, where one is asked for

  /// What fits, priced or not; nullptr where nothing does.
  const Row* set_up() const { return row != nullptr ? row : unpriced; }

  bool is_yes() const {
    return (row != nullptr || unpriced != nullptr) && !over_budget && !unknown_limit;
  }
};

/// Whether a deadline that was given is not met, as far as is known.
bool may_be_late(const AskOptions& options, const Row& row);

/// The row of a method that fits in time and costs least per run in a tier; nullptr where none has
/// such a price. On spot, what is lost is in the cost.
const Row* lowest_in_tier(const Sheet& sheet, const std::string& method, const std::string& tier);

/// Of each method of the sheet, without changes.
std::vector<MethodAnswer> answers_of(const Sheet& sheet, const AskOptions& options);

/// What would make the answer of one method yes: changes of the kind that failed.
ChangesAsked changes_for(const AskOptions& options, const Catalog& catalog, const SheetSpec& spec,
                         const Sheet& sheet, const MethodAnswer& answer);

}  // namespace sizesheet
