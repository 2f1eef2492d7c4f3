// SPDX-License-Identifier: Apache-2.0
#include "render/sample_plan.h"

#include "render/sample_facts.h"
#include "sheet/quarterly.h"
#include "support/text.h"

namespace sizesheet {

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
