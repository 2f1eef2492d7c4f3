// SPDX-License-Identifier: Apache-2.0
// Each enumeration has one table of its words; `EnumSet` is a set of such values.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "support/json.h"
#include "support/text.h"

namespace sizesheet {

template <typename Value>
struct Named {
  Value value;
  std::string_view id;
};

template <typename Value, std::size_t n>
using NameTable = std::array<Named<Value>, n>;

/// "" for a value without a word. A table may say more of a value: its entries have a value and an
/// id.
template <typename Entry, std::size_t n>
std::string id_of(const std::array<Entry, n>& table, decltype(Entry::value) value) {
  for (const Entry& one : table) {
    if (one.value == value) return std::string(one.id);
  }
  return "";
}

template <typename Entry, std::size_t n>
std::optional<decltype(Entry::value)> value_of(const std::array<Entry, n>& table,
                                               std::string_view id) {
  for (const Entry& one : table) {
    if (one.id == id) return one.value;
  }
  return std::nullopt;
}

template <typename Entry, std::size_t n>
std::vector<std::string> ids(const std::array<Entry, n>& table) {
  std::vector<std::string> all;
  for (const Entry& one : table) {
    if (!std::string_view(one.id).empty()) all.emplace_back(one.id);
  }
  return all;
}

/// The value under `key`; `fallback` where the key is left out, and after a fault.
template <typename Entry, std::size_t n>
decltype(Entry::value) read_named_or(ObjectReader& reader, const std::string& key,
                                     const std::array<Entry, n>& table,
                                     decltype(Entry::value) fallback) {
  const Json& given = reader.raw(key);
  if (given.is_null()) return fallback;
  const auto known =
      given.is_string() ? value_of(table, given.get_ref<const std::string&>()) : std::nullopt;
  if (!known) reader.one_of_or(key, ids(table), "");
  return known.value_or(fallback);
}

/// An enumeration with one table, which `table_of` finds: in JSON a value is its id.
template <typename Value>
concept Tabled = std::is_enum_v<Value> && requires(Value value) {
  table_of(value);
};

/// Its entry: the table is in the order of the enumeration.
template <Tabled Value>
constexpr const auto& facts_of(Value value) {
  return table_of(value)[static_cast<std::size_t>(value)];
}

template <Tabled Value>
std::string id_of(Value value) {
  return std::string(facts_of(value).id);
}

template <Tabled Value>
void to_json(Json& json, Value value) {
  json = id_of(value);
}

template <typename Enum>
class EnumSet {
 public:
  constexpr EnumSet() = default;
  constexpr EnumSet(std::initializer_list<Enum> members) {
    for (const Enum member : members) insert(member);
  }

  constexpr bool contains(Enum member) const { return (bits_ & bit(member)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  /// True when it was not there yet.
  constexpr bool insert(Enum member) {
    const bool added = !contains(member);
    bits_ |= bit(member);
    return added;
  }
  constexpr void insert(const EnumSet& others) { bits_ |= others.bits_; }
  constexpr void erase(Enum member) { bits_ &= ~bit(member); }
  bool operator==(const EnumSet&) const = default;

 private:
  static constexpr std::uint32_t bit(Enum member) {
    return std::uint32_t{1} << static_cast<unsigned>(member);
  }

  std::uint32_t bits_ = 0;
};

}  // namespace sizesheet
