// SPDX-License-Identifier: Apache-2.0
#include "catalog/family_keys.h"

#include <vector>

namespace sizesheet {
namespace {

/// Our name first, then the family's.
std::vector<std::string> names_of(const Family& family, const std::string& key) {
  std::vector<std::string> names{key};
  const auto published = family.names.find(key);
  if (published != family.names.end()) {
    names.insert(names.end(), published->second.begin(), published->second.end());
  }
  return names;
}

}  // namespace

FamilyKeys::Place FamilyKeys::place(const std::string& path) {
  const std::size_t slash = path.find('/');
  if (slash == std::string::npos) return {std::nullopt, path, true};
  const std::string outer = path.substr(0, slash);
  if (!reader_->has(outer) || !reader_->sound(outer)) {
    return {std::nullopt, path.substr(slash + 1), false};
  }
  return {reader_->object(outer), path.substr(slash + 1), true};
}

bool FamilyKeys::stands(const std::string& path) {
  const Place there = place(path);
  if (!there.reachable) return false;
  return there.within ? there.within->has(there.key) : reader_->has(there.key);
}

std::string FamilyKeys::name(const std::string& key) {
  const std::vector<std::string> names = names_of(*family_, key);
  for (const std::string& each : names) {
    if (stands(each)) return each;
  }
  return names.size() > 1 ? names[1] : key;
}

bool FamilyKeys::has(const std::string& key) { return stands(name(key)); }

Json FamilyKeys::raw(const std::string& key) {
  Place there = place(name(key));
  if (!there.reachable) return nullptr;
  return there.within ? there.within->raw(there.key) : reader_->raw(there.key);
}

bool FamilyKeys::sound(const std::string& key) { return reader_->sound(name(key)); }

void FamilyKeys::fault(const std::string& key, const std::string& message) {
  Place there = place(name(key));
  if (there.within) {
    there.within->fault(there.key, message);
  } else {
    reader_->fault(there.key, message);
  }
}

void FamilyKeys::check_equal_names(const std::string& key, std::int64_t value,
                                   const std::string& used) {
  for (const std::string& each : names_of(*family_, key)) {
    if (each == used || !stands(each)) continue;
    Place there = place(each);
    const Json& other = there.within ? there.within->raw(there.key) : reader_->raw(there.key);
    if (other == value) continue;
    ObjectReader& place_of_fault = there.within ? *there.within : *reader_;
    place_of_fault.fault(there.key, "expected the same as " + used + ", " + std::to_string(value) +
                                        ", got " + shown(other));
  }
}

std::optional<std::int64_t> FamilyKeys::value(const std::string& key, bool required,
                                              Bounds<std::int64_t> bounds) {
  const std::string used = name(key);
  const auto number = family_->numbers.find(key);
  if (!stands(used) && number != family_->numbers.end()) return number->second;
  Place there = place(used);
  if (!there.reachable) {
    if (required) reader_->fault(used.substr(0, used.find('/')), "expected an object, got nothing");
    return std::nullopt;
  }
  ObjectReader& reader = there.within ? *there.within : *reader_;
  if (required) return reader.integer(there.key, bounds);
  const auto found = reader.optional_integer(there.key, bounds);
  return found;
}

std::int64_t FamilyKeys::integer(const std::string& key, Bounds<std::int64_t> bounds) {
  const std::int64_t found = value(key, true, bounds).value_or(bounds.low);
  if (sound(key) && has(key)) check_equal_names(key, found, name(key));
  return found;
}

std::int64_t FamilyKeys::integer_or(const std::string& key, std::int64_t fallback,
                                    Bounds<std::int64_t> bounds) {
  const std::int64_t found = value(key, false, bounds).value_or(fallback);
  if (sound(key) && has(key)) check_equal_names(key, found, name(key));
  return found;
}

bool FamilyKeys::flag_or(const std::string& key, bool fallback) {
  Place there = place(name(key));
  if (!there.reachable) return fallback;
  ObjectReader& reader = there.within ? *there.within : *reader_;
  return reader.flag_or(there.key, fallback);
}

std::string FamilyKeys::text_or(const std::string& key, const std::string& fallback) {
  Place there = place(name(key));
  if (!there.reachable) return fallback;
  ObjectReader& reader = there.within ? *there.within : *reader_;
  return reader.text_or(there.key, fallback);
}

}  // namespace sizesheet
