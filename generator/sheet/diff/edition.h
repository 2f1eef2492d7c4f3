// SPDX-License-Identifier: Apache-2.0
// An edition as a comparison sees it: of every row only what a change can be told by, so that
// two sheets of a hundred thousand rows fit in memory side by side; its rows by key, their order,
// and the ids that an entry had in another edition; and how two of them compare.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sheet/changes.h"
#include "sheet/measures.h"
#include "sheet/money.h"
#include "sheet/plan.h"
#include "support/json.h"

namespace sizesheet {

struct Row;
struct Sheet;
struct SheetHead;

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
  bool knows_services = false;    ///< it was made with rates of services
};

/// `side.gpu_name` holds the id; edition_of() replaces it by the short name.
EditionRow edition_row(const Row& row);

Edition edition_of(const Sheet& sheet, const std::string& file);
/// The edition that these rows and all else of a sheet make.
Edition edition_of(SheetHead head, std::vector<EditionRow> rows, const std::string& file);

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

}  // namespace sizesheet
