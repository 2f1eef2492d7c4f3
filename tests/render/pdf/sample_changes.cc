// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/sample_changes.h"

namespace sizesheet::pdf {

namespace {

Change row_change(const std::string& kind, const ChangeSide& before, const ChangeSide& after) {
  Change change;
  change.model = "llama-3.1-8b";
  change.method = "full";
  change.gpu = after.gpu;
  change.scenario = "main";
  change.key = change.model + "/full/" + after.gpu + "/" + change.scenario;
  change.of = "row";
  change.kind = kind;
  change.level = change_kind(kind).level;
  change.old_side = before;
  change.new_side = after;
  change.cause = {"engine"};
  return change;
}

MovedInput input(const std::string& group, const std::string& what, const std::string& how,
                 const std::string& before, const std::string& after, std::int64_t rows) {
  MovedInput moved;
  moved.id = group + ":" + what;
  moved.group = group;
  moved.what = what;
  moved.how = how;
  moved.old_value = before;
  moved.new_value = after;
  moved.unit = group == "prices" ? "$/h" : "";
  moved.rows = rows;
  return moved;
}

}  // namespace

ChangeSide side_of(const std::string& gpu, const std::string& name, std::int64_t gpus, double usd) {
  ChangeSide side;
  side.row_key = "llama-3.1-70b/full/" + gpu + "/main";
  side.gpu = gpu;
  side.gpu_name = name;
  side.verdict = Verdict::kFits;
  side.gpus = gpus;
  side.device_bytes = 100LL << 30;
  side.capacity_bytes = 140LL << 30;
  if (usd >= 0) side.list_usd_per_run = rounded_usd(usd);
  return side;
}

Change pick_change(const std::string& method, const std::string& kind, const ChangeSide& before,
                   const ChangeSide& after, double usd) {
  Change change;
  change.model = "llama-3.1-70b";
  change.method = method;
  change.key = change.model + "/" + method;
  change.of = "pick";
  change.kind = kind;
  change.level = change_kind(kind).level;
  change.old_side = before;
  change.new_side = after;
  change.cause = {"prices"};
  change.effects_usd = ChangeEffects{};
  change.effects_usd->total = rounded_usd(usd);
  return change;
}

SheetChanges sample_changes() {
  SheetChanges changes;
  changes.old_edition.edition = "2026-Q3";
  changes.old_edition.as_of = "2026-08-20";
  changes.new_edition.edition = "2026-Q4";
  changes.picks.compared = 27;
  changes.picks.breaking = 1;
  changes.picks.notable = 3;
  const ChangeSide h100 = side_of("h100-sxm", "H100", 24, 527);
  const ChangeSide h200 = side_of("h200-sxm", "H200", 16, 484);
  Change flipped = pick_change("lora-r16", "advice_flipped", h200, h200, 0);
  flipped.old_side->advice = "rent";
  flipped.new_side->advice = "buy";
  flipped.old_side->break_even_hours_per_month = 520;
  flipped.new_side->break_even_hours_per_month = 410;
  flipped.cause = {"prices", "ownership"};
  changes.changes = {row_change("no_longer_fits", side_of("rtx-5090", "5090", 8, 90),
                                side_of("rtx-5090", "5090", 8, -1)),
                     row_change("needs_more", side_of("h200-sxm", "H200", 1, 50),
                                side_of("h200-sxm", "H200", 2, 96)),
                     pick_change("qlora-r16", "needs_more", side_of("h200-sxm", "H200", 1, 200),
                                 side_of("h200-sxm", "H200", 2, 390), 190),
                     pick_change("lora-r16", "cheaper", side_of("h200-sxm", "H200", 2, 400),
                                 side_of("h200-sxm", "H200", 2, 399), -1),
                     flipped,
                     pick_change("full", "type_changed", h100, h200, -43)};
  changes.moved = {input("engine", "gather buffer", "changed", "1", "2", 40),
                   input("prices", "lambda h200-sxm on_demand", "changed", "3.05", "2.69", 9),
                   input("prices", "aws b300-sxm on_demand", "added", "", "4.2", 0)};
  return changes;
}

}  // namespace sizesheet::pdf
