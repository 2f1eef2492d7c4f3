// SPDX-License-Identifier: Apache-2.0
// Why an edition differs: OLD's inputs are sized again with this engine (state B), then groups of
// NEW's inputs are put in their place.
//
// The rule. Kinds of change fall into aspects: what fits, the card picked, dollars to rent, dollars
// to own, hours, advice, memory terms and so on. Two editions are compared by `compare_editions`
// under the caller's thresholds, so that a drift that is not worth listing is no cause either.
// A group is a cause of a change when it alone, switched from OLD to NEW in B, moves the row or the
// pick in an aspect in which it changed. `engine` is one also when B differs so from OLD as stored,
// or NEW's inputs sized by this engine from NEW as stored: then another program wrote that edition.
// Where no group does it alone, the causes are those whose return to OLD, from NEW, takes an aspect
// of the move away (a combination); failing that, those that alone move it below the thresholds;
// failing that, every group whose inputs differ. A new name is the doing of the group it is in.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "sheet/diff/edition.h"
#include "sheet/diff/inputs.h"

namespace sizesheet {

/// Fills `cause` and `because` of every change, `moved` and `causes`; or `causes_unknown`, where an
/// edition does not hold all that its rows were made from.
void find_causes(const Edition& old_edition, const Edition& new_edition, int jobs,
                 SheetChanges& changes);

// ---- Editions of mixed inputs, sized by this engine, and how each differs from OLD's inputs sized
// again. Only what an attribution asks is kept of a state, not its rows.

/// What about a row or a pick moved, as a set of bits: kinds that are two ends of one matter
/// (dearer, cheaper) share a bit. A new name is no move.
using Aspects = std::uint64_t;
Aspects aspects_of(const Change& change);

/// Key of a row (or pick, which has fewer parts) under NEW's names -> what moved.
using Moves = std::map<std::string, Aspects>;
Moves moves_between(const Edition& from, const Edition& to, const ChangeThresholds& thresholds);

/// model/method -> dollars of one run of the pick; without an entry where they are not known.
std::map<std::string, MicroUsd> pick_costs(const Edition& edition);

/// A state against OLD's inputs sized again.
struct State {
  Moves moves;      ///< by the thresholds of the comparison
  Moves any_moves;  ///< however small
  std::map<std::string, MicroUsd> pick_usd;
};

class States {
 public:
  /// Both inputs under NEW's names. Sizes OLD's inputs again. Throws InputError.
  States(Json old_inputs, Json new_inputs, const std::string& file,
         const ChangeThresholds& thresholds, int jobs);

  const Groups& differing() const { return differing_; }

  /// The state with these groups from NEW; sized at the first call, groups whose inputs are equal
  /// left aside. Throws InputError.
  const State& at(const Groups& from_new);

  /// OLD as stored, under NEW's names, against its inputs sized by this engine.
  State from_stored(const Edition& stored) const;
  /// NEW's inputs sized by this engine against NEW as stored.
  State remainder(const Edition& stored);

 private:
  Edition sized(const Groups& from_new) const;

  Json old_inputs_;
  Json new_inputs_;
  std::string file_;
  ChangeThresholds thresholds_;
  int jobs_;
  Groups differing_;
  Edition resized_;
  std::optional<Edition> resized_new_;
  std::map<Groups, State> made_;
};

// ---- Causes in sum: how many changes name a group, and the dollars that moved as it was switched.

/// A step from OLD to NEW: the group that was switched, and what the picks cost after it.
struct CauseStep {
  std::string group;
  std::map<std::string, MicroUsd> pick_usd;
};

/// One run of every pick that has a price in OLD (`start`) and after the last step; a pick that has
/// none in between keeps its cost until it has one again, so that the groups add up exactly. A
/// group that moved nothing is left out unless its inputs differ.
std::vector<CauseTotal> cause_totals(const std::map<std::string, MicroUsd>& start,
                                     const std::vector<CauseStep>& steps, const Groups& differing,
                                     const std::vector<Change>& changes);

}  // namespace sizesheet
