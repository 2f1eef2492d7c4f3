// SPDX-License-Identifier: Apache-2.0
// The part of ObjectReader that goes down: objects and lists within an object.

#include "support/json.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace sizesheet {
namespace {

constexpr std::size_t kUsualNames = 32;
constexpr std::size_t kUsualBytes = 240;  // of all of them

const Json& no_value() {
  static const Json kNull;
  return kNull;
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

ObjectReader::ObjectReader(const Json& value, std::string file, std::string pointer, Faults& faults)
    : value_(&value), file_(std::move(file)), pointer_(std::move(pointer)), faults_(&faults) {
  read_.reserve(kUsualBytes);
  read_ += '\0';
  if (value.is_object()) return;
  mismatch("", "an object", value);
  value_ = &no_value();
  silent_ = true;
}

ObjectReader ObjectReader::of_nothing(std::string file, std::string pointer, Faults& faults) {
  static const Json kNoKeys = Json::object();
  ObjectReader reader(kNoKeys, std::move(file), std::move(pointer), faults);
  reader.silent_ = true;
  return reader;
}

const Json* ObjectReader::member(const std::string& key) const {
  const auto* members = value_->get_ptr<const Json::object_t*>();
  if (members == nullptr) return nullptr;
  const auto found = members->find(key);
  return found != members->end() ? &found->second : nullptr;
}

bool ObjectReader::mentions(const std::string& key) const { return member(key) != nullptr; }

bool ObjectReader::has(const std::string& key) const {
  const Json* value = member(key);
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
  const std::vector<std::string_view> read = names_read();
  std::erase_if(names, [&](const std::string& name) { return !contains(read, name); });
  return names;
}

std::string ObjectReader::pointer(const std::string& key) const {
  return key.empty() ? pointer_ : pointer_ + "/" + pointer_token(key);
}

void ObjectReader::fault(const std::string& key, const std::string& message) {
  if (!silent_) faults_->add(file_, pointer(key), message);
}

void ObjectReader::mismatch(const std::string& key, const std::string& expected, const Json& got) {
  fault(key, "expected " + expected + ", got " + shown(got));
}

const Json& ObjectReader::raw(const std::string& key) {
  (read_ += key) += '\0';
  const Json* value = member(key);
  return value != nullptr ? *value : no_value();
}

void ObjectReader::leave(std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) (read_ += key) += '\0';
}

std::vector<std::string_view> ObjectReader::names_read() const {
  std::vector<std::string_view> names;
  names.reserve(kUsualNames);
  for (std::size_t from = 1; from < read_.size();) {
    const std::size_t end = read_.find('\0', from);
    names.push_back(std::string_view(read_).substr(from, end - from));
    from = end + 1;
  }
  return names;
}

const Json* ObjectReader::find(const std::string& key, bool required, std::string_view expected) {
  const Json& value = raw(key);
  if (!value.is_null()) return &value;
  if (required) {
    fault(key,
          "expected " + std::string(expected) + (mentions(key) ? ", got null" : ", got nothing"));
  }
  return nullptr;
}

std::optional<std::string> ObjectReader::optional_text(const std::string& key) {
  return has(key) ? std::optional(text(key)) : (raw(key), std::nullopt);
}

std::string ObjectReader::text(const std::string& key) {
  const Json* value = find(key, true, "text");
  if (value == nullptr) return "";
  if (value->is_string() && is_utf8(value->get_ref<const std::string&>())) return *value;
  mismatch(key, value->is_string() ? "UTF-8 text" : "text", *value);
  return "";
}

std::optional<std::int64_t> ObjectReader::checked_integer(const std::string& key, bool required,
                                                          Bounds<std::int64_t> bounds) {
  const Json* value = find(key, required, "an integer");
  if (value == nullptr) return required ? std::optional(neutral(bounds)) : std::nullopt;
  const bool whole = value->is_number_integer();
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  const bool too_long = value->is_number_unsigned() && value->get<std::uint64_t>() > kMost;
  if (whole && !too_long) {
    const auto number = value->get<std::int64_t>();
    if (number >= bounds.low && number <= bounds.high) return number;
  }
  mismatch(key, "an integer" + (whole ? range_words(bounds) : ""), *value);
  return neutral(bounds);
}

std::optional<double> ObjectReader::checked_number(const std::string& key, bool required,
                                                   Bounds<double> bounds) {
  const Json* value = find(key, required, "a number");
  if (value == nullptr) return required ? std::optional(neutral(bounds)) : std::nullopt;
  if (value->is_number() && std::isfinite(value->get<double>())) {
    const double number = value->get<double>();
    if (number >= bounds.low && number <= bounds.high) return number + 0.0;  // no "-0" is printed
    mismatch(key, "a number" + range_words(bounds), *value);
  } else {
    mismatch(key, "a number", *value);
  }
  return neutral(bounds);
}

std::optional<bool> ObjectReader::checked_flag(const std::string& key, bool required) {
  const Json* value = find(key, required, "true or false");
  if (value == nullptr) return std::nullopt;
  if (value->is_boolean()) return value->get<bool>();
  mismatch(key, "true or false", *value);
  return std::nullopt;
}

std::optional<MicroUsd> ObjectReader::checked_usd(const std::string& key, bool required) {
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

std::optional<std::string> ObjectReader::checked_choice(const std::string& key, bool required,
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

bool ObjectReader::sound(const std::string& key) const {
  if (silent_) return false;
  const std::string place = pointer(key);
  const auto& faults = faults_->all();
  return std::ranges::none_of(faults, [&](const Fault& fault) {
    return fault.file == file_ &&
           (fault.pointer == place || fault.pointer.starts_with(place + "/"));
  });
}

void ObjectReader::done() {
  if (!value_->is_object() || value_->empty()) return;
  const std::vector<std::string_view> read = names_read();
  for (const auto& [key, unused] : value_->get_ref<const Json::object_t&>()) {
    if (contains(read, key)) continue;
    const std::set<std::string> known(read.begin(), read.end());
    fault(key, "unknown key" + did_you_mean(key, {known.begin(), known.end()}));
  }
}

const Json* ObjectReader::array(const std::string& key, const std::string& expected) {
  const Json* value = find(key, true, expected);
  if (value == nullptr || value->is_array()) return value;
  mismatch(key, expected, *value);
  return nullptr;
}

std::vector<std::string> ObjectReader::texts(const std::string& key) {
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

std::vector<std::int64_t> ObjectReader::integers(const std::string& key,
                                                 Bounds<std::int64_t> bounds) {
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

ObjectReader ObjectReader::child(const Json& value, const std::string& pointer) {
  if (silent_) return of_nothing(file_, pointer, *faults_);
  return {value, file_, pointer, *faults_};
}

ObjectReader ObjectReader::object(const std::string& key) {
  const Json* value = find(key, true, "an object");
  if (value == nullptr) return of_nothing(file_, pointer(key), *faults_);
  return child(*value, pointer(key));
}

std::optional<ObjectReader> ObjectReader::optional_object(const std::string& key) {
  if (raw(key).is_null()) return std::nullopt;
  return object(key);
}

std::vector<ObjectReader> ObjectReader::objects(const std::string& key) {
  std::vector<ObjectReader> list;
  const Json* value = array(key, "a list of objects");
  for (std::size_t i = 0; value != nullptr && i < value->size(); ++i) {
    list.push_back(child((*value)[i], pointer(key) + "/" + std::to_string(i)));
  }
  return list;
}

std::vector<std::pair<std::string, ObjectReader>> ObjectReader::members(const std::string& key) {
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
