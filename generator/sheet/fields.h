// SPDX-License-Identifier: Apache-2.0
// Values to JSON along their described members, which FieldReader reads back; and what stands in
// groups in sheet.json that it does not have as a value.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "catalog/prices/price.h"
#include "sheet/changes.h"
#include "sheet/money.h"
#include "sheet/sheet.h"
#include "sizing/memory/bill.h"
#include "support/described.h"
#include "support/json.h"
#include "support/money.h"
#include "support/trace.h"

namespace sizesheet {

/// A part whose key an edition without it lacks: editions of before it stay as they are.
template <typename T>
inline constexpr bool kMayLack = requires {
  T::value_type::kMayLack;
};

/// Walks fields into a JSON object.
class FieldWriter {
 public:
  explicit FieldWriter(Json& out) : out_(out) {}

  template <typename T>
  void operator()(const char* key, const T& value) {
    if constexpr (kMayLack<T>) {
      if (is_lacking(value)) return;
    }
    put(out_[key], value);
  }
  template <typename F>
  void group(const char* key, F&& walk) {
    Json& inner = out_[key] = Json::object();
    FieldWriter writer(inner);
    walk(writer);
  }

 private:
  template <typename T>
  static bool is_lacking(const std::optional<T>& part) {
    return !part;
  }
  template <typename T>
  static bool is_lacking(const std::vector<T>& list) {
    return list.empty();
  }
  static void put(Json& to, const Json& value) { to = value; }
  static void put(Json& to, const std::string& value) { to = value; }
  static void put(Json& to, bool value) { to = value; }
  static void put(Json& to, std::int64_t value) { to = value; }
  static void put(Json& to, double value) { to = value; }
  static void put(Json& to, MicroUsd value) { to = exact_usd(value); }
  static void put(Json& to, const PhaseBytes& phases) {
    to = Json::object();
    if (!phases.known()) return;
    for (const Phase phase : kPhases) to[name_of(phase)] = phases.in(phase);
  }
  static void put(Json& to, const std::vector<NamedValue>& values) {
    to = Json::object();
    for (const NamedValue& value : values) to[value.name] = value.value;
  }
  template <typename T>
  static void put(Json& to, const std::optional<T>& value) {
    if (value) {
      put(to, *value);
    } else {
      to = nullptr;
    }
  }
  template <typename T>
  static void put(Json& to, const std::vector<T>& values) {
    to = Json::array();
    for (const T& value : values) put(to.emplace_back(), value);
  }
  template <typename T>
  static void put(Json& to, const std::map<std::string, T>& values) {
    to = Json::object();
    for (const auto& [key, value] : values) put(to[key], value);
  }
  template <typename T>
  static void put(Json& to, const T& value) requires std::is_class_v<T> {
    to = Json::object();
    FieldWriter writer(to);
    fields(writer, value);
  }

  Json& out_;
};

/// A value as an object of its fields.
template <typename T>
Json written(const T& value) {
  Json json = Json::object();
  FieldWriter writer(json);
  fields(writer, value);
  return json;
}

// ---- What stands in groups in sheet.json that it does not have as a value: a row, and the
// comparison with another edition.

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
    group("certain", row.certain_from);
  });
  v("parameters_trainable", row.parameters_trainable);
  v("layout", row.layout);
  fields(v, row.choices);
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
  v("beside_lora", row.beside_lora);
  v.group("throughput", [&](auto& group) {
    group("tokens_per_second_per_gpu", row.tokens_per_second_per_gpu);
    group("gpu_measured", row.speed_measured);
    group("mfu", row.mfu);
    group("clocks", row.clocks);
  });
  v("team_runs", row.team);
  v.group("hours", [&](auto& group) {
    group("low", row.hours_low);
    group("mid", row.hours_mid);
    group("high", row.hours_high);
  });
  v("files", row.files);
  v("deadline_gpus", row.deadline_gpus);
  v("candidates", row.candidates);
  v("smaller_counts", row.smaller_counts);
  v("chosen", row.chosen);
  v("rent_pick", row.rent_pick);
  v("fastest_stack", row.fastest_stack);
  v.group("rent", [&](auto& group) {
    for (const SheetTier& tier : kRentTiers) group(tier.name, row.rents[tier]);
    group("spread", row.spread);
  });
  v("own", row.own);
  v("owned", row.owned);
  v("service", row.service);
  v("project", row.project);
  v("cost_terms", row.cost_terms);
  v("quantity_terms", row.quantity_terms);
}

/// Without a plan there are no amounts: they are absent, never 0.
template <typename V, typename T>
void fields(V& v, T& totals) requires std::is_same_v<std::remove_const_t<T>, PlanTotals> {
  v("status", totals.status);
  v("why", totals.why);
  const auto amount = [&](const char* key, auto& usd) {
    std::optional<MicroUsd> known;
    if (totals.why.empty()) known = usd;
    v(key, known);
    if constexpr (!std::is_const_v<T>) usd = known.value_or(MicroUsd{});
  };
  amount("usd", totals.usd);
  amount("fixed_usd", totals.fixed_usd);
  amount("runs_usd", totals.runs_usd);
  amount("capex_usd", totals.capex_usd);
  amount("gap_usd", totals.gap_usd);
  v("ranked_by", totals.ranked_by);
  v("usd_mid", totals.usd_mid);
  v("usd_high", totals.usd_high);
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
  v("plan", changes.plan);
  v("names", changes.names);
}

}  // namespace sizesheet
