// SPDX-License-Identifier: Apache-2.0
// The part of ObjectReader that goes down: objects and lists within an object.
#include <utility>

#include "support/json.h"

namespace sizesheet {

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

}  // namespace sizesheet
