// SPDX-License-Identifier: Apache-2.0
// The closed list of kinds of change and what each is worth; which of them lie between two rows.
#pragma once

#include <string>
#include <vector>

namespace sizesheet {

struct ChangeThresholds;
struct EditionRow;
struct TermChange;

/// Kinds at or above the thresholds, most severe first; empty where nothing is worth telling.
std::vector<std::string> row_kinds(const EditionRow& old_row, const EditionRow& new_row,
                                   const ChangeThresholds& thresholds);

/// The kinds that say how a pick did: those of counts, money, hours and advice. The two rows may be
/// of different GPU types.
std::vector<std::string> pick_kinds(const EditionRow& old_row, const EditionRow& new_row,
                                    const ChangeThresholds& thresholds);

/// Whether the cheapest service of two rows is another or asks another price by the threshold. It
/// is told of picks alone, since all GPU types of a model and method have the same.
bool service_moved(const EditionRow& old_row, const EditionRow& new_row,
                   const ChangeThresholds& thresholds);

/// True where the rows differ in anything compared, however little.
bool differ(const EditionRow& old_row, const EditionRow& new_row);

/// Memory terms that moved by the threshold, in NEW's order, those that are gone last.
std::vector<TermChange> term_changes(const EditionRow& old_row, const EditionRow& new_row,
                                     const ChangeThresholds& thresholds);

}  // namespace sizesheet
