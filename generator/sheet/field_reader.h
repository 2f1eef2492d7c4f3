// SPDX-License-Identifier: Apache-2.0
// Values out of JSON along their described members: what FieldWriter writes, checked, with the
// place of each fault.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sheet/fields.h"
#include "sizing/memory/bill.h"
#include "support/described.h"
#include "support/error.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/money.h"
#include "support/named.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {

/// A value as a FieldReader asks for it. What comes from elsewhere than the JSON library has the
/// same members.
class JsonSource {
 public:
  explicit JsonSource(const Json& value) : value_(&value) {}

  bool is_object() const { return value_->is_object(); }
  bool is_array() const { return value_->is_array(); }
  bool is_null() const { return value_->is_null(); }
  bool empty() const { return value_->empty(); }
  std::optional<JsonSource> find(const char* key) const {
    const auto entry = value_->find(key);
    return entry == value_->end() ? std::nullopt : std::optional(JsonSource(*entry));
  }
  std::optional<std::string_view> text() const {
    return value_->is_string()
               ? std::optional(std::string_view(value_->get_ref<const std::string&>()))
               : std::nullopt;
  }
  std::optional<bool> flag() const {
    return value_->is_boolean() ? std::optional(value_->get<bool>()) : std::nullopt;
  }
  /// What is beyond 64 bits is the largest of them.
  std::optional<std::int64_t> integer() const {
    if (!value_->is_number_integer()) return std::nullopt;
    constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
    const bool beyond = value_->is_number_unsigned() &&
                        value_->get<std::uint64_t>() > static_cast<std::uint64_t>(kLargest);
    return beyond ? kLargest : value_->get<std::int64_t>();
  }
  std::optional<double> number() const {
    return value_->is_number() ? std::optional(value_->get<double>()) : std::nullopt;
  }
  template <typename Take>
  void each_member(const Take& take) const {
    for (const auto& [key, value] : value_->items()) take(key, JsonSource(value));
  }
  template <typename Take>
  void each_element(const Take& take) const {
    for (const Json& value : *value_) take(JsonSource(value));
  }
  const Json& json() const { return *value_; }

 private:
  const Json* value_;
};

/// What a reader makes of a key that is not there.
enum class Missing {
  kRefuse,  ///< the document is one of ours, and whole
  kSkip,    ///< the document may be of an older program: the member stays as it is
};

/// Walks fields out of an object, knowing its place.
template <typename Source>
class FieldReader {
 public:
  /// `file` and `pointer` stay where they are as long as it reads.
  FieldReader(Source in, std::string_view file, std::string_view pointer, Missing missing)
      : FieldReader(in, Document{file, missing}, Place{nullptr, pointer, kNoIndex}) {}

  template <typename T>
  void operator()(const char* key, T& value) {
    const Place place{&place_, key, kNoIndex};
    const std::optional<Source> found = in_ ? in_->find(key) : std::nullopt;
    if (found) return get(*found, value, place);
    if (document_.missing == Missing::kSkip || kMayLack<T>) return;
    throw InputError(text_of(place) + ": expected a value, got nothing");
  }
  template <typename F>
  void group(const char* key, F&& walk) {
    const Place place{&place_, key, kNoIndex};
    FieldReader reader(in_ ? in_->find(key) : std::nullopt, document_, place);
    walk(reader);
  }

 private:
  /// Where a value stands, from the inside out: made a text only where there is a fault.
  struct Place {
    const Place* within;
    std::string_view key;  ///< of the document itself: its pointer
    std::size_t index;     ///< in a list
  };
  struct Document {
    std::string_view file;
    Missing missing;
  };
  static constexpr std::size_t kNoIndex = static_cast<std::size_t>(-1);

  /// Nothing is an object without members.
  FieldReader(std::optional<Source> in, const Document& document, const Place& place)
      : in_(in), document_(document), place_(place) {
    if (in && !in->is_object()) fail("an object", *in, place);
  }

  std::string text_of(const Place& place) const {
    if (place.within == nullptr) return std::string(document_.file) + ":" + std::string(place.key);
    return text_of(*place.within) + "/" +
           (place.index == kNoIndex ? pointer_token(place.key) : std::to_string(place.index));
  }
  [[noreturn]] void fail(const std::string& expected, const Source& got, const Place& place,
                         const std::string& near = "") const {
    throw InputError(text_of(place) + ": expected " + expected + ", got " + shown(got.json()) +
                     near);
  }

  /// What `found` holds, or the fault that it is not what was expected.
  template <typename T>
  T needed(std::optional<T> found, const char* what, const Source& from, const Place& place) const {
    if (!found) fail(what, from, place);
    return *std::move(found);
  }
  void get(const Source& from, Json& value, const Place&) const { value = from.json(); }
  void get(const Source& from, std::string& value, const Place& place) const {
    value = needed(from.text(), "text", from, place);
  }
  void get(const Source& from, bool& value, const Place& place) const {
    value = needed(from.flag(), "true or false", from, place);
  }
  void get(const Source& from, std::int64_t& value, const Place& place) const {
    value = needed(from.integer(), "an integer", from, place);
    if (value > kLargest || value < -kLargest) fail("an integer from -2^53 to 2^53", from, place);
  }
  void get(const Source& from, double& value, const Place& place) const {
    value = needed(from.number(), "a number", from, place);
    if (!(std::abs(value) <= kFarthest)) fail("a number from -1e30 to 1e30", from, place);
  }
  void get(const Source& from, MicroUsd& value, const Place& place) const {
    const auto number = from.number();
    value = needed(number ? usd_of(*number) : std::nullopt, "dollars with at most six decimals",
                   from, place);
  }
  template <Tabled T>
  void get(const Source& from, T& value, const Place& place) const {
    const std::string id(from.text().value_or("?"));
    if (const auto known = value_of(table_of(value), id)) {
      value = *known;
      return;
    }
    const std::vector<std::string> all = ids(table_of(value));
    fail(join(all, ", "), from, place, did_you_mean(id, all));
  }
  void get(const Source& from, PhaseBytes& phases, const Place& place) const {
    FieldReader reader(from, document_, place);
    if (from.empty()) return;
    for (const Phase phase : kPhases) {
      std::int64_t bytes = 0;
      reader(name_of(phase), bytes);
      phases.set(phase, bytes);
    }
  }
  void get(const Source& from, std::vector<NamedValue>& values, const Place& place) const {
    if (!from.is_object()) fail("an object", from, place);
    from.each_member([&](std::string_view name, const Source& value) {
      values.push_back({std::string(name), 0});
      get(value, values.back().value, Place{&place, name, kNoIndex});
    });
  }
  template <typename T>
  void get(const Source& from, std::optional<T>& value, const Place& place) const {
    const bool part = std::is_aggregate_v<T> && !std::is_same_v<T, MicroUsd>;
    // []: a part that this edition lacks
    if (from.is_null() || (part && from.is_array() && from.empty())) {
      value = std::nullopt;
    } else {
      get(from, value.emplace(), place);
    }
  }
  template <typename T>
  void get(const Source& from, std::vector<T>& values, const Place& place) const {
    if (!from.is_array()) fail("a list", from, place);
    values.clear();  // a member may have a default
    std::size_t index = 0;
    from.each_element([&](const Source& element) {
      get(element, values.emplace_back(), Place{&place, "", index++});
    });
  }
  template <typename T>
  void get(const Source& from, std::map<std::string, T>& values, const Place& place) const {
    if (!from.is_object()) fail("an object", from, place);
    from.each_member([&](std::string_view key, const Source& value) {
      get(value, values[std::string(key)], Place{&place, key, kNoIndex});
    });
  }
  template <typename T>
  void get(const Source& from, T& value, const Place& place) const requires std::is_class_v<T> {
    FieldReader reader(from, document_, place);
    fields(reader, value);
  }

  /// What every number of a sheet stays within, so that sums and figures drawn from them do too.
  static constexpr std::int64_t kLargest = std::int64_t{1} << 53;
  static constexpr double kFarthest = 1e30;

  std::optional<Source> in_;
  Document document_;
  Place place_;
};

template <typename Source>
FieldReader(Source, std::string_view, std::string_view, Missing) -> FieldReader<Source>;

}  // namespace sizesheet
