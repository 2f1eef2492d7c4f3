// SPDX-License-Identifier: Apache-2.0
// Which moved inputs a changed row or pick rests on.
#include <algorithm>
#include <set>

#include "sheet/diff/moved_inputs.h"
#include "sheet/own_row.h"
#include "sheet/price_key.h"

namespace sizesheet {
namespace {

using Ids = std::set<std::string>;

/// The entries that a change's rows rest on, in either edition.
struct Foundations {
  Ids gpus;
  Ids stacks;
  Ids machines;
  Ids providers;
  Ids offers;  ///< of the list prices
  bool owned = false;
};

void add_side(const EditionInputs& inputs, const Change& change, const ChangeSide& side,
              Foundations& rests) {
  const std::string& gpu = change.gpu.empty() ? side.gpu : change.gpu;
  rests.gpus.insert(gpu);
  for (const SpecScenario& scenario : inputs.spec.scenarios) {
    if (scenario.id == change.scenario) rests.stacks.insert(scenario.stack);
  }
  if (!side.price_key.empty()) {
    rests.offers.insert(offer_of(side.price_key));
    rests.providers.insert(side.price_key.substr(0, side.price_key.find('/')));
  }
  if (!side.own_usd_per_month) return;
  rests.owned = true;
  const PurchaseNode* node = cheapest_nodes(inputs.catalog.purchase, gpu, side.gpus);
  if (node != nullptr) rests.machines.insert(node->id);
}

/// A list price is named by its offer. All of the GPU's offers are named only where the spread, or
/// the rents beside the list, is what the change is about.
bool rests_on_offer(const Change& change, const Foundations& rests, const TracedInput& input) {
  if (rests.offers.contains(input.id)) return true;
  if (!rests.gpus.contains(input.gpu)) return false;
  const bool list = input.tier == "on_demand";
  return change.kind == (list ? "spread_moved" : "other_rent_moved");
}

/// The ends of a range of purchase prices or rates; rows are worked out from the typical value.
bool is_range_end(const MovedInput& moved) {
  return moved.group == "ownership" &&
         (moved.field.ends_with("/low") || moved.field.ends_with("/high"));
}

bool rests_on(const Change& change, const Foundations& rests, const TracedInput& input) {
  switch (input.bears) {
    case Bears::kNone:
      return false;
    case Bears::kAll:
      return true;
    case Bears::kOwned:
      return rests.owned;
    case Bears::kModel:
      return input.id == change.model;
    case Bears::kMethod:
      return input.id == change.method;
    case Bears::kGpu:
      return rests.gpus.contains(input.id);
    case Bears::kScenario:
      return input.id == change.scenario;
    case Bears::kStack:
      return rests.stacks.contains(input.id);
    case Bears::kMachine:
      return rests.machines.contains(input.id);
    case Bears::kProvider:
      return rests.providers.contains(input.id);
    case Bears::kOffer:
      return rests_on_offer(change, rests, input);
  }
  return false;
}

bool holds(const std::vector<std::string>& list, const std::string& one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

}  // namespace

void name_moved_inputs(const EditionInputs& old_inputs, const EditionInputs& new_inputs,
                       const Renames& renames, SheetChanges& changes) {
  std::vector<TracedInput> all =
      moved_inputs(old_inputs, new_inputs, renames, changes.old_edition, changes.new_edition);
  for (Change& change : changes.changes) {
    Foundations rests;
    if (change.old_side) add_side(old_inputs, change, *change.old_side, rests);
    if (change.new_side) add_side(new_inputs, change, *change.new_side, rests);
    if (change.old_bought) add_side(old_inputs, change, *change.old_bought, rests);
    if (change.new_bought) add_side(new_inputs, change, *change.new_bought, rests);
    for (TracedInput& input : all) {
      if (!holds(change.cause, input.moved.group) || is_range_end(input.moved)) continue;
      if (!rests_on(change, rests, input)) continue;
      change.because.push_back(input.moved.id);
      if (change.of == "row") ++input.moved.rows;
    }
  }
  for (TracedInput& input : all) changes.moved.push_back(std::move(input.moved));
}

}  // namespace sizesheet
