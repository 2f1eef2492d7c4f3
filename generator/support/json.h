// SPDX-License-Identifier: Apache-2.0
// JSON in: text to a value with duplicate keys and non-finite numbers refused, and a reader that
// knows where it stands, so that every fault names its file and JSON pointer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <forward_list>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/described.h"
#include "support/error.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {

using Json = nlohmann::json;  // keys sorted, as sheet.json promises

/// Inclusive bounds of a number in a document. The least positive double as `low` reads "above 0".
template <typename T>
struct Bounds {
  T low = std::numeric_limits<T>::lowest();
  T high = std::numeric_limits<T>::max();
};

/// A key that a reader is asked for. A literal outlives every reader; other text is copied where
/// the reader keeps it.
class KeyText {
 public:
  // NOLINTBEGIN(google-explicit-constructor): reads as the text it stands for
  KeyText(const char* literal) : KeyText(literal, true) {}
  KeyText(const std::string& text) : KeyText(text, false) {}
  // NOLINTEND(google-explicit-constructor)

  std::string_view text() const { return {begin_, size_}; }
  bool lasts() const { return lasts_; }
  bool empty() const { return size_ == 0; }

 private:
  KeyText(std::string_view text, bool lasts)
      : begin_(text.data()), size_(static_cast<std::uint32_t>(text.size())), lasts_(lasts) {}

  const char* begin_;
  std::uint32_t size_;
  bool lasts_;
};

/// What stands under a key of an object of a document, or of the document itself (object ""), where
/// the document leaves it out.
struct DefaultValue {
  std::string_view object;
  std::string_view key;
  const Json* value;
};

/// Pointers of the keys of a document that readers looked for, and of those that they read.
struct KeyLog {
  std::set<std::string> asked;
  std::set<std::string> read;
};

/// Reads one JSON object key by key. A missing or wrong value is recorded in `faults` and a neutral
/// value returned, so that one pass finds every fault. Call `done()` last: it refuses unknown keys.
class ObjectReader {
 public:
  /// `under`, which must outlive the reader, sorted by object: what stands where the document is
  /// silent.
  ObjectReader(const Json& value, std::string file, std::string pointer, Faults& faults,
               std::span<const DefaultValue> under = {});

  bool has(KeyText key) const;  ///< present and not null
  std::string text(KeyText key);
  std::string text_or(KeyText key, std::string fallback) {
    return optional_text(key).value_or(std::move(fallback));
  }
  std::optional<std::string> optional_text(KeyText key);
  std::int64_t integer(KeyText key, Bounds<std::int64_t> bounds = {}) {
    return checked(key, true, bounds).value();
  }
  std::int64_t integer_or(KeyText key, std::int64_t fallback, Bounds<std::int64_t> bounds = {}) {
    return optional_integer(key, bounds).value_or(fallback);
  }
  std::optional<std::int64_t> optional_integer(KeyText key, Bounds<std::int64_t> bounds = {}) {
    return checked(key, false, bounds);
  }
  double number(KeyText key, Bounds<double> bounds = {}) {
    return checked(key, true, bounds).value();
  }
  double number_or(KeyText key, double fallback, Bounds<double> bounds = {}) {
    return optional_number(key, bounds).value_or(fallback);
  }
  std::optional<double> optional_number(KeyText key, Bounds<double> bounds = {}) {
    return checked(key, false, bounds);
  }
  bool flag(KeyText key) { return checked_flag(key, true).value_or(false); }
  bool flag_or(KeyText key, bool fallback) { return checked_flag(key, false).value_or(fallback); }
  /// At most six decimals, not negative.
  MicroUsd usd(KeyText key) { return checked_usd(key, true).value_or(MicroUsd{}); }
  std::optional<MicroUsd> optional_usd(KeyText key) { return checked_usd(key, false); }
  /// One of `known`; a near miss is suggested.
  std::string one_of(KeyText key, const std::vector<std::string>& known) {
    return checked_choice(key, true, known).value_or("");
  }
  std::string one_of_or(KeyText key, const std::vector<std::string>& known, std::string fallback) {
    return checked_choice(key, false, known).value_or(std::move(fallback));
  }
  /// The same of a short list, which is made only for a value that is there.
  std::string one_of_or(KeyText key, std::initializer_list<const char*> known,
                        std::string fallback) {
    const Json& value = raw(key);
    if (value.is_null()) return fallback;
    if (value.is_string()) {
      const auto& text = value.get_ref<const std::string&>();
      if (std::find(known.begin(), known.end(), text) != known.end()) return text;
    }
    return one_of_or(key, std::vector<std::string>(known.begin(), known.end()),
                     std::move(fallback));
  }
  /// One of the keys of `known`.
  template <typename T>
  std::string key_of_or(KeyText key, const std::map<std::string, T>& known, std::string fallback) {
    const Json& value = raw(key);
    if (value.is_string() && known.contains(value.get_ref<const std::string&>())) return value;
    if (value.is_null()) return fallback;
    return one_of_or(key, keys_of(known), std::move(fallback));
  }
  std::vector<std::string> texts(KeyText key);
  std::vector<std::int64_t> integers(KeyText key, Bounds<std::int64_t> bounds = {});

  /// The object under `key`; after a fault a silent reader that knows no key and reports none.
  ObjectReader object(KeyText key);
  std::optional<ObjectReader> optional_object(KeyText key);
  /// One reader for each element of the array of objects under `key`.
  std::vector<ObjectReader> objects(KeyText key);
  /// One reader for each member of the object of objects under `key`, with the member's name.
  std::vector<std::pair<std::string, ObjectReader>> members(KeyText key);

  /// The raw value, marked as read; null when absent.
  const Json& raw(KeyText key);
  /// The raw value under a key of the object under another, neither marked; null when absent.
  const Json& within(std::string_view object, std::string_view key) const;
  /// Records a fault at `key` (or at this object when `key` is empty).
  void fault(KeyText key, const std::string& message);
  /// Records a fault at a pointer below this object.
  void fault_below(const std::string& place, const std::string& message) {
    if (!silent_) faults_->add(file_, pointer_ + place, message);
  }
  /// The same where `expected` was expected, and `got` was got; else what stands there.
  void mismatch(KeyText key, const std::string& expected, const Json& got);
  void mismatch(KeyText key, const std::string& expected) { mismatch(key, expected, raw(key)); }
  /// True while no fault is known at `key` or below it (at "": in this whole object); what rests on
  /// a faulty value need not be checked.
  bool sound(KeyText key) const;
  /// Marks keys as read that are read elsewhere.
  void leave(std::initializer_list<std::string_view> keys);
  /// Refuses every key that nobody read.
  void done();

  /// From now on this reader and those of the objects within write down their keys; nullptr: no
  /// longer. The log must outlive them.
  void write_down(KeyLog* log) { log_ = log; }
  /// Every key of this object, read or not, sorted.
  std::vector<std::string> keys() const;
  /// Those of them that were read, sorted.
  std::vector<std::string> keys_read() const;
  /// True when the key stands in the document, be it as null.
  bool mentions(KeyText key) const;
  /// The object itself; for entries that are kept whole.
  const Json& whole() const { return *value_; }

  const std::string& file() const { return file_; }
  std::string pointer(KeyText key) const;

 private:
  /// The member of that name, be it null, or what lies under it; nullptr where there is none.
  const Json* member(std::string_view key) const;
  /// What lies under a key that the document leaves out.
  const Json* underlaid(std::string_view key) const;
  void refuse_unread(std::string_view key);
  /// A reader in the place of a missing object, whose keys are not reported one by one.
  static ObjectReader of_nothing(std::string file, std::string pointer, Faults& faults);

  const Json* find(KeyText key, bool required, std::string_view expected);
  /// An integer or a number.
  template <typename T>
  std::optional<T> checked(KeyText key, bool required, Bounds<T> bounds);
  std::optional<bool> checked_flag(KeyText key, bool required);
  std::optional<MicroUsd> checked_usd(KeyText key, bool required);
  std::optional<std::string> checked_choice(KeyText key, bool required,
                                            const std::vector<std::string>& known);
  const Json* array(KeyText key, const std::string& expected);
  ObjectReader child(const Json& value, std::string pointer);

  const Json* value_;
  std::string file_;
  std::string pointer_;
  Faults* faults_;
  KeyLog* log_ = nullptr;
  std::span<const DefaultValue>
      under_;             ///< of this object and, in the document itself, of each in it
  bool is_part_ = false;  ///< an object of the document that something lies under
  /// A bit for each key that may be there: most keys that are asked for are in no document.
  std::uint64_t maybe_ = 0;
  std::vector<std::string_view> read_;                         ///< the keys that were asked for
  std::shared_ptr<std::forward_list<std::string>> own_names_;  ///< of those, what is no literal
  bool silent_ = false;
};

inline void to_json(Json& json, MicroUsd amount) { json = to_usd(amount); }

/// The described members of a value as an object, what is absent as null, another value as it is.
template <typename T>
Json as_json(const T& value) {
  if constexpr (requires { value.value(); }) {
    return value ? as_json(*value) : Json();
  } else if constexpr (boost::describe::has_describe_members<T>::value) {
    Json json = Json::object();
    const auto put = [&](const char* key, const auto& member) { json[key] = as_json(member); };
    fields(put, value);
    return json;
  } else {
    return value;
  }
}

/// Keys and values in an order of their own.
using Members = std::vector<std::pair<std::string, Json>>;

/// `"key": value` of each, with `between` between them: for files that people read.
std::string members_text(const Members& members, std::string_view between);

/// A JSON value as it appears in a message: compact, cut to 60 characters.
std::string shown(const Json& value);

/// The value under a dotted path: null below a part that is absent, nullptr where there is no such
/// member.
const Json* at_path(const Json& object, std::string_view path);
/// The same, null where there is no such member.
const Json& at_dotted(const Json& object, std::string_view path);
/// Sets the value under a dotted path; objects on the way that are absent or null come to be.
void set_dotted(Json& object, std::string_view path, const Json& value);

}  // namespace sizesheet
