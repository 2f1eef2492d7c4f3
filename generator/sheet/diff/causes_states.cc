// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/causes_states.h"

#include <algorithm>
#include <utility>

#include "sheet/build_sheet.h"
#include "sheet/diff/compare.h"
#include "sheet/diff/inputs.h"

namespace sizesheet {
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

}  // namespace sizesheet
