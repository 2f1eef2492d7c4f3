// SPDX-License-Identifier: Apache-2.0
// An edition as a comparison sees it: of every row only what a change can be told by, so that
// two sheets of a hundred thousand rows fit in memory side by side; its rows by key, their order,
// and the ids that an entry had in another edition.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sheet/changes.h"
#include "sheet/measures.h"

namespace sizesheet {

/// A memory term's bytes on one GPU.
struct EditionTerm {
  std::string name;
  std::string title;
  std::int64_t bytes = 0;

  bool operator==(const EditionTerm& other) const {
    return name == other.name && bytes == other.bytes;
  }
};

/// The measures that say as what kind of change a move of them is told.
const std::vector<const Measure*>& compared_measures();

struct EditionRow {
  std::string model;
  std::string method;
  std::string gpu;
  std::string scenario;
  ChangeSide side;
  std::vector<EditionTerm> terms;
  std::vector<FigureValue> figures;  ///< of `compared_measures()`
  std::vector<std::string> notes;    ///< warnings, and why it was refused

  std::string key() const { return model + "/" + method + "/" + gpu + "/" + scenario; }
  const EditionTerm* term(const std::string& name) const;  ///< nullptr when absent
};

struct EditionPick {
  std::string model;
  std::string method;
  std::string scenario;
  std::optional<std::string> rent_key;       ///< of a row
  std::optional<std::string> buy_key;        ///< of a row
  std::optional<std::string> next_key = {};  ///< of the runner-up's row
  std::optional<PickSwitch> switch_at = {};

  std::string key() const { return model + "/" + method; }
};

/// An id of this edition, those it had in earlier ones, and what people call it.
struct EditionName {
  std::string id;
  std::vector<std::string> was;
  std::string title = {};
};

struct Edition {
  std::string file;  ///< for messages
  EditionLabel label;
  std::vector<EditionName> models;  ///< in sheet order
  std::vector<EditionName> methods;
  std::vector<EditionName> gpus;
  std::vector<EditionName> scenarios;
  std::vector<EditionRow> rows;
  std::vector<EditionPick> picks;
  std::optional<SheetPlan> plan;  ///< without its assignments
  Json inputs;                    ///< as in sheet.json; what a re-sizing starts from
};

/// Its GPU goes by its id until it is in an edition.
EditionRow edition_row(const Row& row);

Edition edition_of(const Sheet& sheet, const std::string& file);
/// With these rows instead of the sheet's own.
Edition edition_of(const Sheet& sheet, std::vector<EditionRow> rows, const std::string& file);

/// Reads a sheet.json of this or of an older program (same major): what it lacks is absent. Rows
/// are read one by one, so memory does not grow with their proofs. Throws InputError.
Edition parse_edition(const std::string& text, const std::string& file);
Edition read_edition(const std::filesystem::path& path);

/// The rows of one edition, which must outlive it. Throws InputError naming a key that stands
/// twice.
class RowIndex {
 public:
  explicit RowIndex(const Edition& edition);

  /// nullptr when absent, or without a key.
  const EditionRow* find(const std::optional<std::string>& key) const;
  /// True where some GPU type holds this pick's model and method in its scenario.
  bool any_holds(const EditionPick& pick) const;

 private:
  std::unordered_map<std::string, const EditionRow*> rows_;
  std::unordered_map<std::string, bool> holds_;
};

/// Ids that an entry had in another edition (`was`), so that a renamed model is one row and not
/// two: OLD's id -> NEW's id, for the ids that differ. Either edition may be the later one.
struct Renames {
  std::map<std::string, std::string> models;
  std::map<std::string, std::string> methods;
  std::map<std::string, std::string> gpus;
  std::map<std::string, std::string> scenarios;

  bool none() const;
};

Renames renames_between(const Edition& old_edition, const Edition& new_edition);

/// OLD with NEW's ids in its rows, picks and price keys; each side's row_key stays as OLD wrote it.
Edition under_new_names(Edition old_edition, const Renames& renames);

/// One of the names that make a row's key, and where it stands.
struct RowPart {
  const char* of;     ///< as in `EntryChange::of`
  const char* group;  ///< of inputs, that its entries are in
  std::string EditionRow::*row;
  std::string EditionPick::*pick;  ///< nullptr where a pick has none
  std::string Change::*change;
  std::vector<EditionName> Edition::*listed;
  std::map<std::string, std::string> Renames::*renamed;
};

/// In the order of the key.
inline constexpr auto kRowParts = std::to_array<RowPart>({
    {"model", "models", &EditionRow::model, &EditionPick::model, &Change::model, &Edition::models,
     &Renames::models},
    {"method", "methods", &EditionRow::method, &EditionPick::method, &Change::method,
     &Edition::methods, &Renames::methods},
    {"gpu", "gpus", &EditionRow::gpu, nullptr, &Change::gpu, &Edition::gpus, &Renames::gpus},
    {"scenario", "workload", &EditionRow::scenario, &EditionPick::scenario, &Change::scenario,
     &Edition::scenarios, &Renames::scenarios},
});

}  // namespace sizesheet
