// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/causes.h"

#include <algorithm>
#include <utility>

#include "sheet/diff/causes_states.h"
#include "sheet/diff/causes_totals.h"
#include "sheet/diff/inputs.h"
#include "sheet/diff/moved_inputs.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr const char* kEngine = "engine";

Aspects moved_in(const Moves& moves, const std::string& key) {
  const auto entry = moves.find(key);
  return entry == moves.end() ? 0 : entry->second;
}

Groups without(Groups groups, const std::string& group) {
  groups.erase(group);
  return groups;
}

/// How far the editions as stored are from what this engine makes of their inputs.
struct Drift {
  State old_side;
  State new_side;

  Aspects of(const std::string& key) const {
    return moved_in(old_side.moves, key) | moved_in(new_side.moves, key);
  }
  Aspects any_of(const std::string& key) const {
    return moved_in(old_side.any_moves, key) | moved_in(new_side.any_moves, key);
  }
};

/// Names the groups behind one change after the other.
class Attribution {
 public:
  Attribution(States& states, const Drift& drift) : states_(states), drift_(drift) {}

  Groups causes_of(const Change& change) {
    const Aspects aspects = aspects_of(change);
    if (aspects == 0) return {};
    Groups causes = alone(change.key, aspects, &State::moves);
    if ((drift_.of(change.key) & aspects) != 0) causes.insert(kEngine);
    if (causes.empty()) causes = in_combination(change.key, aspects);
    if (causes.empty()) {
      causes = alone(change.key, aspects, &State::any_moves);
      if ((drift_.any_of(change.key) & aspects) != 0) causes.insert(kEngine);
    }
    return causes.empty() ? states_.differing() : causes;
  }

 private:
  Groups alone(const std::string& key, Aspects aspects, Moves State::*moves) {
    Groups causes;
    for (const std::string& group : states_.differing()) {
      if ((moved_in(states_.at({group}).*moves, key) & aspects) != 0) causes.insert(group);
    }
    return causes;
  }

  Groups in_combination(const std::string& key, Aspects aspects) {
    Groups causes;
    const Groups& all = states_.differing();
    const Aspects moved = moved_in(states_.at(all).moves, key) & aspects;
    for (const std::string& group : all) {
      const Aspects left = moved_in(states_.at(without(all, group)).moves, key);
      if ((moved & ~left) != 0) causes.insert(group);
    }
    return causes;
  }

  States& states_;
  const Drift& drift_;
};

/// Groups in which an id of the change's key is another than in OLD.
Groups renaming_groups(const Change& change) {
  Groups groups;
  if (change.was.empty()) return groups;
  const std::vector<std::string> now = split(change.key, '/');
  const std::vector<std::string> was = split(change.was, '/');
  const char* const parts[] = {"models", "methods", "gpus", "workload"};
  for (std::size_t i = 0; i < now.size() && i < was.size() && i < std::size(parts); ++i) {
    if (now[i] != was[i]) groups.insert(parts[i]);
  }
  return groups;
}

/// In the order of the page.
std::vector<std::string> listed(const Groups& groups) {
  std::vector<std::string> list;
  for (const std::string& group : input_groups()) {
    if (groups.contains(group)) list.push_back(group);
  }
  return list;
}

std::vector<CauseStep> steps_to(States& states, const State& stored_new) {
  std::vector<CauseStep> steps{{kEngine, states.at({}).pick_usd}};
  Groups switched;
  for (const std::string& group : switch_order()) {
    if (!states.differing().contains(group)) continue;
    switched.insert(group);
    steps.push_back({group, states.at(switched).pick_usd});
  }
  steps.push_back({kEngine, stored_new.pick_usd});
  return steps;
}

/// "" or what an edition lacks, and where.
std::string why_not(const Edition& edition) {
  const std::vector<std::string> missing = missing_inputs(edition.inputs);
  if (missing.empty()) return "";
  return edition.file + ":/inputs: expected all that its rows were made from, got no \"" +
         join(missing, "\", \"") + "\" (an older program wrote it)";
}

/// Throws InputError where an edition's inputs cannot be read.
void work_out(const Edition& old_edition, const Edition& new_edition, int jobs,
              SheetChanges& changes) {
  const Renames renames = renames_between(old_edition, new_edition);
  const Edition old_named = under_new_names(old_edition, renames);
  const EditionInputs old_inputs =
      read_inputs(inputs_under_new_names(old_edition.inputs, renames), old_edition.file);
  const EditionInputs new_inputs =
      read_inputs(inputs_under_new_names(new_edition.inputs, {}), new_edition.file);
  States states(old_inputs.raw, new_inputs.raw, new_edition.file, changes.thresholds, jobs);
  const Drift drift{states.from_stored(old_named), states.remainder(new_edition)};
  Attribution attribution(states, drift);
  for (Change& change : changes.changes) {
    Groups causes = attribution.causes_of(change);
    causes.merge(renaming_groups(change));
    change.cause = listed(causes);
  }
  name_moved_inputs(old_inputs, new_inputs, renames, changes);
  changes.causes = cause_totals(drift.old_side.pick_usd, steps_to(states, drift.new_side),
                                states.differing(), changes.changes);
}

}  // namespace

void find_causes(const Edition& old_edition, const Edition& new_edition, int jobs,
                 SheetChanges& changes) {
  for (const Edition* edition : {&old_edition, &new_edition}) {
    changes.causes_unknown = why_not(*edition);
    if (!changes.causes_unknown.empty()) return;
  }
  SheetChanges worked_out = changes;
  try {
    work_out(old_edition, new_edition, jobs, worked_out);
    changes = std::move(worked_out);
  } catch (const InputError& fault) {
    changes.causes_unknown = fault.what();
  }
}

}  // namespace sizesheet
