// SPDX-License-Identifier: Apache-2.0
// Rows of an edition by key, and where each stands in the order that a diff is told in.
#pragma once

#include <array>
#include <map>
#include <unordered_map>

#include "sheet/diff/edition.h"

namespace sizesheet {

/// The rows of one edition, which must outlive it. Throws InputError naming a key that stands
/// twice.
class RowIndex {
 public:
  explicit RowIndex(const Edition& edition);

  const EditionRow* find(const std::string& key) const;  ///< nullptr when absent
  /// True where some GPU type holds this model and method in this scenario.
  bool any_holds(const std::string& model, const std::string& method,
                 const std::string& scenario) const;

 private:
  std::unordered_map<std::string, const EditionRow*> rows_;
  std::unordered_map<std::string, bool> holds_;
};

/// The order of NEW's lists; what only OLD has comes after.
class NewOrder {
 public:
  NewOrder(const Edition& old_edition, const Edition& new_edition);

  /// Model, method, GPU, scenario; an id that neither edition lists comes last.
  std::array<std::size_t, 4> place(const std::string& model, const std::string& method,
                                   const std::string& gpu, const std::string& scenario) const;

 private:
  using Ranks = std::map<std::string, std::size_t>;
  Ranks models_;
  Ranks methods_;
  Ranks gpus_;
  Ranks scenarios_;
};

}  // namespace sizesheet
