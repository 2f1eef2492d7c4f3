// SPDX-License-Identifier: Apache-2.0
// The catalog's files as bytes and as documents that entries are read from.
#pragma once

#include <concepts>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "catalog/files/entries.h"
#include "catalog/files/entry.h"
#include "support/error.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/named.h"
#include "support/text.h"

namespace sizesheet {

/// In the place of a folder: the catalog that is compiled in. A folder of that name is ./builtin.
inline constexpr const char* kBuiltInCatalog = "builtin";

/// The folders that a catalog is read from, the later laid over the earlier: a file takes the place
/// of the one that has its path in an earlier folder, whole, and all others stand side by side.
class CatalogLayers {
 public:
  template <std::convertible_to<std::filesystem::path> Folder>
  CatalogLayers(Folder folder)  // NOLINT(google-explicit-constructor): one folder is a catalog
      : folders_{std::move(folder)} {}
  explicit CatalogLayers(const std::vector<std::string>& folders)
      : folders_(folders.begin(), folders.end()) {}

  /// "builtin:ours", as a variable of the environment holds several; what is a folder is one.
  static CatalogLayers in(const std::string& text);

  const std::vector<std::filesystem::path>& folders() const { return folders_; }
  bool holds(const std::string& path) const;
  /// Where the file of this path is read: in the last folder that holds it, else the first.
  std::filesystem::path place(const std::string& path) const;
  std::string shown(const std::string& path) const;
  /// As `in` reads it, for talk.
  std::string shown() const;

 private:
  std::vector<std::filesystem::path> folders_;  ///< at least one
};

/// What a command may do without; models, GPUs, methods, stacks, their names and the engine's
/// constants are always loaded.
enum class CatalogPart {
  kMoney,     ///< prices, services, providers, exchange, purchase, project
  kMeasured,  ///< published measurements and how they are judged
  kGuidance   ///< conventions, frameworks, advice, worksheets
};
using CatalogParts = EnumSet<CatalogPart>;

/// Path below the catalog -> bytes.
using CatalogFiles = std::map<std::string, std::string>;

/// The files of catalog/, generated into the program by the build.
const std::map<std::string, std::string_view>& embedded_catalog();

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
/// The same of the catalog that is compiled in.
std::vector<std::string> built_in_stems(const std::string& folder);

/// Whether this is the catalog that is compiled in, with nothing over it.
bool is_built_in(const CatalogLayers& layers);

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

/// A file of the catalog as JSON, its texts checked (check_texts). A "$schema" at its top, which
/// tells editors how to help, says nothing of any fact and is left out.
Json parse_entry(std::string_view bytes, const std::string& file, Faults& faults,
                 Comments comments = Comments::kRefused);

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

  /// The same, each read when it is first asked for where the files leave the folder out, as they
  /// may for the catalog that is compiled in (is_built_in).
  template <typename T>
  Entries<T> entries_on_use(const std::string& folder, const std::function<T(ObjectReader)>& read) {
    if (!is_built_in(layers_) || !stems_in(files_, folder).empty()) return entries(folder, read);
    return {built_in_stems(folder), [folder, read](const std::string& id) {
              const std::string path = folder + "/" + id + ".json";
              const std::string shown = std::string(kBuiltInCatalog) + "/" + path;
              Faults faults;
              const Json document = parse_entry(embedded_catalog().at(path), shown, faults);
              T entry = read({document, shown, "", faults});
              faults.refuse();
              return entry;
            }};
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

/// parse_entry, but each element of the list under `key` is given to `read` and not kept. Its texts
/// are checked before, its nulls after that.
Json parse_entry(std::string_view bytes, const std::string& file, Faults& faults,
                 const std::string& key, const std::function<void(ObjectReader&)>& read);

/// The entry under a name. Throws InputError `missing "name"`, with `why` and a near miss behind
/// it.
template <typename Known>
const auto& entry_of(const Known& known, const std::string& name, const std::string& missing,
                     const std::string& why = "") {
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  throw InputError(missing + " " + in_quotes(name) + why + did_you_mean(name, keys_of(known)));
}

/// Where a figure comes from.
inline const std::vector<std::string> kBases = {"source", "part-assumption", "assumption"};

// ---- Entries read along their described members. An id, a date, a note, what an entry was and the
// keys of a request are read as such by their names, other texts say something, and all stand
// there: the rules tell where it is otherwise.

/// An entry that is nothing but its described members.
template <typename T>
T read_entry(ObjectReader& reader, const EntryRules& rules = {}) {
  T entry = read_members<T>(reader, rules);
  reader.done();
  return entry;
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
