// SPDX-License-Identifier: Apache-2.0
#include "render/diff/listing.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "sheet/diff/whole_entries.h"
#include "support/text.h"

namespace sizesheet {
namespace {

const std::vector<std::pair<std::string, std::string>>& meanings() {
  static const std::vector<std::pair<std::string, std::string>> kMeanings{
      {"!", "breaks"},  {"↑", "needs more"}, {"↓", "needs less"}, {"*", "fits now"},
      {"~", "changed"}, {"+", "new"},        {"-", "gone"},
  };
  return kMeanings;
}

/// Kinds counted, worst first.
class KindCounts {
 public:
  void add(const std::string& kind, std::int64_t count) { counts_[kind] += count; }

  std::vector<std::pair<std::string, std::int64_t>> worst_first() const {
    std::vector<std::pair<std::string, std::int64_t>> list;
    for (const ChangeKind& kind : change_kinds()) {
      const auto entry = counts_.find(kind.id);
      if (entry != counts_.end()) list.emplace_back(*entry);
    }
    return list;
  }

 private:
  std::map<std::string, std::int64_t> counts_;
};

std::int64_t dollars_of(const Change& change) {
  return change.effects_usd ? std::abs(change.effects_usd->total.value) : -1;
}

}  // namespace

Listing list_changes(const SheetChanges& changes, const std::string& of, std::size_t most) {
  Listing listing;
  for (const Change& change : changes.changes) {
    if (change.of == of && whole_entry(changes, change) == nullptr)
      listing.shown.push_back(&change);
  }
  return most == 0 ? listing : cut(listing, most);
}

Listing cut(const Listing& listing, std::size_t most) {
  Listing shorter;
  KindCounts counts;
  for (const auto& [kind, count] : listing.hidden) counts.add(kind, count);
  for (std::size_t i = 0; i < listing.shown.size(); ++i) {
    if (i < most) {
      shorter.shown.push_back(listing.shown[i]);
    } else {
      counts.add(listing.shown[i]->kind, 1);
    }
  }
  shorter.hidden = counts.worst_first();
  return shorter;
}

std::string hidden_words(const Listing& listing) {
  std::vector<std::string> parts;
  for (const auto& [kind, count] : listing.hidden) {
    parts.push_back(format_integer(count) + (parts.empty() ? " more " : " ") +
                    change_kind(kind).words);
  }
  return join(parts, ", ");
}

SheetChanges by_dollars(SheetChanges changes) {
  std::stable_sort(changes.changes.begin(), changes.changes.end(),
                   [](const Change& a, const Change& b) { return dollars_of(a) > dollars_of(b); });
  return changes;
}

std::vector<const MovedInput*> moved_with_rows_first(const SheetChanges& changes) {
  std::vector<const MovedInput*> moved;
  for (const MovedInput& entry : changes.moved) moved.push_back(&entry);
  std::stable_partition(moved.begin(), moved.end(),
                        [](const MovedInput* entry) { return entry->rows > 0; });
  return moved;
}

std::vector<std::pair<std::string, std::string>> marks_used(const std::vector<Listing>& listings,
                                                            const SheetChanges& changes) {
  std::set<std::string> used;
  for (const Listing& listing : listings) {
    for (const Change* change : listing.shown) used.insert(change_kind(change->kind).mark);
  }
  for (const EntryChange& entry : changes.entries) used.insert(change_kind(entry.how).mark);
  std::vector<std::pair<std::string, std::string>> marks;
  for (const auto& meaning : meanings()) {
    if (used.contains(meaning.first)) marks.push_back(meaning);
  }
  return marks;
}

std::string line_name(const Change& change) {
  const std::string name = change.model + " " + change.method;
  return change.of == "pick" ? name : name + " " + change.gpu;
}

bool many_scenarios(const SheetChanges& changes) {
  std::set<std::string> scenarios;
  for (const Change& change : changes.changes) scenarios.insert(change.scenario);
  return scenarios.size() > 1;
}

}  // namespace sizesheet
