// SPDX-License-Identifier: Apache-2.0
// The parts of the page of changes, and where such a page stands.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "sheet/changes.h"
#include "sheet/sheet.h"
#include "support/json.h"

namespace sizesheet {

// ---- Where a page of changes stands: inside an edition, whose titles and pages it may use, or
// alone.

class ChangesPlace {
 public:
  /// `edition` is the sheet on whose site the page stands, and must outlive this; nullptr alone.
  ChangesPlace(const SheetChanges& changes, const Sheet* edition);

  bool alone() const { return edition_ == nullptr; }
  /// Titles of the edition; the id where it has no such entry.
  std::string model(const std::string& id) const;
  std::string method(const std::string& id) const;
  std::string gpu(const Change& change) const;
  /// Address of what is changed: the bill of a row, the model's page; "" where there is none.
  std::string href(const Change& change) const;
  /// The scenario's id where the rows, or the picks, are of several, else "".
  std::string scenario(const Change& change) const;
  /// "1 × L40S, $7.31 a run": what is picked now; absent where that is not known here.
  std::optional<std::string> pick_now(const std::string& model, const std::string& method) const;

 private:
  const SheetChanges& changes_;
  const Sheet* edition_;
  std::set<std::string> row_scenarios_;
  std::set<std::string> pick_scenarios_;
};

// ---- What lies behind the changes: causes in dollars, and the inputs that moved.

inline constexpr int kCents = 2;  ///< decimals of the dollars that changes are told in

/// cause_rows, cause_total …, and causes_unknown in words where they could not be worked out.
void put_causes(Json& values, const SheetChanges& changes);

/// Prices, and every other input: those that a changed row rests on first, the rest folded away.
void put_moved(Json& values, const SheetChanges& changes);

// ---- The tables of the page of changes: verdicts, picks, every changed row, and kinds.

/// verdict_rows: rows that fit, or on how many GPUs, otherwise than before; most severe first.
Json verdict_rows(const SheetChanges& changes, const ChangesPlace& place);

/// pick_rows: the picks, largest change of the dollars of a run first, unknown last.
Json pick_rows(const SheetChanges& changes, const ChangesPlace& place);

/// kind_rows: how many rows and picks each kind has.
Json kind_rows(const SheetChanges& changes);

/// changed_rows: what changed of a row, at most `most`.
Json changed_rows(const SheetChanges& changes, const ChangesPlace& place, std::size_t most);

/// [{cause_id, cause_name}]: the groups of inputs that some pick names, for the filter.
Json cause_choices(const SheetChanges& changes);

}  // namespace sizesheet
