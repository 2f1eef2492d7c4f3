// SPDX-License-Identifier: Apache-2.0
// The part of ObjectReader that goes down: objects and lists within an object.

#include "support/json.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "support/error.h"
#include "support/json_parse.h"
#include "support/money.h"
#include "support/object_text.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::size_t kUsualNames = 24;

const Json& no_value() {
  static const Json kNull;
  return kNull;
}

const Json& no_members() {
  static const Json kNoKeys = Json::object();
  return kNoKeys;
}

std::uint64_t mark_of(std::string_view key) {
  if (key.empty()) return 1;
  const auto ends = static_cast<unsigned>(5 * key.front() + 3 * key.back());
  return std::uint64_t{1} << ((11 * key.size() + ends) % 64);
}

std::string digits(std::int64_t value) { return std::to_string(value); }
std::string digits(double value) { return shortest(value); }

/// " from 1 to 8", " of at least 1", " of at most 8" or "".
template <typename T>
std::string range_words(Bounds<T> bounds) {
  const bool below = bounds.low != std::numeric_limits<T>::lowest();
  const bool above = bounds.high != std::numeric_limits<T>::max();
  const std::string low = digits(bounds.low);
  const std::string high = digits(bounds.high);
  if (bounds.low == std::numeric_limits<T>::min() && below) {
    return " above 0" + (above ? " and at most " + high : "");
  }
  if (below && above) return " from " + low + " to " + high;
  if (below) return " of at least " + low;
  return above ? " of at most " + high : "";
}

template <typename T>
T neutral(Bounds<T> bounds) {
  return std::clamp(T{0}, bounds.low, bounds.high);
}

}  // namespace

std::string shown(const Json& value) {
  constexpr std::size_t kMost = 60;
  const std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return plain_text(beginning_of(text, kMost)) + (text.size() > kMost ? "…" : "");
}

std::string members_text(const Members& members, std::string_view between) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : members)
    parts.push_back(json_text(key) + ": " + json_text(value));
  return join(parts, between);
}

ObjectReader::ObjectReader(const Json& value, std::string file, std::string pointer, Faults& faults,
                           std::span<const DefaultValue> under)
    : value_(&value),
      file_(std::move(file)),
      pointer_(std::move(pointer)),
      faults_(&faults),
      under_(under) {
  read_.reserve(kUsualNames);
  const auto* members = value.get_ptr<const Json::object_t*>();
  if (members == nullptr) {
    mismatch("", "an object", value);
    value_ = &no_value();
    under_ = {};
    silent_ = true;
    return;
  }
  for (const auto& [key, unused] : *members) maybe_ |= mark_of(key);
  for (const DefaultValue& one : under_) {
    maybe_ |= mark_of(one.object.empty() ? one.key : one.object);
  }
}

ObjectReader ObjectReader::of_nothing(std::string file, std::string pointer, Faults& faults) {
  ObjectReader reader(no_members(), std::move(file), std::move(pointer), faults);
  reader.silent_ = true;
  return reader;
}

const Json* ObjectReader::underlaid(std::string_view key) const {
  for (const DefaultValue& one : under_) {
    if (is_part_ || one.object.empty()) {
      if (one.key == key) return one.value;
    } else if (one.object == key) {
      return &no_members();
    }
  }
  return nullptr;
}

const Json* ObjectReader::member(std::string_view key) const {
  if ((maybe_ & mark_of(key)) == 0) return nullptr;
  const auto* members = value_->get_ptr<const Json::object_t*>();
  if (members == nullptr) return nullptr;
  const auto found = members->find(key);
  const Json* value = found != members->end() ? &found->second : nullptr;
  if (under_.empty() || (value != nullptr && !value->is_null())) return value;
  const Json* under = underlaid(key);
  return under != nullptr ? under : value;
}

bool ObjectReader::mentions(KeyText key) const {
  if (log_ != nullptr) log_->asked.insert(pointer(key));
  return member(key.text()) != nullptr;
}

bool ObjectReader::has(KeyText key) const {
  if (log_ != nullptr) log_->asked.insert(pointer(key));
  const Json* value = member(key.text());
  return value != nullptr && !value->is_null();
}

std::vector<std::string> ObjectReader::keys() const {
  std::vector<std::string> names;
  if (!value_->is_object()) return names;
  for (const auto& [name, unused] : value_->get_ref<const Json::object_t&>()) names.push_back(name);
  return names;
}

std::vector<std::string> ObjectReader::keys_read() const {
  std::vector<std::string> names = keys();
  std::erase_if(names, [&](const std::string& name) { return !contains(read_, name); });
  return names;
}

std::string ObjectReader::pointer(KeyText key) const {
  if (key.empty()) return pointer_;
  return pointer_ + '/' + pointer_token(key.text());
}

void ObjectReader::fault(KeyText key, const std::string& message) {
  if (!silent_) faults_->add(file_, pointer(key), message);
}

void ObjectReader::mismatch(KeyText key, const std::string& expected, const Json& got) {
  fault(key, "expected " + expected + ", got " + shown(got));
}

const Json& ObjectReader::raw(KeyText key) {
  if (log_ != nullptr) {
    log_->asked.insert(pointer(key));
    log_->read.insert(pointer(key));
  }
  if (key.lasts()) {
    read_.push_back(key.text());
  } else {
    if (!own_names_) own_names_ = std::make_shared<std::forward_list<std::string>>();
    read_.push_back(own_names_->emplace_front(key.text()));
  }
  const Json* value = member(key.text());
  return value != nullptr ? *value : no_value();
}

const Json& ObjectReader::within(std::string_view object, std::string_view key) const {
  const Json* parent = member(object);
  if (parent == nullptr || !parent->is_object()) return no_value();
  const auto own = parent->find(key);
  if (own != parent->end() && !own->is_null()) return *own;
  const auto under = std::ranges::find_if(
      under_, [&](const DefaultValue& one) { return one.object == object && one.key == key; });
  return under != under_.end() ? *under->value : no_value();
}

void ObjectReader::leave(std::initializer_list<std::string_view> keys) {
  read_.insert(read_.end(), keys);
}

const Json* ObjectReader::find(KeyText key, bool required, std::string_view expected) {
  const Json& value = raw(key);
  if (!value.is_null()) return &value;
  if (required) {
    fault(key,
          "expected " + std::string(expected) + (mentions(key) ? ", got null" : ", got nothing"));
  }
  return nullptr;
}

std::optional<std::string> ObjectReader::optional_text(KeyText key) {
  return has(key) ? std::optional(text(key)) : (raw(key), std::nullopt);
}

std::string ObjectReader::text(KeyText key) {
  const Json* value = find(key, true, "text");
  if (value == nullptr) return "";
  if (value->is_string() && is_utf8(value->get_ref<const std::string&>())) return *value;
  mismatch(key, value->is_string() ? "UTF-8 text" : "text", *value);
  return "";
}

template <typename T>
std::optional<T> ObjectReader::checked(KeyText key, bool required, Bounds<T> bounds) {
  constexpr bool kWhole = std::is_integral_v<T>;
  const char* expected = kWhole ? "an integer" : "a number";
  const Json* value = find(key, required, expected);
  if (value == nullptr) return required ? std::optional(neutral(bounds)) : std::nullopt;
  const bool right = kWhole ? value->is_number_integer()
                            : value->is_number() && std::isfinite(value->get<double>());
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  const bool too_long =
      kWhole && value->is_number_unsigned() && value->get<std::uint64_t>() > kMost;
  if (right && !too_long) {
    const T number = value->get<T>();
    if (number >= bounds.low && number <= bounds.high) return number + T{0};  // no "-0" is printed
  }
  mismatch(key, expected + (right ? range_words(bounds) : ""), *value);
  return neutral(bounds);
}

template std::optional<std::int64_t> ObjectReader::checked(KeyText, bool, Bounds<std::int64_t>);
template std::optional<double> ObjectReader::checked(KeyText, bool, Bounds<double>);

std::optional<bool> ObjectReader::checked_flag(KeyText key, bool required) {
  const Json* value = find(key, required, "true or false");
  if (value == nullptr) return std::nullopt;
  if (value->is_boolean()) return value->get<bool>();
  mismatch(key, "true or false", *value);
  return std::nullopt;
}

std::optional<MicroUsd> ObjectReader::checked_usd(KeyText key, bool required) {
  const std::string expected = "US dollars, not negative, with at most six decimals";
  const Json* value = find(key, required, expected);
  if (value == nullptr) return std::nullopt;
  std::optional<MicroUsd> amount;
  if (value->is_number_integer()) amount = parse_usd(value->dump());
  if (value->is_number_float()) amount = usd_of(value->get<double>());
  if (amount && amount->value >= 0) return amount;
  mismatch(key, expected, *value);
  return std::nullopt;
}

std::optional<std::string> ObjectReader::checked_choice(KeyText key, bool required,
                                                        const std::vector<std::string>& known) {
  const Json& value = raw(key);
  if (value.is_null() && !required) return std::nullopt;
  const std::string name = value.is_string() ? value.get<std::string>() : "";
  if (value.is_string() && contains(known, name)) return name;
  const std::string got = !value.is_null() ? shown(value) : mentions(key) ? "null" : "nothing";
  fault(key, "expected one of " + join(known, ", ") + "; got " + got +
                 (value.is_string() ? did_you_mean(name, known) : ""));
  return std::nullopt;
}

bool ObjectReader::sound(KeyText key) const {
  if (silent_) return false;
  const std::string place = pointer(key);
  const auto& faults = faults_->all();
  return std::ranges::none_of(faults, [&](const Fault& fault) {
    return fault.file == file_ &&
           (fault.pointer == place || fault.pointer.starts_with(place + "/"));
  });
}

void ObjectReader::refuse_unread(std::string_view key) {
  if (contains(read_, key)) return;
  const std::set<std::string> known(read_.begin(), read_.end());
  fault(std::string(key), "unknown key" + did_you_mean(key, {known.begin(), known.end()}));
}

void ObjectReader::done() {
  if (silent_) return;
  for (const auto& [key, unused] : value_->get_ref<const Json::object_t&>()) refuse_unread(key);
  for (const DefaultValue& one : under_) {
    refuse_unread(is_part_ || one.object.empty() ? one.key : one.object);
  }
}

const Json* ObjectReader::array(KeyText key, const std::string& expected) {
  const Json* value = find(key, true, expected);
  if (value == nullptr || value->is_array()) return value;
  mismatch(key, expected, *value);
  return nullptr;
}

std::vector<std::string> ObjectReader::texts(KeyText key) {
  std::vector<std::string> list;
  const Json* value = array(key, "a list of texts");
  for (std::size_t i = 0; value != nullptr && i < value->size(); ++i) {
    const Json& element = (*value)[i];
    if (element.is_string()) {
      list.push_back(element);
    } else if (!silent_) {
      faults_->add(file_, pointer(key) + "/" + std::to_string(i),
                   "expected text, got " + shown(element));
    }
  }
  return list;
}

std::vector<std::int64_t> ObjectReader::integers(KeyText key, Bounds<std::int64_t> bounds) {
  std::vector<std::int64_t> list;
  const Json* value = array(key, "a list of integers");
  for (std::size_t i = 0; value != nullptr && i < value->size(); ++i) {
    const std::string index = std::to_string(i);
    const Json wrapped{{index, (*value)[i]}};
    ObjectReader element(wrapped, file_, pointer(key), *faults_);
    element.silent_ = silent_;
    list.push_back(element.integer(index, bounds));
  }
  return list;
}

ObjectReader ObjectReader::child(const Json& value, std::string pointer) {
  if (silent_) return of_nothing(file_, std::move(pointer), *faults_);
  ObjectReader inner(value, file_, std::move(pointer), *faults_);
  inner.log_ = log_;
  return inner;
}

ObjectReader ObjectReader::object(KeyText key) {
  const Json* value = find(key, true, "an object");
  if (value == nullptr) return of_nothing(file_, pointer(key), *faults_);
  if (under_.empty() || is_part_) return child(*value, pointer(key));
  std::span<const DefaultValue> under = under_;
  const auto is_other = [&](const DefaultValue& one) { return one.object != key.text(); };
  while (!under.empty() && is_other(under.front())) under = under.subspan(1);
  while (!under.empty() && is_other(under.back())) under = under.first(under.size() - 1);
  ObjectReader part(*value, file_, pointer(key), *faults_, under);
  part.is_part_ = true;
  for (const DefaultValue& one : under) part.maybe_ |= mark_of(one.key);
  return part;
}

std::optional<ObjectReader> ObjectReader::optional_object(KeyText key) {
  if (raw(key).is_null()) return std::nullopt;
  return object(key);
}

std::vector<ObjectReader> ObjectReader::objects(KeyText key) {
  std::vector<ObjectReader> list;
  const Json* value = array(key, "a list of objects");
  for (std::size_t i = 0; value != nullptr && i < value->size(); ++i) {
    list.push_back(child((*value)[i], pointer(key) + "/" + std::to_string(i)));
  }
  return list;
}

std::vector<std::pair<std::string, ObjectReader>> ObjectReader::members(KeyText key) {
  std::vector<std::pair<std::string, ObjectReader>> list;
  ObjectReader parent = object(key);
  for (const std::string& name : parent.keys()) {
    list.emplace_back(name, parent.child(parent.raw(name), parent.pointer(name)));
  }
  return list;
}

const Json* at_path(const Json& object, std::string_view path) {
  const std::size_t dot = path.find('.');
  const auto member = object.find(path.substr(0, dot));
  if (member == object.end()) return nullptr;
  return dot == path.npos || member->is_null() ? &*member : at_path(*member, path.substr(dot + 1));
}

const Json& at_dotted(const Json& object, std::string_view path) {
  static const Json kNothing;
  const Json* found = at_path(object, path);
  return found == nullptr ? kNothing : *found;
}

void set_dotted(Json& object, std::string_view path, const Json& value) {
  const std::size_t dot = path.find('.');
  Json& member = object[std::string(path.substr(0, dot))];
  if (dot == path.npos) {
    member = value;
  } else {
    set_dotted(member, path.substr(dot + 1), value);
  }
}

}  // namespace sizesheet
