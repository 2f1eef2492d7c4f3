// SPDX-License-Identifier: Apache-2.0
// Where a page of changes stands: inside an edition, whose titles and pages it may use, or alone.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "sheet/sheet.h"

namespace sizesheet {

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

}  // namespace sizesheet
