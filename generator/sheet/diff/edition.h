// SPDX-License-Identifier: Apache-2.0
// An edition as a comparison sees it: of every row only what a change can be told by, so that two
// sheets of a hundred thousand rows fit in memory side by side.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sheet/changes.h"
#include "sheet/money.h"
#include "sheet/sheet.h"

namespace sizesheet {

/// A memory term's bytes on one GPU.
struct EditionTerm {
  std::string name;
  std::string title;
  std::int64_t bytes = 0;
};

struct EditionRow {
  std::string model;
  std::string method;
  std::string gpu;
  std::string scenario;
  ChangeSide side;
  std::vector<EditionTerm> terms;
  /// In the tiers beside the one on demand, in their order.
  std::array<std::optional<MicroUsd>, kRentTiers.size() - 1> other_usd_per_hour;
  std::optional<PriceSpread> spread;
  std::string grade;
  std::vector<std::string> notes;  ///< warnings, and why it was refused

  std::string key() const { return model + "/" + method + "/" + gpu + "/" + scenario; }
};

struct EditionPick {
  std::string model;
  std::string method;
  std::string scenario;
  std::optional<std::string> rent_key;  ///< of a row
  std::optional<std::string> buy_key;   ///< of a row
};

/// An id of this edition, and those it had in earlier ones.
struct EditionName {
  std::string id;
  std::vector<std::string> was;
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
  Json inputs;  ///< as in sheet.json; what a re-sizing starts from
};

EditionRow edition_row(const Row& row, const std::string& gpu_name);

Edition edition_of(const Sheet& sheet, const std::string& file);

/// Reads a sheet.json of this or of an older program (same major): what it lacks is absent. Rows
/// are read one by one, so memory does not grow with their proofs. Throws InputError.
Edition parse_edition(const std::string& text, const std::string& file);
Edition read_edition(const std::filesystem::path& path);

// ---- Rows of an edition by key, and where each stands in the order that a diff is told in.

/// The rows of one edition, which must outlive it. Throws InputError naming a key that stands
/// twice.
class RowIndex {
 public:
  explicit RowIndex(const Edition& edition);

  const EditionRow* find(const std::string& key) const;  ///< nullptr when absent
  /// True where some GPU type holds this model and method in this scenario.
  bool any_holds(const std::string& model, const std::string& method,
                 const std::string& scenario) const;

 private:
  std::unordered_map<std::string, const EditionRow*> rows_;
  std::unordered_map<std::string, bool> holds_;
};

/// The order of NEW's lists; what only OLD has comes after.
class NewOrder {
 public:
  NewOrder(const Edition& old_edition, const Edition& new_edition);

  /// Model, method, GPU, scenario; an id that neither edition lists comes last.
  std::array<std::size_t, 4> place(const std::string& model, const std::string& method,
                                   const std::string& gpu, const std::string& scenario) const;

 private:
  using Ranks = std::map<std::string, std::size_t>;
  Ranks models_;
  Ranks methods_;
  Ranks gpus_;
  Ranks scenarios_;
};

}  // namespace sizesheet
