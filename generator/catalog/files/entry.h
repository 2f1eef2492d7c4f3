// SPDX-License-Identifier: Apache-2.0
// Keys that every entry has, and entries read along their described members.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "support/described.h"
#include "support/json.h"
#include "support/money.h"
#include "support/named.h"
#include "support/text.h"

namespace sizesheet {

/// Text that says something; "" is a fault.
std::string read_filled_text(ObjectReader& reader, const std::string& key);
/// True for an id as file names and keys use it: at most 100 lower-case letters, digits, '.' and
/// '-', no '.' at the end, and no name that some systems take for a device (con, nul, com1).
bool is_id(const std::string& text);
/// Such an id.
std::string read_id(ObjectReader& reader, const std::string& key);
/// "note", which may be left out but not be empty; "" when there is none.
std::string read_note(ObjectReader& reader, const std::string& key = "note");
/// "request", an object; what its keys may hold is the request reader's business.
Json read_request_keys(ObjectReader& reader);
/// A list of objects with at least one in it.
std::vector<ObjectReader> read_rows(ObjectReader& reader, const std::string& key);
/// "source": where the fact stands.
std::string read_source(ObjectReader& reader);
/// A date YYYY-MM-DD or YYYY-MM under `key`.
std::string read_date(ObjectReader& reader, const std::string& key);
/// The first and the last day of an offer, under "valid_from" and "valid_until", where there are
/// some.
void read_validity(ObjectReader& reader, std::optional<std::string>& from,
                   std::optional<std::string>& until);
/// Faults every id (at its `key`) that stands twice among `readers`.
void check_unique(std::vector<ObjectReader>& readers, const std::string& key,
                  const std::string& what);

/// `no GPU "h100" in the catalog (did you mean …?)`.
std::string not_in_catalog(const std::string& what, const std::string& id,
                           const std::vector<std::string>& known);
/// The entry that the text under `key` names; nullptr with a fault where there is none.
template <typename Known>
auto find_named(ObjectReader& reader, const std::string& key, const Known& all,
                const std::string& what) -> decltype(&all.find(key)->second) {
  const std::string id = reader.text(key);
  if (!reader.sound(key)) return nullptr;
  const auto entry = all.find(id);
  if (entry != all.end()) return &entry->second;
  reader.fault(key, not_in_catalog(what, id, keys_of(all)));
  return nullptr;
}

/// Faults `key` unless `id` is one of `known`.
void check_reference(ObjectReader& reader, const std::string& key, const std::string& what,
                     const std::vector<std::string>& known);
inline constexpr Bounds<std::int64_t> kCount{1, 1'000'000};
/// The optional list under "was": ids as `read_id` reads them, each once; empty without the key.
std::vector<std::string> read_was(ObjectReader& reader);

/// Whether null may stand at `pointer`, for "unknown" or "none".
bool may_be_null(const std::string& pointer);
/// True for the text "" only; a missing or mistyped value is not empty text.
bool is_empty_text(const Json& value);

/// What must be one of `known`, as check_reference has it.
struct NamedEntries {
  std::string what;
  std::vector<std::string> known;
};

struct EntryRules {
  Bounds<double> numbers = {};
  Bounds<std::int64_t> counts = kCount;
  std::map<std::string, Bounds<double>> bounds = {};  ///< of numbers and counts with others
  std::map<std::string, std::vector<std::string>> choices = {};
  std::map<std::string, NamedEntries> references = {};
  std::set<std::string> ids = {};                     ///< read as "id" is
  std::set<std::string> may_lack = {};                ///< the member keeps its value then
  std::set<std::string> may_be_empty = {};            ///< texts that need not say anything
  std::string (*id)(ObjectReader& reader) = nullptr;  ///< reads an id that is none of a file
};

class EntryReader {
 public:
  EntryReader(ObjectReader& reader, const EntryRules& rules) : reader_(reader), rules_(rules) {}

  void operator()(const std::string& key, std::string& value);
  void operator()(const std::string& key, bool& value);
  void operator()(const std::string& key, double& value);
  void operator()(const std::string& key, std::int64_t& value);
  void operator()(const std::string& key, MicroUsd& value);
  void operator()(const std::string& key, std::vector<std::string>& value);
  void operator()(const std::string& key, std::vector<std::int64_t>& value);
  void operator()(const std::string& key, Json& value);
  template <Tabled T>
  void operator()(const std::string& key, T& value) {
    value = read_named_or(reader_, key, table_of(value), value);
  }
  template <typename T>
  void operator()(const std::string& key, std::optional<T>& value) {
    if (is_unknown(key)) return;
    (*this)(key, value.emplace());
  }
  /// An object of described members, under the same rules.
  template <typename T>
  void operator()(const std::string& key, T& value) requires std::is_class_v<T> {
    ObjectReader part = reader_.object(key);
    EntryReader members(part, rules_);
    fields(members, value);
    part.done();
  }

 private:
  /// Left out, or null for unknown where that is how it is told; then the key must stand there.
  bool is_unknown(const std::string& key);
  template <typename T>
  Bounds<T> bounds_of(const std::string& key, Bounds<T> usual) const;

  ObjectReader& reader_;
  const EntryRules& rules_;
};

/// The described members of an entry, and the whole of it where it keeps that; other keys are read
/// before `done`.
template <typename T>
T read_members(ObjectReader& reader, const EntryRules& rules = {}) {
  T entry;
  if constexpr (requires { entry.raw; }) entry.raw = reader.whole();
  EntryReader members(reader, rules);
  fields(members, entry);
  return entry;
}

/// Each row of a list that has some, none of which says the same under `unique` as another.
template <typename Read>
auto read_list(ObjectReader& reader, const std::string& key, const Read& read,
               const std::string& unique = "id", const std::string& what = "an id") {
  std::vector<ObjectReader> rows = read_rows(reader, key);
  check_unique(rows, unique, what);
  std::vector<std::invoke_result_t<Read, ObjectReader&>> list;
  for (ObjectReader& row : rows) list.push_back(read(row));
  return list;
}

}  // namespace sizesheet
