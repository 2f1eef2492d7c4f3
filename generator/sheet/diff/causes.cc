// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/causes.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "sheet/assemble/build_sheet.h"
#include "sheet/changes.h"
#include "sheet/diff/compare.h"
#include "sheet/diff/earlier_programs.h"
#include "sheet/diff/edition.h"
#include "sheet/diff/inputs.h"
#include "sheet/diff/moved_inputs_because.h"
#include "sheet/diff/plan_changes.h"
#include "sheet/money.h"
#include "sheet/sheet.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

constexpr const char* kEngine = "engine";

/// Below these nothing is passed over.
constexpr ChangeThresholds kAnything{0, 0, 0};

/// What about a row or a pick moved, as a set of bits: kinds that are ends of one matter share one.
/// A new name is no move.
using Aspects = std::uint64_t;

Aspects aspect_of(const std::string& kind) {
  if (kind == "renamed") return 0;
  const auto& kinds = change_kinds();
  std::size_t bit = severity(kind);
  if (const std::string& matter = kinds[bit].matter; !matter.empty()) {
    for (bit = 0; kinds[bit].matter != matter;) ++bit;
  }
  return Aspects{1} << bit;
}

Aspects aspects_of(const Change& change) {
  Aspects all = 0;
  for (const std::string& kind : change.kinds()) all |= aspect_of(kind);
  return all;
}

/// Key of a row or a pick, under NEW's names -> what moved.
using Moves = std::map<std::string, Aspects>;

Moves moves_between(const Edition& from, const Edition& to, const ChangeThresholds& thresholds) {
  Moves moves;
  for (const Change& change : compare_editions(from, to, thresholds).changes) {
    moves[change.key] |= aspects_of(change);
  }
  return moves;
}

Aspects moved_in(const Moves& moves, const std::string& key) {
  const auto entry = moves.find(key);
  return entry == moves.end() ? 0 : entry->second;
}

/// Key of a pick -> dollars of one run; without an entry where they are not known.
using Costs = std::map<std::string, MicroUsd>;

Costs pick_costs(const Edition& edition) {
  const RowIndex rows(edition);
  Costs costs;
  for (const Pick& pick : edition.picks) {
    const EditionRow* row = rows.find(pick.rent_key);
    if (row != nullptr && row->side.list_usd_per_run) {
      costs[pick.key()] = *row->side.list_usd_per_run;
    }
  }
  return costs;
}

/// Inputs in some state against those in another. Only what an attribution asks is kept of it, not
/// its rows.
struct State {
  Moves moves;      ///< by the thresholds of the comparison
  Moves any_moves;  ///< however small
  Costs pick_usd;
};

/// How far the editions as stored are from what this engine makes of their inputs.
struct Drift {
  State old_side;
  State new_side;
};

/// Editions of mixed inputs, sized by this engine, and how each differs from OLD's inputs sized
/// again.
class States {
 public:
  /// Both inputs under NEW's names. Sizes OLD's inputs again. Throws InputError.
  States(Json old_inputs, Json new_inputs, const std::string& file,
         const ChangeThresholds& thresholds, int jobs)
      : old_inputs_(std::move(old_inputs)),
        new_inputs_(std::move(new_inputs)),
        file_(file),
        thresholds_(thresholds),
        jobs_(jobs),
        differing_(differing_groups(old_inputs_, new_inputs_)),
        resized_(sized({})) {
    differing_.erase(kDemandGroup);
  }

  const Groups& differing() const { return differing_; }

  /// The state with these groups from NEW, all of which differ; sized at the first call. Throws
  /// InputError.
  const State& at(const Groups& switched) {
    const auto known = made_.find(switched);
    if (known != made_.end()) return known->second;
    State state;
    if (switched.empty()) {
      state.pick_usd = pick_costs(resized_);
    } else {
      Edition edition = sized(switched);
      state = between(base_of(switched), edition, edition);
      if (switched == differing_) resized_new_ = std::move(edition);
    }
    return made_.emplace(switched, std::move(state)).first->second;
  }

  /// Of OLD as stored, under NEW's names, and of NEW as stored.
  Drift drift_of(const Edition& old_stored, const Edition& new_stored) {
    at(differing_);
    const Edition& resized_new = resized_new_ ? *resized_new_ : resized_;
    return {between(old_stored, resized_, old_stored),
            between(resized_new, new_stored, new_stored)};
  }

 private:
  Edition sized(const Groups& from_new) const;

  /// What a state is held against. NEW's prices and services come with NEW's day, so what age does
  /// by itself is no doing of theirs.
  const Edition& base_of(const Groups& switched) {
    const bool dated = switched.size() == 1 && comes_with_its_day(*switched.begin());
    if (!dated || !differing_.contains(kAgeGroup)) return resized_;
    if (!aged_) aged_ = sized({kAgeGroup});
    return *aged_;
  }

  State between(const Edition& from, const Edition& to, const Edition& priced) const {
    return {moves_between(from, to, thresholds_), moves_between(from, to, kAnything),
            pick_costs(priced)};
  }

  Json old_inputs_;
  Json new_inputs_;
  std::string file_;
  ChangeThresholds thresholds_;
  int jobs_;
  Groups differing_;
  Edition resized_;
  std::optional<Edition> resized_new_;
  std::optional<Edition> aged_;  ///< OLD's inputs on NEW's day
  std::map<Groups, State> made_;
};

Edition States::sized(const Groups& from_new) const {
  Json mix = mixed_inputs(old_inputs_, new_inputs_, from_new);
  if (mix.at("sheet").at("scenarios").empty()) {  // a side's are all for methods of the other
    Edition without_a_cell;
    without_a_cell.file = file_;
    return without_a_cell;
  }
  mix.at("sheet").erase("plan");  // rows do not rest on it
  const EditionInputs inputs = read_inputs(std::move(mix), file_);
  std::vector<EditionRow> rows;
  const auto keep = [&](Row& row) {
    rows.push_back(edition_row(row));
    row.terms.clear();  // what nobody reads now
    row.cost_terms.clear();
    row.quantity_terms.clear();
    row.counts.clear();
    row.clocks.clear();
    row.warnings.clear();
  };
  const Sheet sheet =
      sized_sheet(inputs.catalog, inputs.spec, {}, jobs_, keep, [](std::size_t, std::size_t) {});
  Edition edition = edition_of(sheet, std::move(rows), file_);
  edition.inputs = Json();
  for (const RowPart& part : kRowParts) {
    for (EditionName& name : edition.*part.listed) name.was.clear();  // every state has NEW's names
  }
  return edition;
}

/// The groups that alone move what is at `key` in one of these aspects.
Groups alone(States& states, const Drift& drift, const std::string& key, Aspects aspects,
             Moves State::*moves) {
  Groups causes;
  for (const std::string& group : states.differing()) {
    if ((moved_in(states.at({group}).*moves, key) & aspects) != 0) causes.insert(group);
  }
  const Aspects drifted =
      moved_in(drift.old_side.*moves, key) | moved_in(drift.new_side.*moves, key);
  if ((drifted & aspects) != 0) causes.insert(kEngine);
  return causes;
}

/// The groups whose return to OLD takes one of these aspects of the move away.
Groups in_combination(States& states, const std::string& key, Aspects aspects) {
  Groups causes;
  const Groups& all = states.differing();
  const Aspects moved = moved_in(states.at(all).moves, key) & aspects;
  for (const std::string& group : all) {
    Groups others = all;
    others.erase(group);
    const Aspects left = moved_in(states.at(others).moves, key);
    if ((moved & ~left) != 0) causes.insert(group);
  }
  return causes;
}

Groups causes_of(const Change& change, States& states, const Drift& drift) {
  const Aspects aspects = aspects_of(change);
  if (aspects == 0) return {};
  Groups causes = alone(states, drift, change.key, aspects, &State::moves);
  if (causes.empty()) causes = in_combination(states, change.key, aspects);
  if (causes.empty()) causes = alone(states, drift, change.key, aspects, &State::any_moves);
  return causes.empty() ? states.differing() : causes;
}

/// Groups in which an id of the change's key is another than in OLD.
Groups renaming_groups(const Change& change) {
  Groups groups;
  if (change.was.empty()) return groups;
  const std::vector<std::string> now = split(change.key, '/');
  const std::vector<std::string> was = split(change.was, '/');
  for (std::size_t i = 0; i < std::min({now.size(), was.size(), kRowParts.size()}); ++i) {
    if (now[i] != was[i]) groups.insert(kRowParts[i].group);
  }
  return groups;
}

/// How many changes name a group, and the dollars that moved as it was switched: one run of every
/// pick that has a price in OLD and in NEW as stored; a pick that has none in between keeps its
/// cost until it has one again, so that the groups add up exactly. A group that moved nothing is
/// left out unless its inputs differ.
std::vector<CauseTotal> cause_totals(States& states, const Drift& drift,
                                     const std::vector<Change>& changes) {
  const Costs& end = drift.new_side.pick_usd;
  Costs costs = drift.old_side.pick_usd;
  std::erase_if(costs, [&](const auto& pick) { return !end.contains(pick.first); });
  std::map<std::string, MicroUsd> moved;
  const auto step = [&](const std::string& group, const Costs& after) {
    for (auto& [pick, usd] : costs) {
      const auto now = after.find(pick);
      if (now == after.end()) continue;
      moved[group] += now->second - usd;
      usd = now->second;
    }
  };
  step(kEngine, states.at({}).pick_usd);
  Groups switched;
  for (const std::string& group : kSwitchOrder) {
    if (!states.differing().contains(group)) continue;
    switched.insert(group);
    step(group, states.at(switched).pick_usd);
  }
  step(kEngine, end);
  std::vector<CauseTotal> totals;
  for (const std::string& group : kSwitchOrder) {
    CauseTotal total{group, 0, 0, moved[group]};
    for (const Change& change : changes) {
      const auto& cause = change.cause;
      if (!contains(cause, group)) continue;
      ++(change.of == "row" ? total.rows : total.picks);
    }
    const bool told = total.rows > 0 || total.picks > 0 || total.usd != MicroUsd{};
    if (told || states.differing().contains(group)) totals.push_back(std::move(total));
  }
  return totals;
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
  Json old_raw = inputs_under_new_names(old_edition.inputs, renames);
  Json new_raw = inputs_under_new_names(new_edition.inputs, {});
  lend_services(old_raw, new_raw);
  const EditionInputs old_inputs = read_inputs(std::move(old_raw), old_edition.file);
  const EditionInputs new_inputs = read_inputs(std::move(new_raw), new_edition.file);
  States states(old_inputs.raw, new_inputs.raw, new_edition.file, changes.thresholds, jobs);
  const Drift drift = states.drift_of(old_named, new_edition);
  for (Change& change : changes.changes) {
    Groups causes = causes_of(change, states, drift);
    causes.merge(renaming_groups(change));
    for (const std::string& group : kInputGroups) {
      if (causes.contains(group)) change.cause.push_back(group);
    }
  }
  name_moved_inputs(old_inputs, new_inputs, renames, changes);
  changes.causes = cause_totals(states, drift, changes.changes);
  if (!changes.plan || !changes.plan->old_totals || !changes.plan->new_totals) return;
  changes.plan->causes = plan_causes(old_named, new_edition, old_inputs.raw, new_inputs.raw, jobs);
}

}  // namespace

SheetChanges diff_editions(const Edition& old_edition, const Edition& new_edition,
                           const ChangeThresholds& thresholds, int jobs) {
  SheetChanges changes = compare_editions(old_edition, new_edition, thresholds);
  for (const Edition* edition : {&old_edition, &new_edition}) {
    changes.causes_unknown = why_not(*edition);
    if (!changes.causes_unknown.empty()) return changes;
  }
  SheetChanges worked_out = changes;
  try {
    work_out(old_edition, new_edition, jobs, worked_out);
    return worked_out;
  } catch (const InputError& fault) {
    changes.causes_unknown = fault.what();
    return changes;
  }
}

}  // namespace sizesheet
