// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/causes.h"

#include <algorithm>
#include <utility>

#include "sheet/build/build_sheet.h"
#include "sheet/diff/compare.h"
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

namespace {

/// Below these nothing is passed over.
constexpr ChangeThresholds kAnything{0, 0, 0};

/// Kind -> the kind that stands for its aspect; all others stand for themselves.
const std::map<std::string, std::string>& shared_aspects() {
  static const std::map<std::string, std::string> kShared{{"needs_more", "no_longer_fits"},
                                                          {"headroom_low", "no_longer_fits"},
                                                          {"now_fits", "no_longer_fits"},
                                                          {"headroom_back", "no_longer_fits"},
                                                          {"needs_less", "no_longer_fits"},
                                                          {"vanished", "dearer"},
                                                          {"appeared", "dearer"},
                                                          {"cheaper", "dearer"},
                                                          {"offsetting", "dearer"},
                                                          {"own_vanished", "own_dearer"},
                                                          {"own_appeared", "own_dearer"},
                                                          {"own_cheaper", "own_dearer"},
                                                          {"faster", "slower"},
                                                          {"added", "removed"}};
  return kShared;
}

Aspects aspect_of(const std::string& kind) {
  if (kind == "renamed") return 0;
  const auto shared = shared_aspects().find(kind);
  const ChangeKind& stands = change_kind(shared == shared_aspects().end() ? kind : shared->second);
  return Aspects{1} << static_cast<unsigned>(&stands - change_kinds().data());
}

/// What a comparison does not read of a row once its slim copy is made.
void take_proofs(Row& row) {
  row.terms.clear();
  row.cost_terms.clear();
  row.quantity_terms.clear();
  row.counts.clear();
  row.clocks.clear();
  row.warnings.clear();
}

/// True where the mix has no cell: a side's scenarios are all for methods of the other.
bool has_no_cell(const Json& inputs) { return inputs.at("sheet").at("scenarios").empty(); }

}  // namespace

Aspects aspects_of(const Change& change) {
  Aspects all = aspect_of(change.kind);
  for (const std::string& kind : change.also) all |= aspect_of(kind);
  return all;
}

Moves moves_between(const Edition& from, const Edition& to, const ChangeThresholds& thresholds) {
  Moves moves;
  for (const Change& change : compare_editions(from, to, thresholds).changes) {
    moves[change.key] |= aspects_of(change);
  }
  return moves;
}

std::map<std::string, MicroUsd> pick_costs(const Edition& edition) {
  std::map<std::string, const EditionRow*> rows;
  for (const EditionRow& row : edition.rows) rows.emplace(row.key(), &row);
  std::map<std::string, MicroUsd> costs;
  for (const EditionPick& pick : edition.picks) {
    const auto row = pick.rent_key ? rows.find(*pick.rent_key) : rows.end();
    if (row == rows.end() || !row->second->side.list_usd_per_run) continue;
    costs[pick.model + "/" + pick.method] = *row->second->side.list_usd_per_run;
  }
  return costs;
}

States::States(Json old_inputs, Json new_inputs, const std::string& file,
               const ChangeThresholds& thresholds, int jobs)
    : old_inputs_(std::move(old_inputs)),
      new_inputs_(std::move(new_inputs)),
      file_(file),
      thresholds_(thresholds),
      jobs_(jobs),
      differing_(differing_groups(old_inputs_, new_inputs_)),
      resized_(sized({})) {}

Edition States::sized(const Groups& from_new) const {
  Json mix = mixed_inputs(old_inputs_, new_inputs_, from_new);
  Edition edition;
  edition.file = file_;
  if (has_no_cell(mix)) return edition;
  const EditionInputs inputs = read_inputs(std::move(mix), file_);
  std::vector<EditionRow> rows;
  const auto keep = [&](Row& row) {
    rows.push_back(edition_row(row, inputs.catalog.gpu(row.gpu).short_name));
    take_proofs(row);
  };
  const Sheet sheet =
      sized_sheet(inputs.catalog, inputs.spec, {}, jobs_, keep, [](std::size_t, std::size_t) {});
  edition = edition_of(sheet, file_);
  edition.rows = std::move(rows);
  edition.inputs = Json();
  for (auto* names : {&edition.models, &edition.methods, &edition.gpus, &edition.scenarios}) {
    for (EditionName& name : *names) name.was.clear();  // every state bears NEW's names
  }
  return edition;
}

const State& States::at(const Groups& from_new) {
  Groups switched;
  std::set_intersection(from_new.begin(), from_new.end(), differing_.begin(), differing_.end(),
                        std::inserter(switched, switched.begin()));
  const auto known = made_.find(switched);
  if (known != made_.end()) return known->second;
  State state;
  if (switched.empty()) {
    state.pick_usd = pick_costs(resized_);
  } else {
    Edition edition = sized(switched);
    state = {moves_between(resized_, edition, thresholds_),
             moves_between(resized_, edition, kAnything), pick_costs(edition)};
    if (switched == differing_) resized_new_ = std::move(edition);
  }
  return made_.emplace(std::move(switched), std::move(state)).first->second;
}

State States::from_stored(const Edition& stored) const {
  return {moves_between(stored, resized_, thresholds_), moves_between(stored, resized_, kAnything),
          pick_costs(stored)};
}

State States::remainder(const Edition& stored) {
  at(differing_);
  const Edition& edition = resized_new_ ? *resized_new_ : resized_;
  return {moves_between(edition, stored, thresholds_), moves_between(edition, stored, kAnything),
          pick_costs(stored)};
}

namespace {

using Costs = std::map<std::string, MicroUsd>;

/// Moves `costs` on to the step; returns what that added.
MicroUsd step_on(const Costs& after, Costs& costs) {
  MicroUsd sum;
  for (auto& [pick, usd] : costs) {
    const auto now = after.find(pick);
    if (now == after.end()) continue;
    sum += now->second - usd;
    usd = now->second;
  }
  return sum;
}

CauseTotal total_of(const std::string& group, const std::vector<Change>& changes) {
  CauseTotal total;
  total.group = group;
  for (const Change& change : changes) {
    const auto& cause = change.cause;
    if (std::find(cause.begin(), cause.end(), group) == cause.end()) continue;
    ++(change.of == "row" ? total.rows : total.picks);
  }
  return total;
}

}  // namespace

std::vector<CauseTotal> cause_totals(const Costs& start, const std::vector<CauseStep>& steps,
                                     const Groups& differing, const std::vector<Change>& changes) {
  Costs costs = start;
  if (!steps.empty()) {
    const Costs& end = steps.back().pick_usd;
    std::erase_if(costs, [&](const auto& pick) { return !end.contains(pick.first); });
  }
  std::map<std::string, MicroUsd> usd;
  for (const CauseStep& step : steps) usd[step.group] += step_on(step.pick_usd, costs);
  std::vector<CauseTotal> totals;
  for (const std::string& group : switch_order()) {
    CauseTotal total = total_of(group, changes);
    total.usd = usd[group];
    const bool moved = total.rows > 0 || total.picks > 0 || total.usd != MicroUsd{};
    if (moved || differing.contains(group)) totals.push_back(std::move(total));
  }
  return totals;
}

}  // namespace sizesheet
