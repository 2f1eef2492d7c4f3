// SPDX-License-Identifier: Apache-2.0
// An edition as a comparison sees it: of every row only what a change can be told by, so that
// two sheets of a hundred thousand rows fit in memory side by side; its rows by key, their order,
// and the ids that an entry had in another edition; and how two of them compare.
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

/// A count of GPUs that a row was sized on, and the hours of a run there.
struct EditionCount {
  std::int64_t gpus = 0;
  double hours = 0;
};

struct EditionRow {
  std::string model;
  std::string method;
  std::string gpu;
  std::string scenario;
  ChangeSide side;
  std::vector<EditionTerm> terms;
  std::vector<FigureValue> figures;  ///< of `compared_measures()`
  std::vector<std::string> notes;    ///< warnings, and why it was refused
  std::vector<EditionCount> counts;  ///< those that it may be rented on

  std::string key() const { return model + "/" + method + "/" + gpu + "/" + scenario; }
  std::optional<std::int64_t> bytes_of(const std::string& term) const;
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
  std::vector<Pick> picks;
  std::optional<SheetPlan> plan;  ///< without its assignments
  Json inputs;                    ///< as in sheet.json; what a re-sizing starts from
};

/// Its GPU goes by its id until it is in an edition.
EditionRow edition_row(const Row& row);

Edition edition_of(const Sheet& sheet, const std::string& file);
/// The edition that these rows and all else of a sheet make.
Edition edition_of(SheetHead head, std::vector<EditionRow> rows, const std::string& file);

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
  const EditionRow* runner_up(const Pick& pick) const {
    return pick.runner_up ? find(pick.runner_up->row) : nullptr;
  }
  /// True where some GPU type holds this pick's model and method in its scenario.
  bool any_holds(const Pick& pick) const;

 private:
  std::unordered_map<std::string, const EditionRow*> rows_;
  std::unordered_map<std::string, bool> holds_;
};

/// Ids that an entry had in another edition (`was`), so that a renamed model is one row and not
/// two: OLD's id -> NEW's id, for the ids that differ. Either edition may be the later one.
using NewNames = std::map<std::string, std::string>;
struct Renames {
  NewNames models;
  NewNames methods;
  NewNames gpus;
  NewNames scenarios;

  bool none() const;
};

Renames renames_between(const Edition& old_edition, const Edition& new_edition);

/// OLD with NEW's ids in its rows, picks and price keys; each side's row_key stays as OLD wrote it.
Edition under_new_names(Edition old_edition, const Renames& renames);

/// One of the names that make a row's key, and where it stands.
struct RowPart {
  const char* of;      ///< as in `EntryChange::of`
  const char* group;   ///< of inputs, that its entries are in
  const char* inputs;  ///< JSON pointer to its entries there
  std::string EditionRow::*row;
  std::string Pick::*pick;  ///< nullptr where a pick has none
  std::string Change::*change;
  std::vector<EditionName> Edition::*listed;
  NewNames Renames::*renamed;
};

/// In the order of the key.
inline constexpr auto kRowParts = std::to_array<RowPart>({
    {"model", "models", "/models", &EditionRow::model, &Pick::model, &Change::model,
     &Edition::models, &Renames::models},
    {"method", "methods", "/methods", &EditionRow::method, &Pick::method, &Change::method,
     &Edition::methods, &Renames::methods},
    {"gpu", "gpus", "/gpus", &EditionRow::gpu, nullptr, &Change::gpu, &Edition::gpus,
     &Renames::gpus},
    {"scenario", "workload", "/sheet/scenarios", &EditionRow::scenario, &Pick::scenario,
     &Change::scenario, &Edition::scenarios, &Renames::scenarios},
});

// ---- Two editions, key by key: what changed, how much it matters, which dollars moved, and why.

/// Everything but causes: `cause`, `because`, `moved` and `causes` stay empty. The order of rows in
/// either edition does not matter. Throws InputError naming a key that stands twice.
SheetChanges compare_editions(const Edition& old_edition, const Edition& new_edition,
                              const ChangeThresholds& thresholds);

/// Compares and finds causes: `cause` and `because` of every change, `moved` and `causes`. Where an
/// edition does not hold all that its rows were made from, those stay empty and `causes_unknown`
/// says why.
SheetChanges diff_editions(const Edition& old_edition, const Edition& new_edition,
                           const ChangeThresholds& thresholds, int jobs = 1);

/// How the plans of two editions differ; nullopt where that is less than the thresholds. No causes.
/// OLD under NEW's names.
std::optional<PlanChange> plan_change(const Edition& old_edition, const Edition& new_edition,
                                      const ChangeThresholds& thresholds);

/// What each group of inputs did to the plan: OLD's is made again with this engine, then groups of
/// NEW's inputs take their places one after the other, the demand last. Both inputs under NEW's
/// names. Throws InputError.
std::vector<PlanCause> plan_causes(const Edition& old_edition, const Edition& new_edition,
                                   const Json& old_inputs, const Json& new_inputs, int jobs);

/// The entry that tells of this added or removed row or pick; nullptr where none does.
const EntryChange* whole_entry(const SheetChanges& changes, const Change& change);

/// Kinds at or above the thresholds, most severe first; empty where nothing is worth telling.
std::vector<std::string> row_kinds(const EditionRow& old_row, const EditionRow& new_row,
                                   const ChangeThresholds& thresholds);

/// The kinds that say how a pick did: those of counts, money, hours and advice. The two rows may be
/// of different GPU types.
std::vector<std::string> pick_kinds(const EditionRow& old_row, const EditionRow& new_row,
                                    const ChangeThresholds& thresholds);

/// True where the rows differ in anything compared, however little.
bool differ(const EditionRow& old_row, const EditionRow& new_row);

/// Memory terms that moved by the threshold, in NEW's order, those that are gone last.
std::vector<TermChange> term_changes(const EditionRow& old_row, const EditionRow& new_row,
                                     const ChangeThresholds& thresholds);

}  // namespace sizesheet
