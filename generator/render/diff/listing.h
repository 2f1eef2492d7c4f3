// SPDX-License-Identifier: Apache-2.0
// Which changes a form shows line by line, and what is left to be counted.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "sheet/changes.h"

namespace sizesheet {

/// Lines of a table at most; the contract of `diff` without --all.
inline constexpr std::size_t kListedAtMost = 30;

/// Changes of one table. Pointers go into the SheetChanges it was made from.
struct Listing {
  std::vector<const Change*> shown;
  std::vector<std::pair<std::string, std::int64_t>> hidden;  ///< kind -> how many, worst first
};

/// `of` is row or pick; what a whole entry tells is in neither part. `most` 0 shows all.
Listing list_changes(const SheetChanges& changes, const std::string& of, std::size_t most);

/// The listing with all but its first `most` lines moved to `hidden`.
Listing cut(const Listing& listing, std::size_t most);

/// "212 more cheaper, 3 dearer"; "" when nothing is hidden.
std::string hidden_words(const Listing& listing);

/// Changes by the size of their dollars, largest first; those without come last, in their order.
SheetChanges by_dollars(SheetChanges changes);

/// Catalog entries that moved: those that changed a row first, each part in its order.
std::vector<const MovedInput*> moved_with_rows_first(const SheetChanges& changes);

/// The marks that lines and entries of these listings carry, worst first, each with its meaning.
std::vector<std::pair<std::string, std::string>> marks_used(const std::vector<Listing>& listings,
                                                            const SheetChanges& changes);

/// "model method" of a pick, "model method gpu" of a row; raw.
std::string line_name(const Change& change);

/// True where listed changes are of more than one scenario.
bool many_scenarios(const SheetChanges& changes);

}  // namespace sizesheet
