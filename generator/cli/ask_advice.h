// SPDX-License-Identifier: Apache-2.0
// What `ask` says where nothing is rented: why, and the smallest changes that help. A change keeps
// what the run is for: a DPO run stays one.
#pragma once

#include <string>
#include <vector>

#include "sheet/spec.h"

namespace sizesheet {

struct Catalog;
struct Row;
struct Sheet;

/// A question of one model, and what may be changed of it.
struct AskedRun {
  SheetSpec spec;      ///< as asked
  SheetSpec rules;     ///< the sheet as it is
  std::string method;  ///< the one that advice is about
  int jobs = 1;
};

/// The sheet of a question.
Sheet asked_sheet(const Catalog& catalog, const SheetSpec& spec, int jobs);

/// The row that fits but has no price, and is nobody's candidate; nullptr where there is none.
const Row* unpriced_row(const Sheet& sheet, const std::string& method);

/// " (not certain)" behind a count of a row's GPUs; "" where that is certain.
std::string doubt_behind(const Row& row, std::int64_t gpus);

/// "12.3 h (9.1–16.0)": the hours of a run, or that its speed is not known.
std::string hours_range(const Row& row);

/// Why a method is not rented, in one sentence without its end: it does not fit, it is tight, it
/// has no price, its speed is not known, it misses `deadline` ("the deadline"), it is not modelled.
std::string unrented_words(const Sheet& sheet, const std::string& method,
                           const std::string& deadline);

/// Why nothing can be said of any method, each reason once; "" where something can.
std::string refused_words(const Sheet& sheet);

/// Whether memory is what keeps the method from being rented.
bool lacks_memory(const Sheet& sheet, const std::string& method);

/// "with LoRA on 1 × 4090": more of the cards, lighter methods of the same objective, a reference
/// worked out before, shorter sequences; where none of them helps, the fewest GPUs of another type.
/// Each makes one change to what was asked. A set-up that is not sure to meet the deadline says so.
std::vector<std::string> changes_that_fit(const AskedRun& asked, const Catalog& catalog);

/// "on 4 × H100 (at most 4.6 h)": the smallest set-ups that are sure to meet the deadline, of the
/// cards asked for, else of another type.
std::vector<std::string> changes_in_time(const AskedRun& asked, const Catalog& catalog);

/// What costs a budget at most.
struct BudgetChanges {
  std::vector<std::string> within;  ///< "on 1 × MI300X (at most $5.9)"
  std::string least;  ///< the cheapest set-up where nothing is within; "" where none is known
};

/// Of the method asked for on any card, and of lighter ones on the cards asked for, what is sure to
/// cost no more than `budget_usd`.
BudgetChanges changes_in_budget(const AskedRun& asked, double budget_usd, const Catalog& catalog);

}  // namespace sizesheet
