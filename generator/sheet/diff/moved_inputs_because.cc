// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/moved_inputs_because.h"

#include <map>
#include <set>

#include "catalog/prices/price.h"
#include "catalog/prices/purchase.h"
#include "cost/rent.h"
#include "sheet/changes.h"
#include "sheet/diff/edition.h"
#include "sheet/diff/inputs.h"
#include "sheet/diff/moved_inputs.h"
#include "sheet/measures.h"
#include "sheet/money.h"
#include "sheet/rows/price_row.h"
#include "sheet/spec.h"
#include "support/json.h"
#include "support/money.h"
#include "support/object_text.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

using Ids = std::set<std::string>;

/// The entries that a change's rows rest on, in either edition, by what an input may bear on.
using Foundations = std::map<Affects, Ids>;

void add_side(const EditionInputs& inputs, const Change& change, const ChangeSide& side,
              Foundations& rests) {
  const std::string& gpu = change.gpu.empty() ? side.gpu : change.gpu;
  rests[Affects::kGpu].insert(gpu);
  for (const SpecScenario& scenario : inputs.spec.scenarios) {
    if (scenario.id == change.scenario) rests[Affects::kStack].insert(scenario.stack);
  }
  if (!side.price_key.empty()) {
    rests[Affects::kOffer].insert(offer_of(side.price_key));
    rests[Affects::kProvider].insert(side.price_key.substr(0, side.price_key.find('/')));
  }
  if (side.service) rests[Affects::kService].insert(offer_of(side.service->key));
  const bool compares = change.is("advice_flipped") || change.is("break_even_moved");
  if (compares && !side.advice_price_key.empty()) {
    rests[Affects::kOffer].insert(offer_of(side.advice_price_key));
  }
  if (!side.own_usd_per_month) return;
  rests[Affects::kOwned].insert("");  // by nobody's id: on all that owning rests on
  if (!side.machine_id.empty()) {
    rests[Affects::kMachine].insert(side.machine_id);
    return;
  }
  const PurchaseNode* node = cheapest_nodes(inputs.catalog.purchase, gpu, side.gpus);
  if (node != nullptr) rests[Affects::kMachine].insert(node->id);
}

/// A list price is named by its offer. All of the GPU's offers are named only where the spread, or
/// the rents beside the list, is what the change is about.
bool rests_on(const Change& change, Foundations& rests, const TracedInput& input) {
  if (input.bears == Affects::kNone || input.bears == Affects::kAll)
    return input.bears == Affects::kAll;
  if (input.bears == Affects::kOwned) return !rests[Affects::kOwned].empty();
  if (rests[input.bears].contains(input.id)) return true;
  if (input.bears != Affects::kOffer || !rests[Affects::kGpu].contains(input.gpu)) return false;
  return change.kind == (input.tier == "on_demand" ? "spread_moved" : "other_rent_moved");
}

/// The rows of one offer in one edition.
struct Offer {
  const Price* current = nullptr;  ///< newest that counts
  const Price* newest = nullptr;   ///< newest of all
  std::string why_not;             ///< of the newest, where none counts

  const Price* row() const { return current != nullptr ? current : newest; }
  std::string amount_or_why_not() const {
    return json_text(current != nullptr ? Json(to_usd(current->usd_per_instance_hour))
                                        : Json(why_not));
  }
};

using OffersByName = std::map<std::string, Offer>;

/// One offer in both editions; one side at most has no row of it.
struct OfferSides {
  Offer before;
  Offer after;

  const Price& price() const { return *(after.row() != nullptr ? after.row() : before.row()); }
};

bool later(const Price& a, const Price* b) {
  return b == nullptr || day_number(a.as_of) > day_number(b->as_of);
}

OffersByName offers_of(const EditionInputs& inputs, const EditionInputs& other) {
  OffersByName offers;
  for (const Price& price : inputs.catalog.prices) {
    if (rent_tier(price.tier) == nullptr) continue;
    if (!contains(inputs.spec.gpus, price.gpu) || !contains(other.spec.gpus, price.gpu)) continue;
    Offer& offer = offers[offer_of(price.key())];
    const std::string why_not = why_not_admitted(price, policy_of(inputs.spec, price.tier));
    if (why_not.empty() && later(price, offer.current)) offer.current = &price;
    if (!later(price, offer.newest)) continue;
    offer.newest = &price;
    offer.why_not = why_not;
  }
  return offers;
}

std::string short_name(const Price& price, const EditionInputs& inputs) {
  return price.provider + " " + inputs.catalog.gpu(price.gpu).short_name + " " +
         price_tier(price.tier).words;
}

/// Region, instance and size, for offers that share the short name with another.
std::string long_name(const Price& price, const EditionInputs& inputs) {
  std::vector<std::string> parts{price.region};
  if (!price.instance.empty()) parts.push_back(price.instance);
  parts.push_back(std::to_string(price.gpus) + (price.gpus == 1 ? " GPU" : " GPUs"));
  return short_name(price, inputs) + " (" + join(parts, ", ") + ")";
}

/// True where one and the same row ceased to count, or counts again, on another day of the sheet.
bool aged_out(const OfferSides& sides, const EditionInputs& old_inputs,
              const EditionInputs& new_inputs) {
  const auto& [before, after] = sides;
  if (old_inputs.spec.as_of == new_inputs.spec.as_of) return false;
  if (before.newest == nullptr || after.newest == nullptr) return false;
  return before.newest->key() == after.newest->key() &&
         before.newest->usd_per_instance_hour == after.newest->usd_per_instance_hour;
}

/// An offer whose current row differs.
TracedInput traced(const std::string& key, const OfferSides& sides, const EditionInputs& inputs,
                   const std::string& group) {
  const auto& [before, after] = sides;
  const Price* from = before.row();
  const Price* to = after.row();
  const Price& any = sides.price();
  TracedInput input;
  input.bears = Affects::kOffer;
  input.id = key;
  input.gpu = any.gpu;
  input.tier = any.tier;
  MovedInput& moved = input.moved;
  moved.group = group;
  moved.what = short_name(any, inputs);
  moved.how = from == nullptr ? "added" : to == nullptr ? "removed" : "changed";
  moved.unit = "$/h";
  moved.source = any.source;
  if (from != nullptr) {
    moved.old_as_of = from->as_of;
    moved.old_value = before.amount_or_why_not();
  }
  if (to != nullptr) {
    moved.new_as_of = to->as_of;
    moved.new_value = after.amount_or_why_not();
  }
  if (from != nullptr && to != nullptr) {
    const bool both_count = before.current != nullptr && after.current != nullptr;
    moved.field = both_count ? "/usd_per_instance_hour" : "/counts";
    if (both_count && moved.old_value == moved.new_value) {
      moved.field = "/as_of";
      moved.unit = "";
      moved.old_value = json_text(from->as_of);
      moved.new_value = json_text(to->as_of);
    }
  }
  moved.id = group + ":" + key + moved.field;
  return input;
}

bool same(const Offer& before, const Offer& after) {
  if (before.current == nullptr || after.current == nullptr) return before.current == after.current;
  return before.current->usd_per_instance_hour == after.current->usd_per_instance_hour &&
         before.current->as_of == after.current->as_of;
}

}  // namespace

void name_moved_inputs(const EditionInputs& old_inputs, const EditionInputs& new_inputs,
                       const Renames& renames, SheetChanges& changes) {
  std::vector<TracedInput> all =
      moved_inputs(old_inputs, new_inputs, renames, changes.old_edition, changes.new_edition);
  for (Change& change : changes.changes) {
    Foundations rests{{Affects::kModel, {change.model}},
                      {Affects::kMethod, {change.method}},
                      {Affects::kScenario, {change.scenario}}};
    if (change.old_side) add_side(old_inputs, change, *change.old_side, rests);
    if (change.new_side) add_side(new_inputs, change, *change.new_side, rests);
    if (change.old_bought) add_side(old_inputs, change, *change.old_bought, rests);
    if (change.new_bought) add_side(new_inputs, change, *change.new_bought, rests);
    for (TracedInput& input : all) {
      const std::string& field = input.moved.field;
      // Of a range of purchase prices or rates: rows are worked out from the typical value.
      const bool is_end =
          input.moved.group == "ownership" && (field.ends_with("/low") || field.ends_with("/high"));
      if (is_end || !contains(change.cause, input.moved.group)) continue;
      if (!rests_on(change, rests, input)) continue;
      change.because.push_back(input.moved.id);
      ++(change.of == "row" ? input.moved.rows : input.moved.picks);
    }
  }
  for (TracedInput& input : all) changes.moved.push_back(std::move(input.moved));
}

std::vector<TracedInput> moved_prices(const EditionInputs& old_inputs,
                                      const EditionInputs& new_inputs) {
  std::map<std::string, OfferSides> both;
  for (auto& [key, offer] : offers_of(old_inputs, new_inputs)) both[key].before = offer;
  for (auto& [key, offer] : offers_of(new_inputs, old_inputs)) both[key].after = offer;
  std::map<std::string, int> named;
  for (const auto& [key, sides] : both) ++named[short_name(sides.price(), new_inputs)];
  std::vector<TracedInput> moved;
  for (const auto& [key, sides] : both) {
    if (same(sides.before, sides.after)) continue;
    const bool aged = aged_out(sides, old_inputs, new_inputs);
    TracedInput input = traced(key, sides, new_inputs, aged ? kAgeGroup : "prices");
    if (named[input.moved.what] > 1) input.moved.what = long_name(sides.price(), new_inputs);
    moved.push_back(std::move(input));
  }
  return moved;
}

}  // namespace sizesheet
