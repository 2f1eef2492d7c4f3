// SPDX-License-Identifier: Apache-2.0
// What stands in groups in sheet.json that it does not have as a value: a row, and the comparison
// with another edition.
#pragma once

#include <type_traits>

#include "sheet/field_io.h"
#include "sheet/sheet.h"
#include "sheet/tiers.h"

namespace sizesheet {

template <typename V, typename T>
void fields(V& v, T& row) requires std::is_same_v<std::remove_const_t<T>, Row> {
  v("model", row.model);
  v("method", row.method);
  v("gpu", row.gpu);
  v("scenario", row.scenario);
  v("modelled", row.modelled);
  v("refusal", row.refusal);
  v("verdict", row.verdict);
  v.group("minimum", [&](auto& group) {
    group("by_memory", row.by_memory);
    group("tight", row.tight);
    group("rentable", row.rentable);
  });
  v("parameters_trainable", row.parameters_trainable);
  v("layout", row.layout);
  v("memory", row.memory);
  v("terms", row.terms);
  v("binding", row.binding);
  v("counts", row.counts);
  v("fewer", row.fewer);
  v("fingerprint", row.fingerprint);
  v.group("interval", [&](auto& group) {
    group("device_low", row.device_low);
    group("device_high", row.device_high);
    group("grade", row.confidence);
  });
  v("warnings", row.warnings);
  v.group("throughput", [&](auto& group) {
    group("tokens_per_second_per_gpu", row.tokens_per_second_per_gpu);
    group("gpu_measured", row.speed_measured);
    group("mfu", row.mfu);
    group("clocks", row.clocks);
  });
  v.group("hours", [&](auto& group) {
    group("low", row.hours_low);
    group("mid", row.hours_mid);
    group("high", row.hours_high);
  });
  v("files", row.files);
  v("deadline_gpus", row.deadline_gpus);
  v.group("rent", [&](auto& group) {
    for (const RentTier& tier : kRentTiers) group(tier.name, row.rents[tier]);
    group("spread", row.spread);
  });
  v("own", row.own);
  v("cost_terms", row.cost_terms);
  v("quantity_terms", row.quantity_terms);
}

/// The counts lie flat beside what else is said of the same rows.
template <typename V, typename T>
void count_fields(V& v, T& counts, const char* compared) {
  v(compared, counts.compared);
  v("breaking", counts.breaking);
  v("notable", counts.notable);
  v("detail", counts.detail);
  v("unchanged", counts.unchanged);
  v("below_threshold", counts.below_threshold);
}

template <typename V, typename T>
void fields(V& v, T& changes) requires std::is_same_v<std::remove_const_t<T>, SheetChanges> {
  v("old", changes.old_edition);
  v("new", changes.new_edition);
  v("thresholds", changes.thresholds);
  v.group("summary", [&](auto& rows) {
    count_fields(rows, changes.rows, "rows");
    rows("kinds", changes.row_kinds);
    rows("totals", changes.row_totals);
    rows.group("of_picks", [&](auto& picks) {
      count_fields(picks, changes.picks, "picks");
      picks("kinds", changes.pick_kinds);
      picks("totals", changes.pick_totals);
    });
  });
  v("changes", changes.changes);
  v("entries", changes.entries);
  v("moved", changes.moved);
  v("causes", changes.causes);
  v("causes_unknown", changes.causes_unknown);
}

}  // namespace sizesheet
