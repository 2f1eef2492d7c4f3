// SPDX-License-Identifier: Apache-2.0
// What a comparison comes to, in sentences that every form prints. Names in them are raw.
#pragma once

#include <string>
#include <vector>

#include "sheet/changes.h"

namespace sizesheet {

/// "2026-Q3 (prices 2026-07-10)".
std::string edition_words(const EditionLabel& label);

/// What happened to the picks, then to the rows; "No differences in 324 rows." where nothing did.
std::string headline(const SheetChanges& changes);

/// One run of each comparable pick: both totals and the effects, which add up; "" without a pick.
std::string totals_sentence(const SheetChanges& changes);

/// Two sentences whose counts add up to what was compared: rows, then picks.
std::vector<std::string> count_sentences(const SheetChanges& changes);

/// "less than 1 % of dollars, 2 % of hours or 0.1 GiB".
std::string threshold_words(const ChangeThresholds& thresholds);

/// What each group of inputs did, or why it is not known; "" where nobody asked.
std::string cause_sentence(const SheetChanges& changes);

/// "model gemma-3-27b: 27 rows, 3 picks".
std::string entry_words(const EntryChange& entry);

/// The parts of a moved entry's line.
struct MovedWords {
  std::string what;    ///< with the field, where one field moved
  std::string values;  ///< "2.69 -> 2.39 $/h", "new", "gone"
  std::string days;    ///< "2026-09-25 -> 2026-10-10", or ""
  std::string rows;    ///< "14 rows", "no row"
};
MovedWords moved_entry(const MovedInput& moved);

}  // namespace sizesheet
