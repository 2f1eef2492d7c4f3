// SPDX-License-Identifier: Apache-2.0
// Sheets made of others: the tiny one since an earlier edition of itself, the quarterly one with a
// plan.

#include "render/sample_rows.h"
#include "render/sample_sheet.h"
#include "sheet/changes.h"
#include "sheet/diff/compare.h"
#include "sheet/diff/edition.h"
#include "sheet/diff/sample_editions.h"
#include "sheet/money.h"
#include "sheet/plan.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// The edition before: a tenth more for every rented hour, rows with what they had then, one more
/// model, and a pick of another card.
Edition edition_before(const Edition& after) {
  Edition before = after;
  before.file = "old.json";
  const Json was = sample::facts("changes.json").at("before");
  sample::set_members(before.label, was.at("label"));
  for (EditionRow& row : before.rows) {
    if (auto& usd = row.side.usd_per_instance_hour) usd = scaled(*usd, 11, 10);
    sample::set_members(row.side, was.at("rows").value(row.key(), Json::object()));
    if (row.side.usd_per_instance_hour) reprice(row);
  }
  before.picks[1].rent_key = "llama-3.1-8b/qlora-r16/gb10/main";
  EditionRow gone = row_of(before, "llama-3.1-8b/full/h100-sxm/main");
  gone.model = "gone-7b";
  gone.side.row_key = gone.key();
  Pick pick = sample_pick(gone.model, gone.key());
  pick.method = gone.method;
  pick.scenario = gone.scenario;
  before.models.push_back({gone.model, {}});
  before.picks.push_back(pick);
  before.rows.push_back(gone);
  return before;
}

void name_causes(SheetChanges& changes) {
  const auto made = sample::value_from<SheetChanges>(sample::facts("changes.json").at("edition"));
  changes.plan = made.plan;
  changes.moved = made.moved;
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
    sheet.changes = compare_editions(edition_before(after), after, {});
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

const Sheet& planned_sheet() {
  static const Sheet kSheet = [] {
    Sheet sheet = quarterly_sheet();
    SheetPlan& plan = sheet.plan.emplace(sample::value_from<SheetPlan>(sample::facts("plan.json")));
    const auto offer = [&](const char* tier) -> const SheetPrice& {
      return *entry_with(sheet.prices, &SheetPrice::tier, tier);
    };
    const SheetPrice& reserved = offer("reserved_1y");
    plan.pools[2].gpu = reserved.gpu;
    plan.pools[2].gpus_per_unit = reserved.gpus;
    plan.pools[2].price_key = reserved.key;
    plan.pools[3].gpu = offer("on_demand").gpu;
    plan.assignments[1].price_key = offer("on_demand").key;
    return sheet;
  }();
  return kSheet;
}

}  // namespace sizesheet
