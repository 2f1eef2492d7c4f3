// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/whole_entries.h"

#include <algorithm>
#include <array>
#include <set>

namespace sizesheet {
namespace {

/// What an entry may be, in the order in which a row is told by it.
struct Kind {
  const char* of;
  std::string EditionRow::*in_row;
  std::string Change::*in_change;
};
constexpr std::array<Kind, 4> kKinds{{{"model", &EditionRow::model, &Change::model},
                                      {"gpu", &EditionRow::gpu, &Change::gpu},
                                      {"method", &EditionRow::method, &Change::method},
                                      {"scenario", &EditionRow::scenario, &Change::scenario}}};

std::set<std::string> ids_in(const Edition& edition, std::string EditionRow::*id) {
  std::set<std::string> ids;
  for (const EditionRow& row : edition.rows) ids.insert(row.*id);
  return ids;
}

void add_entries(const Kind& kind, const std::set<std::string>& these,
                 const std::set<std::string>& those, const char* how, SheetChanges& changes) {
  for (const std::string& id : these) {
    if (!those.contains(id)) changes.entries.push_back({kind.of, id, how, 0, 0});
  }
}

/// The place of the entry that tells of `change`; the size where none does.
std::size_t place_of(const std::vector<EntryChange>& entries, const Change& change) {
  if (change.kind != "added" && change.kind != "removed") return entries.size();
  for (const Kind& kind : kKinds) {
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const EntryChange& entry) {
      return entry.of == kind.of && entry.how == change.kind && entry.id == change.*kind.in_change;
    });
    if (found != entries.end()) return static_cast<std::size_t>(found - entries.begin());
  }
  return entries.size();
}

}  // namespace

void find_whole_entries(const Edition& old_edition, const Edition& new_edition,
                        SheetChanges& changes) {
  for (const Kind& kind : kKinds) {
    const std::set<std::string> before = ids_in(old_edition, kind.in_row);
    const std::set<std::string> after = ids_in(new_edition, kind.in_row);
    add_entries(kind, after, before, "added", changes);
    add_entries(kind, before, after, "removed", changes);
  }
  for (const Change& change : changes.changes) {
    const std::size_t place = place_of(changes.entries, change);
    if (place == changes.entries.size()) continue;
    EntryChange& entry = changes.entries[place];
    ++(change.of == "pick" ? entry.picks : entry.rows);
  }
  std::erase_if(changes.entries,
                [](const EntryChange& entry) { return entry.rows + entry.picks == 0; });
}

const EntryChange* whole_entry(const SheetChanges& changes, const Change& change) {
  const std::size_t place = place_of(changes.entries, change);
  return place == changes.entries.size() ? nullptr : &changes.entries[place];
}

}  // namespace sizesheet
