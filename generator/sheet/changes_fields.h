// SPDX-License-Identifier: Apache-2.0
// The fields of the changes between two editions; see fields.h.
#pragma once

#include <type_traits>

#include "sheet/changes.h"

namespace sizesheet {

template <typename V, typename T>
void fields(V& v, T& label) requires std::is_same_v<std::remove_const_t<T>, EditionLabel> {
  v("title", label.title);
  v("edition", label.edition);
  v("as_of", label.as_of);
  v("price_as_of", label.price_as_of);
  v("catalog_hash", label.catalog_hash);
  v("tool_version", label.tool_version);
}

template <typename V, typename T>
void fields(V& v, T& limits) requires std::is_same_v<std::remove_const_t<T>, ChangeThresholds> {
  v("usd_share", limits.usd_share);
  v("hours_share", limits.hours_share);
  v("memory_gib", limits.memory_gib);
}

template <typename V, typename T>
void fields(V& v, T& side) requires std::is_same_v<std::remove_const_t<T>, ChangeSide> {
  v("row_key", side.row_key);
  v("gpu", side.gpu);
  v("gpu_name", side.gpu_name);
  v("verdict", side.verdict);
  v("gpus", side.gpus);
  v("device_bytes", side.device_bytes);
  v("capacity_bytes", side.capacity_bytes);
  v("hours", side.hours);
  v("price_key", side.price_key);
  v("instances", side.instances);
  v("usd_per_instance_hour", side.usd_per_instance_hour);
  v("list_usd_per_hour", side.list_usd_per_hour);
  v("list_usd_per_run", side.list_usd_per_run);
  v("own_usd_per_month", side.own_usd_per_month);
  v("break_even_hours_per_month", side.break_even_hours_per_month);
  v("advice", side.advice);
}

template <typename V, typename T>
void fields(V& v, T& effects) requires std::is_same_v<std::remove_const_t<T>, ChangeEffects> {
  v("price", effects.price);
  v("quantity", effects.quantity);
  v("time", effects.time);
  v("mix", effects.mix);
  v("total", effects.total);
}

template <typename V, typename T>
void fields(V& v, T& term) requires std::is_same_v<std::remove_const_t<T>, TermChange> {
  v("name", term.name);
  v("title", term.title);
  v("old_bytes", term.old_bytes);
  v("new_bytes", term.new_bytes);
}

template <typename V, typename T>
void fields(V& v, T& change) requires std::is_same_v<std::remove_const_t<T>, Change> {
  v("key", change.key);
  v("was", change.was);
  v("of", change.of);
  v("model", change.model);
  v("method", change.method);
  v("gpu", change.gpu);
  v("scenario", change.scenario);
  v("kind", change.kind);
  v("level", change.level);
  v("also", change.also);
  v("old", change.old_side);
  v("new", change.new_side);
  v("terms", change.terms);
  v("cause", change.cause);
  v("because", change.because);
  v("effects_usd", change.effects_usd);
}

template <typename V, typename T>
void fields(V& v, T& moved) requires std::is_same_v<std::remove_const_t<T>, MovedInput> {
  v("id", moved.id);
  v("group", moved.group);
  v("what", moved.what);
  v("field", moved.field);
  v("how", moved.how);
  v("old", moved.old_value);
  v("new", moved.new_value);
  v("unit", moved.unit);
  v("old_as_of", moved.old_as_of);
  v("new_as_of", moved.new_as_of);
  v("source", moved.source);
  v("rows", moved.rows);
}

template <typename V, typename T>
void fields(V& v, T& totals) requires std::is_same_v<std::remove_const_t<T>, ChangeTotals> {
  v("comparable", totals.comparable);
  v("old_usd", totals.old_usd);
  v("new_usd", totals.new_usd);
  v("up_usd", totals.up_usd);
  v("down_usd", totals.down_usd);
  v("effects_usd", totals.effects);
}

template <typename V, typename T>
void fields(V& v, T& total) requires std::is_same_v<std::remove_const_t<T>, CauseTotal> {
  v("group", total.group);
  v("rows", total.rows);
  v("picks", total.picks);
  v("usd", total.usd);
}

template <typename V, typename T>
void fields(V& v, T& entry) requires std::is_same_v<std::remove_const_t<T>, EntryChange> {
  v("of", entry.of);
  v("id", entry.id);
  v("how", entry.how);
  v("rows", entry.rows);
  v("picks", entry.picks);
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
