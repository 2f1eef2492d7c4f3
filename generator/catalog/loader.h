// SPDX-License-Identifier: Apache-2.0
// The catalog's files as bytes and as documents that entries are read from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "catalog/catalog.h"
#include "support/described.h"
#include "support/json.h"
#include "support/named.h"
#include "support/text.h"

namespace sizesheet {

/// Path below the catalog -> bytes.
using CatalogFiles = std::map<std::string, std::string>;

/// The files of catalog/, generated into the program by the build.
const std::map<std::string, std::string>& embedded_catalog();

/// The bytes of one file of a catalog. Throws InputError for one that cannot be read.
std::string read_catalog_file(const std::filesystem::path& file);

/// The catalog's files whose path is wanted. Throws InputError for one that cannot be read, and for
/// a layer that is no folder.
CatalogFiles read_catalog_files(const CatalogLayers& layers,
                                const std::function<bool(const std::string& path)>& wanted);

/// Those of these parts and of what every command reads.
CatalogFiles read_catalog_files(const CatalogLayers& layers, CatalogParts parts);

/// SHA-256 over sorted paths and bytes, 64 hex digits.
std::string hash_of(const CatalogFiles& files);

/// Names without ".json" of the entries right under `folder`.
std::vector<std::string> stems_in(const CatalogFiles& files, const std::string& folder);

/// An entry's id, those it had before (`was`), so that a comparison of editions follows it, and how
/// a fault in them is told.
struct EarlierIds {
  std::string id;
  std::vector<std::string> was;
  std::function<void(const std::string& message)> fault;
};

/// Faults an earlier id that is the id of an entry today, and one that two entries claim. `what`
/// names the kind: "model".
void check_was(const std::vector<EarlierIds>& entries, const std::string& what);

/// Turns files into entries; each file is parsed once and its texts are looked through for
/// what has no place in any.
class CatalogLoader {
 public:
  CatalogLoader(const CatalogLayers& layers, const CatalogFiles& files, Faults& faults)
      : layers_(layers), files_(files), faults_(faults) {}

  /// Throws InputError when a required file is missing.
  const Json& document(const std::string& path);

  ObjectReader reader(const std::string& path) {
    return {document(path), shown_path(path), "", faults_};
  }

  /// Every entry of a folder by file name, which must be its id too.
  template <typename T>
  std::map<std::string, T> entries(const std::string& folder,
                                   const std::function<T(ObjectReader)>& read) {
    if (!stems_in(files_, folder).empty()) return entries_if_any(folder, read);
    throw InputError(shown_path(folder) + ": expected at least one .json file");
  }

  /// The same of a folder that a catalog may do without.
  template <typename T>
  std::map<std::string, T> entries_if_any(const std::string& folder,
                                          const std::function<T(ObjectReader)>& read) {
    std::map<std::string, T> all;
    for (const std::string& stem : stems_in(files_, folder)) {
      const std::string path = folder + "/" + stem + ".json";
      all[stem] = read(reader(path));
      if (!document(path).is_object()) continue;
      ObjectReader whole = reader(path);
      const Json& id = whole.raw("id");
      if (!whole.sound("id") || id == stem) continue;
      whole.mismatch("id", in_quotes(stem) + ", the name of the file", id);
    }
    return all;
  }

  /// Earlier ids of a folder's entries, which nothing else may have.
  template <typename T>
  void check_earlier_ids(const std::string& folder, const std::map<std::string, T>& all,
                         const std::string& what) {
    std::vector<EarlierIds> earlier;
    for (const auto& [id, entry] : all) {
      const std::string path = shown_path(folder + "/" + id + ".json");
      earlier.push_back({id, entry.was, [this, path](const std::string& message) {
                           faults_.add(path, "/was", message);
                         }});
    }
    check_was(earlier, what);
  }

  /// Gives each element of a file's list to `read` without keeping it: a price table may be long.
  /// The reader is of the rest of the file. A fault unless the list has at least one element.
  ObjectReader read_each(const std::string& path, const std::string& list,
                         const std::function<void(ObjectReader&)>& read);

  /// Faults every row of a list in a file whose "gpu" (or other key) is no GPU of the catalog.
  void check_gpus(const std::string& path, const std::string& list, const std::string& key,
                  const std::vector<std::string>& gpus);

  /// Run last: nulls that no reader minded.
  void check_all_nulls();

  /// Throws InputError when the file is missing.
  const std::string& bytes_of(const std::string& path) const;

  std::string shown_path(const std::string& path) const { return layers_.shown(path); }

 private:
  const CatalogLayers& layers_;
  const CatalogFiles& files_;
  Faults& faults_;
  std::map<std::string, Json> documents_;
};

/// Faults every null where unknown is told by leaving the key out, unless its place has a fault
/// already.
void check_nulls(const Json& document, const std::string& file, Faults& faults,
                 const std::string& pointer = "");
/// Faults every text in the document that holds an address other than https://, a character that
/// is not to be shown (unfit_character) or more than kLongestText characters. The document may be
/// the part at `pointer` of a larger one, also above.
void check_texts(const Json& document, const std::string& file, Faults& faults,
                 const std::string& pointer = "");

inline constexpr std::size_t kLongestText = 4000;  ///< bytes; the longest note has 560

/// A file of the catalog as JSON, its texts checked (check_texts). A "$schema" at its top, which
/// tells editors how to help, says nothing of any fact and is left out.
Json parse_entry(std::string_view bytes, const std::string& file, Faults& faults,
                 Comments comments = Comments::kRefused);
/// The same, but each element of the list under `key` is given to `read` and not kept. Its texts
/// are checked before, its nulls after that.
Json parse_entry(std::string_view bytes, const std::string& file, Faults& faults,
                 const std::string& key, const std::function<void(ObjectReader&)>& read);

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
/// Faults every id (at its `key`) that stands twice among `readers`.
void check_unique(std::vector<ObjectReader>& readers, const std::string& key,
                  const std::string& what);
/// The entry under a name. Throws InputError `missing "name"`, with `why` and a near miss behind
/// it.
template <typename T>
const T& entry_of(const std::map<std::string, T>& known, const std::string& name,
                  const std::string& missing, const std::string& why = "") {
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  throw InputError(missing + " " + in_quotes(name) + why + did_you_mean(name, keys_of(known)));
}

/// `no GPU "h100" in the catalog (did you mean …?)`.
std::string not_in_catalog(const std::string& what, const std::string& id,
                           const std::vector<std::string>& known);
/// The entry that the text under `key` names; nullptr with a fault where there is none.
template <typename T>
const T* find_named(ObjectReader& reader, const std::string& key,
                    const std::map<std::string, T>& all, const std::string& what) {
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
/// What a figure rests on.
inline const std::vector<std::string> kBases = {"source", "part-assumption", "assumption"};

/// Whether null may stand at `pointer`, for "unknown" or "none".
bool may_be_null(const std::string& pointer);
/// True for the text "" only; a missing or mistyped value is not empty text.
bool is_empty_text(const Json& value);

// ---- Entries read along their described members. An id, a date, a note, what an entry was and the
// keys of a request are read as such by their names, other texts say something, and all stand
// there: the rules tell where it is otherwise.

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

/// An entry that is nothing but its described members.
template <typename T>
T read_entry(ObjectReader& reader, const EntryRules& rules = {}) {
  T entry = read_members<T>(reader, rules);
  reader.done();
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

/// Each member of the object under `key`, by its name; none where the key is left out.
template <typename Read>
auto read_map(ObjectReader& reader, const std::string& key, const Read& read) {
  std::map<std::string, std::invoke_result_t<Read, const std::string&, ObjectReader&>> all;
  if (!reader.has(key)) return all;
  for (auto& [name, member] : reader.members(key)) all[name] = read(name, member);
  return all;
}

}  // namespace sizesheet
