// SPDX-License-Identifier: Apache-2.0
// Why an input moved: what stands behind it, and behind a price.

#include <algorithm>
#include <map>
#include <set>

#include "sheet/build/build_sheet.h"
#include "sheet/build/rows.h"
#include "sheet/diff/inputs.h"
#include "sheet/measures.h"
#include "support/dates.h"
#include "support/text.h"

namespace sizesheet {

// ---- Which moved inputs a changed row or pick rests on.

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

namespace {

/// The rows of one offer in one edition.
struct Offer {
  const Price* current = nullptr;  ///< newest that counts
  const Price* newest = nullptr;   ///< newest of all
  std::string why_not;             ///< of the newest, where none counts
};

using Offers = std::map<std::string, Offer>;

bool later(const Price& a, const Price* b) {
  return b == nullptr || day_number(a.as_of) > day_number(b->as_of);
}

Offers offers_of(const EditionInputs& inputs, const EditionInputs& other) {
  Offers offers;
  for (const Price& price : inputs.catalog.prices) {
    if (rent_tier(price.tier) == nullptr) continue;
    if (!is_listed(inputs.spec.gpus, price.gpu) || !is_listed(other.spec.gpus, price.gpu)) continue;
    Offer& offer = offers[offer_of(price.key())];
    const std::string why_not = why_not_admitted(price, policy_of(inputs.spec, price.tier));
    if (why_not.empty() && later(price, offer.current)) offer.current = &price;
    if (!later(price, offer.newest)) continue;
    offer.newest = &price;
    offer.why_not = why_not;
  }
  return offers;
}

std::string short_name(const Price& price) {
  return price.provider + " " + price.gpu + " " + price.tier;
}

/// Region, instance and size, for offers that share the short name with another.
std::string long_name(const Price& price) {
  std::vector<std::string> parts{price.region};
  if (!price.instance.empty()) parts.push_back(price.instance);
  parts.push_back(std::to_string(price.gpus) + (price.gpus == 1 ? " GPU" : " GPUs"));
  return short_name(price) + " (" + join(parts, ", ") + ")";
}

std::string amount(const Price& price) {
  return json_text(Json(to_usd(price.usd_per_instance_hour)));
}

TracedInput traced(const std::string& key, const Price& price) {
  TracedInput input;
  input.moved.id = "prices:" + key;
  input.moved.group = "prices";
  input.moved.how = "changed";
  input.bears = Bears::kOffer;
  input.id = key;
  input.gpu = price.gpu;
  input.tier = price.tier;
  return input;
}

void put_sides(const Price* from, const Price* to, MovedInput& moved) {
  if (from != nullptr) moved.old_as_of = from->as_of;
  if (to != nullptr) moved.new_as_of = to->as_of;
  moved.source = (to != nullptr ? to : from)->source;
}

void put_change(const Price& from, const Price& to, MovedInput& moved) {
  put_sides(&from, &to, moved);
  if (from.usd_per_instance_hour == to.usd_per_instance_hour) {
    moved.field = "/as_of";
    moved.old_value = json_text(from.as_of);
    moved.new_value = json_text(to.as_of);
    return;
  }
  moved.field = "/usd_per_instance_hour";
  moved.unit = "$/h";
  moved.old_value = amount(from);
  moved.new_value = amount(to);
}

/// `from` or `to` counts, not both.
void put_coming_or_going(const Offer& before, const Offer& after, MovedInput& moved) {
  moved.unit = "$/h";
  if (before.current != nullptr) moved.old_value = amount(*before.current);
  if (after.current != nullptr) moved.new_value = amount(*after.current);
  put_sides(before.current != nullptr ? before.current : before.newest,
            after.current != nullptr ? after.current : after.newest, moved);
  if (before.newest == nullptr || after.newest == nullptr) {
    moved.how = before.newest == nullptr ? "added" : "removed";
    return;
  }
  moved.field = "/counts";
  if (before.current == nullptr) moved.old_value = json_text(before.why_not);
  if (after.current == nullptr) moved.new_value = json_text(after.why_not);
}

const Price& some_row(const Offer& before, const Offer& after) {
  return after.newest != nullptr ? *after.newest : *before.newest;
}

bool same(const Offer& before, const Offer& after) {
  if (before.current == nullptr || after.current == nullptr) return before.current == after.current;
  return before.current->usd_per_instance_hour == after.current->usd_per_instance_hour &&
         before.current->as_of == after.current->as_of;
}

}  // namespace

std::vector<TracedInput> moved_prices(const EditionInputs& old_inputs,
                                      const EditionInputs& new_inputs) {
  std::map<std::string, std::pair<Offer, Offer>> both;
  for (auto& [key, offer] : offers_of(old_inputs, new_inputs)) both[key].first = offer;
  for (auto& [key, offer] : offers_of(new_inputs, old_inputs)) both[key].second = offer;
  std::map<std::string, int> named;
  for (const auto& [key, sides] : both) ++named[short_name(some_row(sides.first, sides.second))];
  std::vector<TracedInput> moved;
  for (const auto& [key, sides] : both) {
    const auto& [before, after] = sides;
    if (same(before, after)) continue;
    const Price& row = some_row(before, after);
    TracedInput input = traced(key, row);
    input.moved.what = named[short_name(row)] > 1 ? long_name(row) : short_name(row);
    if (before.current != nullptr && after.current != nullptr) {
      put_change(*before.current, *after.current, input.moved);
    } else {
      put_coming_or_going(before, after, input.moved);
    }
    input.moved.id += input.moved.field;
    moved.push_back(std::move(input));
  }
  return moved;
}

}  // namespace sizesheet
