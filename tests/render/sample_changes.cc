// SPDX-License-Identifier: Apache-2.0
#include "render/sample_changes.h"

#include <stdexcept>

#include "cost/rent.h"
#include "render/sample_facts.h"
#include "render/sample_sheet.h"
#include "sheet/diff/edition.h"

namespace sizesheet {

namespace {

EditionRow& row_at(Edition& edition, const std::string& key) {
  for (EditionRow& row : edition.rows) {
    if (row.key() == key) return row;
  }
  throw std::out_of_range(key);
}

/// The dollars that follow from price, instances and hours.
void reprice(ChangeSide& side, MicroUsd per_instance_hour) {
  side.usd_per_instance_hour = per_instance_hour;
  side.list_usd_per_hour = per_instance_hour * side.instances;
  side.list_usd_per_run = run_cost(*side.list_usd_per_hour, round_hours(*side.hours));
}

/// A tenth more for every rented hour.
void make_dearer(Edition& edition) {
  for (EditionRow& row : edition.rows) {
    if (!row.side.usd_per_instance_hour) continue;
    reprice(row.side, scaled(*row.side.usd_per_instance_hour, 11, 10));
  }
}

/// One GPU held it then, in more hours.
void make_smaller(Edition& edition) {
  ChangeSide& side = row_at(edition, "llama-3.1-8b/full/h100-sxm/main").side;
  side.gpus = 1;
  side.fewest = 1;
  side.instances = 1;
  side.hours = 3.5;
  side.device_bytes = side.capacity_bytes * 9 / 10;
  reprice(side, *side.usd_per_instance_hour);
}

void make_it_fit(Edition& edition) {
  ChangeSide& side = row_at(edition, "llama-3.1-70b/full/gb10/main").side;
  side.verdict = Verdict::kFits;
  side.gpus = 2;
  side.fewest = 2;
  side.device_bytes = side.capacity_bytes * 8 / 10;
  row_at(edition, "llama-3.1-70b/qlora-r16/h100-sxm/main").side.verdict = Verdict::kTight;
}

/// The other card was rented for less, and picked.
void pick_the_other_card(Edition& edition) {
  EditionRow& row = row_at(edition, "llama-3.1-8b/qlora-r16/gb10/main");
  row.side.instances = 1;
  row.side.price_key = "p/any//gb10/on_demand/1/2026-07-10";
  reprice(row.side, MicroUsd{150'000});
  for (Pick& pick : edition.picks) {
    if (pick.model == row.model && pick.method == row.method) pick.rent_key = row.key();
  }
}

void add_a_model(Edition& edition) {
  EditionRow row = row_at(edition, "llama-3.1-8b/full/h100-sxm/main");
  row.model = "gone-7b";
  row.side.row_key = row.key();
  edition.models.push_back({"gone-7b", {}});
  Pick& pick = edition.picks.emplace_back();
  pick.model = row.model;
  pick.method = row.method;
  pick.scenario = row.scenario;
  pick.rent_key = row.key();
  edition.rows.push_back(row);
}

/// The price of the H100, under the key that its rows were rented at.
std::string price_id(const SheetChanges& changes) {
  for (const Change& change : changes.changes) {
    if (!change.new_side || change.new_side->price_key.empty()) continue;
    const std::string& key = change.new_side->price_key;
    return "prices:" + key.substr(0, key.rfind('/')) + "/usd_per_instance_hour";
  }
  throw std::out_of_range("a price");
}

void name_causes(SheetChanges& changes) {
  const auto made = sample::value_from<SheetChanges>(sample::facts("changes.json").at("edition"));
  changes.plan = made.plan;
  changes.moved = made.moved;
  changes.moved[1].id = price_id(changes);
  const ChangeEffects& effects = changes.pick_totals.effects;
  changes.causes = {{"engine", 3, 1, effects.total - effects.price},
                    {"prices", 4, 3, effects.price}};
  for (Change& change : changes.changes) {
    const bool engine = change.kind == "needs_more" || change.kind == "no_longer_fits";
    if (engine) change.cause.push_back("engine");
    if (engine) change.because.push_back(changes.moved[0].id);
    if (change.effects_usd && change.effects_usd->price.value != 0) {
      change.cause.push_back("prices");
      change.because.push_back(changes.moved[1].id);
    }
  }
}

}  // namespace

const Sheet& changed_sheet() {
  static const Sheet kSheet = [] {
    Sheet sheet = tiny_sheet();
    const Edition after = edition_of(sheet, "new.json");
    Edition before = after;
    before.file = "old.json";
    before.label.edition = "2026-Q3";
    before.label.as_of = "2026-08-20";
    before.label.price_as_of = "2026-07-10";
    make_dearer(before);
    make_smaller(before);
    make_it_fit(before);
    pick_the_other_card(before);
    add_a_model(before);
    sheet.changes = compare_editions(before, after, {});
    name_causes(*sheet.changes);
    return sheet;
  }();
  return kSheet;
}

const Sheet& unchanged_sheet() {
  static const Sheet kSheet = [] {
    Sheet sheet = tiny_sheet();
    const Edition edition = edition_of(sheet, "new.json");
    sheet.changes = compare_editions(edition, edition, {});
    return sheet;
  }();
  return kSheet;
}

}  // namespace sizesheet
