// SPDX-License-Identifier: Apache-2.0
// Rows of an edition by key, and ids under the names of another edition.
#include <algorithm>

#include "sheet/diff/edition.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet {
namespace {

using Names = std::map<std::string, std::string>;
using Listed = std::vector<EditionName>;

bool has(const Listed& names, const std::string& id) {
  return std::any_of(names.begin(), names.end(),
                     [&](const EditionName& name) { return name.id == id; });
}

/// {earlier id, later id} of the entries that only `later` has and whose earlier id only `earlier`
/// has.
std::vector<std::pair<std::string, std::string>> renamed(const Listed& earlier,
                                                         const Listed& later) {
  std::vector<std::pair<std::string, std::string>> ids;
  for (const EditionName& name : later) {
    if (has(earlier, name.id)) continue;
    for (const std::string& was : name.was) {
      if (has(earlier, was) && !has(later, was)) ids.emplace_back(was, name.id);
    }
  }
  return ids;
}

void rename(std::string& id, const Names& names) {
  const auto entry = names.find(id);
  if (entry != names.end()) id = entry->second;
}

void rename_row(EditionRow& row, const Renames& renames) {
  for (const RowPart& part : kRowParts) rename(row.*part.row, renames.*part.renamed);
  row.side.gpu = row.gpu;
  // provider/region/instance/gpu/tier/gpus/as_of, from the end: an instance may have a '/'
  std::vector<std::string> parts = split(row.side.price_key, '/');
  if (parts.size() < 7) return;
  rename(parts[parts.size() - 4], renames.gpus);
  row.side.price_key = join(parts, "/");
}

void rename_key(std::optional<std::string>& key, const Renames& renames) {
  if (!key) return;
  std::vector<std::string> ids = split(*key, '/');
  if (ids.size() != kRowParts.size()) return;
  for (std::size_t i = 0; i < ids.size(); ++i) rename(ids[i], renames.*kRowParts[i].renamed);
  key = join(ids, "/");
}

}  // namespace

RowIndex::RowIndex(const Edition& edition) {
  rows_.reserve(edition.rows.size());
  for (const EditionRow& row : edition.rows) {
    if (!rows_.emplace(row.key(), &row).second) {
      throw InputError(edition.file + ":/rows: expected a key that stands once, got " +
                       in_quotes(row.key()) + " again");
    }
    holds_[row.model + "/" + row.method + "/" + row.scenario] |= row.side.holds();
  }
}

const EditionRow* RowIndex::find(const std::optional<std::string>& key) const {
  const auto entry = key ? rows_.find(*key) : rows_.end();
  return entry == rows_.end() ? nullptr : entry->second;
}

bool RowIndex::any_holds(const EditionPick& pick) const {
  const auto entry = holds_.find(pick.key() + "/" + pick.scenario);
  return entry != holds_.end() && entry->second;
}

const EditionTerm* EditionRow::term(const std::string& name) const {
  return entry_with(terms, &EditionTerm::name, name);
}

bool Renames::none() const {
  return std::all_of(kRowParts.begin(), kRowParts.end(),
                     [&](const RowPart& part) { return (this->*part.renamed).empty(); });
}

Renames renames_between(const Edition& old_edition, const Edition& new_edition) {
  Renames renames;
  for (const RowPart& part : kRowParts) {
    Names& names = renames.*part.renamed;
    const Listed& before = old_edition.*part.listed;
    const Listed& after = new_edition.*part.listed;
    for (const auto& [was, id] : renamed(before, after)) names.emplace(was, id);
    for (const auto& [was, id] : renamed(after, before)) names.emplace(id, was);
  }
  return renames;
}

Edition under_new_names(Edition edition, const Renames& renames) {
  if (renames.none()) return edition;
  for (const RowPart& part : kRowParts) {
    const Names& names = renames.*part.renamed;
    for (EditionName& name : edition.*part.listed) rename(name.id, names);
    for (EditionPick& pick : edition.picks) {
      if (part.pick != nullptr) rename(pick.*part.pick, names);
    }
  }
  for (EditionRow& row : edition.rows) rename_row(row, renames);
  if (edition.plan) {
    for (PlanKindLine& kind : edition.plan->kinds) {
      rename(kind.model, renames.models);
      rename(kind.method, renames.methods);
    }
  }
  for (EditionPick& pick : edition.picks) {
    rename_key(pick.rent_key, renames);
    rename_key(pick.buy_key, renames);
    rename_key(pick.next_key, renames);
  }
  return edition;
}

}  // namespace sizesheet
