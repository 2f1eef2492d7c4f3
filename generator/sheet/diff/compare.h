// SPDX-License-Identifier: Apache-2.0
// Two editions, key by key: what changed, how much it matters, which dollars moved, and why.
#pragma once

#include "sheet/diff/edition.h"

namespace sizesheet {

/// Everything but causes: `cause`, `because`, `moved` and `causes` stay empty. The order of rows in
/// either edition does not matter. Throws InputError naming a key that stands twice.
SheetChanges compare_editions(const Edition& old_edition, const Edition& new_edition,
                              const ChangeThresholds& thresholds);

struct DiffOptions {
  ChangeThresholds thresholds;
  int jobs = 1;
};

/// Compares and finds causes. Where OLD does not hold what it was made from, causes stay empty and
/// `causes_unknown` says why.
SheetChanges diff_editions(const Edition& old_edition, const Edition& new_edition,
                           const DiffOptions& options);

/// Fills `cause` and `because` of every change, `moved` and `causes`; or `causes_unknown`, where an
/// edition does not hold all that its rows were made from.
void find_causes(const Edition& old_edition, const Edition& new_edition, int jobs,
                 SheetChanges& changes);

/// How the plans of two editions differ; nullopt where that is less than the thresholds. No causes.
/// OLD under NEW's names.
std::optional<PlanChange> plan_change(const Edition& old_edition, const Edition& new_edition,
                                      const ChangeThresholds& thresholds);

/// What each group of inputs did to the plan: OLD's is made again with this engine, then groups of
/// NEW's inputs take their places one after the other, the demand last. Both inputs under NEW's
/// names. Throws InputError.
std::vector<PlanCause> plan_causes(const Edition& old_edition, const Edition& new_edition,
                                   const Json& old_inputs, const Json& new_inputs, int jobs);

/// The entry that tells of this added or removed row or pick; nullptr where none does.
const EntryChange* whole_entry(const SheetChanges& changes, const Change& change);

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

/// What one run of a row, or of the picked rows, did; absent where a side lacks a row or dollars a
/// run. First the hours move, then the instances, then the price; the steps are differences of
/// rounded amounts, so they add up to the micro-dollar. `then` is `after`'s row as OLD has it:
/// where that is another than `before`, `mix` is its old cost less that of `before`, and the rest
/// is what it did since; where OLD has no dollars for it, all is mix.
std::optional<ChangeEffects> run_effects(const EditionRow* before, const EditionRow* then,
                                         const EditionRow* after);

}  // namespace sizesheet
