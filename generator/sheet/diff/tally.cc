// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/tally.h"

#include "sheet/diff/effects.h"

namespace sizesheet {

void count_change(const Change& change, ChangeCounts& counts,
                  std::map<std::string, std::int64_t>& kinds) {
  ++counts.compared;
  if (change.level == "breaking") ++counts.breaking;
  if (change.level == "notable") ++counts.notable;
  if (change.level == "detail") ++counts.detail;
  ++kinds[change.kind];
  for (const std::string& kind : change.also) ++kinds[kind];
}

void count_quiet(bool differs, ChangeCounts& counts) {
  ++counts.compared;
  ++(differs ? counts.below_threshold : counts.unchanged);
}

void add_run(const ChangeSide& old_side, const ChangeSide& new_side,
             const std::optional<ChangeEffects>& effects, ChangeTotals& totals) {
  if (!effects) return;
  ++totals.comparable;
  totals.old_usd += *old_side.list_usd_per_run;
  totals.new_usd += *new_side.list_usd_per_run;
  (effects->total.value > 0 ? totals.up_usd : totals.down_usd) += effects->total;
  totals.effects += *effects;
}

}  // namespace sizesheet
