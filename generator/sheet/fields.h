// SPDX-License-Identifier: Apache-2.0
// Values to JSON and back along their described members, so that what is written can be read; and
// what stands in groups in sheet.json that it does not have as a value.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sheet/money.h"
#include "sheet/sheet.h"
#include "sizing/answer.h"
#include "support/described.h"
#include "support/json.h"
#include "support/money.h"
#include "support/named.h"
#include "support/text.h"
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
      if (!value) return;
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

/// What a reader makes of a key that is not there.
enum class Missing {
  kRefuse,  ///< the document is one of ours, and whole
  kSkip,    ///< the document may be of an older program: the member stays as it is
};

/// Walks fields out of a JSON object, knowing its place.
class FieldReader {
 public:
  FieldReader(const Json& in, std::string file, std::string pointer, Missing missing)
      : in_(in), file_(std::move(file)), pointer_(std::move(pointer)), missing_(missing) {
    if (!in.is_object()) fail("an object", in, pointer_);
  }

  template <typename T>
  void operator()(const char* key, T& value) {
    const std::string place = pointer_ + "/" + key;
    const auto entry = in_.find(key);
    if (entry == in_.end() && (missing_ == Missing::kSkip || kMayLack<T>)) return;
    if (entry == in_.end())
      throw InputError(file_ + ":" + place + ": expected a value, got nothing");
    get(*entry, value, place);
  }
  template <typename F>
  void group(const char* key, F&& walk) {
    static const Json kEmpty = Json::object();
    const auto entry = in_.find(key);
    FieldReader reader(entry == in_.end() ? kEmpty : *entry, file_, pointer_ + "/" + key, missing_);
    walk(reader);
  }

 private:
  [[noreturn]] void fail(const std::string& expected, const Json& got, const std::string& place,
                         const std::string& near = "") const {
    throw InputError(file_ + ":" + place + ": expected " + expected + ", got " + shown(got) + near);
  }
  void get(const Json& from, Json& value, const std::string&) const { value = from; }
  void get(const Json& from, std::string& value, const std::string& place) const {
    if (!from.is_string()) fail("text", from, place);
    value = from.get<std::string>();
  }
  void get(const Json& from, bool& value, const std::string& place) const {
    if (!from.is_boolean()) fail("true or false", from, place);
    value = from.get<bool>();
  }
  void get(const Json& from, std::int64_t& value, const std::string& place) const {
    if (!from.is_number_integer()) fail("an integer", from, place);
    const bool beyond_64_bits = from.is_number_unsigned() && from.get<std::uint64_t>() > kLargest;
    if (beyond_64_bits || from.get<std::int64_t>() > kLargest ||
        from.get<std::int64_t>() < -kLargest) {
      fail("an integer from -2^53 to 2^53", from, place);
    }
    value = from.get<std::int64_t>();
  }
  void get(const Json& from, double& value, const std::string& place) const {
    if (!from.is_number()) fail("a number", from, place);
    if (!(std::abs(from.get<double>()) <= kFarthest)) {
      fail("a number from -1e30 to 1e30", from, place);
    }
    value = from.get<double>();
  }
  void get(const Json& from, MicroUsd& value, const std::string& place) const {
    const auto usd = from.is_number() ? usd_of(from.get<double>()) : std::nullopt;
    if (!usd) fail("dollars with at most six decimals", from, place);
    value = *usd;
  }
  template <Tabled T>
  void get(const Json& from, T& value, const std::string& place) const {
    const std::string id = from.is_string() ? from.get<std::string>() : "?";
    const auto known = value_of(table_of(value), id);
    const std::vector<std::string> all = ids(table_of(value));
    if (!known) fail(join(all, ", "), from, place, did_you_mean(id, all));
    value = *known;
  }
  void get(const Json& from, PhaseBytes& phases, const std::string& place) const {
    FieldReader reader(from, file_, place, missing_);
    if (from.empty()) return;
    for (const Phase phase : kPhases) {
      std::int64_t bytes = 0;
      reader(name_of(phase), bytes);
      phases.set(phase, bytes);
    }
  }
  void get(const Json& from, std::vector<NamedValue>& values, const std::string& place) const {
    if (!from.is_object()) fail("an object", from, place);
    for (const auto& [name, value] : from.items()) {
      values.push_back({name, 0});
      get(value, values.back().value, place + "/" + pointer_token(name));
    }
  }
  template <typename T>
  void get(const Json& from, std::optional<T>& value, const std::string& place) const {
    const bool part = std::is_aggregate_v<T> && !std::is_same_v<T, MicroUsd>;
    // []: a part that this edition lacks
    if (from.is_null() || (part && from.is_array() && from.empty())) {
      value = std::nullopt;
    } else {
      get(from, value.emplace(), place);
    }
  }
  template <typename T>
  void get(const Json& from, std::vector<T>& values, const std::string& place) const {
    if (!from.is_array()) fail("a list", from, place);
    for (std::size_t i = 0; i < from.size(); ++i) {
      get(from[i], values.emplace_back(), place + "/" + std::to_string(i));
    }
  }
  template <typename T>
  void get(const Json& from, std::map<std::string, T>& values, const std::string& place) const {
    if (!from.is_object()) fail("an object", from, place);
    for (const auto& [key, value] : from.items()) {
      get(value, values[key], place + "/" + pointer_token(key));
    }
  }
  template <typename T>
  void get(const Json& from, T& value, const std::string& place) const requires std::is_class_v<T> {
    FieldReader reader(from, file_, place, missing_);
    fields(reader, value);
  }

  /// What every number of a sheet stays within, so that sums and figures drawn from them do too.
  static constexpr std::int64_t kLargest = std::int64_t{1} << 53;
  static constexpr double kFarthest = 1e30;

  const Json& in_;
  std::string file_;
  std::string pointer_;
  Missing missing_;
};

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
  v("candidates", row.candidates);
  v("chosen", row.chosen);
  v("rent_pick", row.rent_pick);
  v("fastest_stack", row.fastest_stack);
  v.group("rent", [&](auto& group) {
    for (const RentTier& tier : kRentTiers) group(tier.name, row.rents[tier]);
    group("spread", row.spread);
  });
  v("own", row.own);
  v("owned", row.owned);
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
  v("plan", changes.plan);
  v("names", changes.names);
}

}  // namespace sizesheet
