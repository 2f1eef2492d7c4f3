// SPDX-License-Identifier: Apache-2.0
// Editions of mixed inputs, sized by this engine, and how each differs from OLD's inputs sized
// again. Only what an attribution asks is kept of a state, not its rows.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "sheet/diff/inputs_mix.h"

namespace sizesheet {

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

}  // namespace sizesheet
