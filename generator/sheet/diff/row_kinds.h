// SPDX-License-Identifier: Apache-2.0
// What kinds of change lie between a row of one edition and the same row of another.
#pragma once

#include <string>
#include <vector>

#include "sheet/diff/edition.h"

namespace sizesheet {

/// Kinds at or above the thresholds, most severe first; empty where nothing is worth telling.
std::vector<std::string> row_kinds(const EditionRow& old_row, const EditionRow& new_row,
                                   const ChangeThresholds& thresholds);

/// The kinds that say how a pick did: those of counts, money, hours and advice. The two rows may be
/// of different GPU types.
std::vector<std::string> pick_kinds(const EditionRow& old_row, const EditionRow& new_row,
                                    const ChangeThresholds& thresholds);

/// True where the rows differ in anything compared, however little.
bool differ(const EditionRow& old_row, const EditionRow& new_row);

/// Memory terms that moved by the threshold, in NEW's order, those that are gone last.
std::vector<TermChange> term_changes(const EditionRow& old_row, const EditionRow& new_row,
                                     const ChangeThresholds& thresholds);

}  // namespace sizesheet
