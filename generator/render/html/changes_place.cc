// SPDX-License-Identifier: Apache-2.0
#include "render/html/changes_place.h"

#include <algorithm>

#include "render/html/cells.h"
#include "render/moved_words.h"
#include "render/phrases.h"

namespace sizesheet {

namespace {

template <typename T>
const T* with_id(const std::vector<T>& entries, const std::string& id) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const T& entry) { return entry.id == id; });
  return found == entries.end() ? nullptr : &*found;
}

std::string with_run(const std::string& setup, const std::optional<MicroUsd>& run) {
  return run ? setup + ", $" + run_usd(*run) + " a run" : setup;
}

}  // namespace

ChangesPlace::ChangesPlace(const SheetChanges& changes, const Sheet* edition)
    : changes_(changes), edition_(edition) {
  for (const Change& change : changes.changes) {
    (change.of == "pick" ? pick_scenarios_ : row_scenarios_).insert(change.scenario);
  }
}

std::string ChangesPlace::model(const std::string& id) const {
  const SheetModel* found = alone() ? nullptr : with_id(edition_->models, id);
  return found ? found->title : id;
}

std::string ChangesPlace::method(const std::string& id) const {
  const SheetMethod* found = alone() ? nullptr : with_id(edition_->methods, id);
  return found ? found->short_title : id;
}

std::string ChangesPlace::gpu(const Change& change) const {
  const auto& side = change.new_side ? change.new_side : change.old_side;
  return side && !side->gpu_name.empty() ? side->gpu_name : change.gpu;
}

std::string ChangesPlace::href(const Change& change) const {
  if (alone() || !with_id(edition_->models, change.model)) return "";
  const std::string page = "models/" + change.model + ".html";
  if (change.of == "pick") {
    return with_id(edition_->methods, change.method) ? page + "#" + change.method : page;
  }
  const Row* row = edition_->find(change.key);
  return row ? page + "#" + proof_id(*edition_, *row) : page;
}

std::string ChangesPlace::scenario(const Change& change) const {
  const auto& scenarios = change.of == "pick" ? pick_scenarios_ : row_scenarios_;
  return scenarios.size() > 1 ? change.scenario : "";
}

std::optional<std::string> ChangesPlace::pick_now(const std::string& model,
                                                  const std::string& method) const {
  for (const Change& change : changes_.changes) {
    if (change.of != "pick" || change.model != model || change.method != method) continue;
    if (!change.new_side) return change.kind == "vanished" ? "no price" : "nothing fits";
    return with_run(side_setup(*change.new_side), change.new_side->list_usd_per_run);
  }
  const Row* row = alone() ? nullptr : rent_pick_row(*edition_, model, method);
  if (!row) return std::nullopt;
  return with_run(set_up(*edition_, *row), row->rents[kOnDemand]
                                               ? row->rents[kOnDemand]->usd_per_run
                                               : std::optional<MicroUsd>());
}

}  // namespace sizesheet
