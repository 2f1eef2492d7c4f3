// SPDX-License-Identifier: Apache-2.0
// Two editions compared: rows by kind of change, entries that came or went, names that changed, and
// what it all comes to.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sheet/changes.h"
#include "sheet/diff/edition.h"

namespace sizesheet {

// ---- Two editions, key by key: what changed, how much it matters, and which dollars moved.

/// Everything but causes: `cause`, `because`, `moved` and `causes` stay empty. The order of rows in
/// either edition does not matter. Throws InputError naming a key that stands twice.
SheetChanges compare_editions(const Edition& old_edition, const Edition& new_edition,
                              const ChangeThresholds& thresholds);

// ---- The whole diff: what changed between two editions, and why.

struct DiffOptions {
  ChangeThresholds thresholds;
  int jobs = 1;
};

/// Compares and finds causes. Where OLD does not hold what it was made from, causes stay empty and
/// `causes_unknown` says why.
SheetChanges diff_editions(const Edition& old_edition, const Edition& new_edition,
                           const DiffOptions& options);

// ---- What kinds of change lie between a row of one edition and the same row of another.

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

// ---- Models, GPU types, methods and scenarios that only one edition has, so that a new model is
// one line and not one for each of its rows.

/// Fills `entries`. Both editions must have the same names for the same things.
void find_whole_entries(const Edition& old_edition, const Edition& new_edition,
                        SheetChanges& changes);

/// The entry that tells of this added or removed row or pick; nullptr where none does.
const EntryChange* whole_entry(const SheetChanges& changes, const Change& change);

// ---- Counts and dollar totals of a comparison, told as it goes on.

/// Counts a compared key whose change is listed.
void count_change(const Change& change, ChangeCounts& counts,
                  std::map<std::string, std::int64_t>& kinds);

/// Counts a compared key that is not listed.
void count_quiet(bool differs, ChangeCounts& counts);

/// Adds one run on either side to the totals; nothing where effects are absent.
void add_run(const ChangeSide& old_side, const ChangeSide& new_side,
             const std::optional<ChangeEffects>& effects, ChangeTotals& totals);

// ---- The dollars of one run, taken apart: price, quantity, time, and another pick.

/// A row against itself in another edition; absent where a side has no dollars a run. First the
/// hours move, then the instances, then the price; the steps are differences of rounded amounts, so
/// they add up to the micro-dollar.
std::optional<ChangeEffects> row_effects(const ChangeSide& old_side, const ChangeSide& new_side);

/// A pick that went to another row: `mix` is that row's old cost less the old pick's, the rest is
/// what the new pick's row did since. `new_pick_in_old` is that row as OLD has it; where OLD has no
/// dollars for it, all is mix.
std::optional<ChangeEffects> pick_effects(const ChangeSide& old_pick,
                                          const ChangeSide* new_pick_in_old,
                                          const ChangeSide& new_pick);

/// Adds part by part.
ChangeEffects& operator+=(ChangeEffects& sum, const ChangeEffects& more);

// ---- Ids that an entry had in another edition (`was`), so that a renamed model is one row and not
// two.

/// OLD's id -> NEW's id, for the ids that differ. Either edition may be the later one.
struct Renames {
  std::map<std::string, std::string> models;
  std::map<std::string, std::string> methods;
  std::map<std::string, std::string> gpus;
  std::map<std::string, std::string> scenarios;

  bool none() const;
};

Renames renames_between(const Edition& old_edition, const Edition& new_edition);

/// OLD with NEW's ids in its rows, picks and price keys; each side's row_key stays as OLD wrote it.
Edition under_new_names(Edition old_edition, const Renames& renames);

}  // namespace sizesheet
