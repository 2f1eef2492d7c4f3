// SPDX-License-Identifier: Apache-2.0
// Values of an enumeration and the words that files and requests have for them: one table each, in
// the order in which messages list the words. A value with several words is called by its first.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/json.h"

namespace sizesheet {

template <typename Value>
struct Named {
  Value value;
  std::string_view id;
};

template <typename Value, std::size_t n>
using NameTable = std::array<Named<Value>, n>;

/// "" for a value without a word.
template <typename Value, std::size_t n>
std::string id_of(const NameTable<Value, n>& table, Value value) {
  for (const Named<Value>& one : table) {
    if (one.value == value) return std::string(one.id);
  }
  return "";
}

template <typename Value, std::size_t n>
std::optional<Value> value_of(const NameTable<Value, n>& table, std::string_view id) {
  for (const Named<Value>& one : table) {
    if (one.id == id) return one.value;
  }
  return std::nullopt;
}

template <typename Value, std::size_t n>
std::vector<std::string> ids(const NameTable<Value, n>& table) {
  std::vector<std::string> all;
  for (const Named<Value>& one : table) all.emplace_back(one.id);
  return all;
}

/// The value under `key`; `fallback` where the key is left out, and after a fault.
template <typename Value, std::size_t n>
Value read_named_or(ObjectReader& reader, const std::string& key, const NameTable<Value, n>& table,
                    Value fallback) {
  const Json& given = reader.raw(key);
  if (given.is_null()) return fallback;
  const auto known =
      given.is_string() ? value_of(table, given.get_ref<const std::string&>()) : std::nullopt;
  if (!known) reader.one_of_or(key, ids(table), "");
  return known.value_or(fallback);
}

}  // namespace sizesheet
