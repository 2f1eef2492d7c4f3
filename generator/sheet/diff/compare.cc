// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/compare.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <tuple>

#include "sheet/changes.h"
#include "sheet/diff/edition.h"
#include "sheet/diff/plan_changes.h"
#include "sheet/diff/row_kinds.h"
#include "sheet/diff/run_effects.h"
#include "sheet/money.h"
#include "support/described.h"
#include "support/error.h"
#include "support/money.h"

namespace sizesheet {
namespace {

Change change_of(const EditionRow& row) {
  Change change;
  change.key = row.key();
  change.of = "row";
  for (const RowPart& part : kRowParts) change.*part.change = row.*part.row;
  return change;
}

Change change_of(const Pick& pick) {
  Change change;
  change.key = pick.key();
  change.of = "pick";
  for (const RowPart& part : kRowParts) {
    if (part.pick != nullptr) change.*part.change = pick.*part.pick;
  }
  return change;
}

/// Compares two editions of the same names, one key after the other.
class Comparison {
 public:
  Comparison(const Edition& old_edition, const Edition& new_edition,
             const ChangeThresholds& thresholds)
      : old_(old_edition),
        new_(new_edition),
        old_rows_(old_edition),
        new_rows_(new_edition),
        old_prices_(old_edition) {
    changes_.old_edition = old_edition.label;
    changes_.new_edition = new_edition.label;
    changes_.thresholds = thresholds;
  }

  SheetChanges run() {
    for (const EditionRow& row : new_.rows) {
      const EditionRow* before = old_rows_.find(row.key());
      if (before != nullptr) {
        compare_rows(*before, row);
      } else {
        add_one_sided(change_of(row), "added", &row);
      }
    }
    for (const EditionRow& row : old_.rows) {
      const bool gone = new_rows_.find(row.key()) == nullptr;
      if (gone) add_one_sided(change_of(row), "removed", &row);
    }
    compare_all_picks();
    sort_changes();
    return std::move(changes_);
  }

 private:
  /// What one run did, with the totals that it goes into.
  std::optional<ChangeEffects> count_run(const std::optional<RunMove>& move,
                                         const EditionRow& after, ChangeTotals& totals) const {
    if (!move) return std::nullopt;
    try {
      const ChangeEffects effects = effects_of(*move);
      add_run(*move, effects, totals);
      return effects;
    } catch (const std::overflow_error&) {
      throw InputError(new_.file + ": row " + after.key() +
                       ": expected dollars that can be added up, got more than 9.2e12");
    }
  }

  void compare_rows(const EditionRow& before, const EditionRow& after) {
    const auto effects = count_run(row_move(&before, &after), after, changes_.row_totals);
    std::vector<std::string> kinds = row_kinds(before, after, changes_.thresholds);
    const bool renamed = before.side.row_key != after.side.row_key;
    if (renamed) kinds.push_back("renamed");
    if (kinds.empty()) return count_quiet(differ(before, after), changes_.rows);
    Change change = change_of(after);
    if (renamed) change.was = before.side.row_key;
    change.old_side = before.side;
    change.new_side = after.side;
    change.terms = term_changes(before, after, changes_.thresholds);
    change.effects_usd = effects;
    keep(std::move(change), kinds);
  }

  void compare_all_picks() {
    std::map<std::string, const Pick*> before;
    for (const Pick& pick : old_.picks) before[pick.key()] = &pick;
    for (const Pick& pick : new_.picks) {
      const auto entry = before.find(pick.key());
      if (entry == before.end()) {
        add_one_sided(change_of(pick), "added", new_rows_.find(pick.rent_key));
        continue;
      }
      compare_picks(*entry->second, pick);
      before.erase(entry);
    }
    for (const auto& [key, pick] : before) {
      add_one_sided(change_of(*pick), "removed", old_rows_.find(pick->rent_key));
    }
  }

  void compare_picks(const Pick& before, const Pick& after) {
    const EditionRow* from = old_rows_.find(before.rent_key);
    const EditionRow* to = new_rows_.find(after.rent_key);
    Change change = change_of(after);
    const auto move = pick_move(from, old_rows_.find(after.rent_key), to, old_prices_);
    if (move) change.effects_usd = count_run(move, *to, changes_.pick_totals);
    std::vector<std::string> kinds;
    if (from != nullptr && to != nullptr) kinds = pick_kinds(*from, *to, changes_.thresholds);
    if (from == nullptr && to != nullptr) {
      kinds.push_back(old_rows_.any_holds(before) ? "appeared" : "now_fits");
    }
    if (from != nullptr && to == nullptr) {
      kinds.push_back(new_rows_.any_holds(after) ? "vanished" : "no_longer_fits");
    }
    const EditionRow* bought = old_rows_.find(before.buy_key);
    const EditionRow* buys = new_rows_.find(after.buy_key);
    if (bought != nullptr && buys != nullptr && bought->gpu != buys->gpu) {
      kinds.push_back("buy_type_changed");
      change.old_bought = bought->side;
      change.new_bought = buys->side;
    }
    const EditionRow* comes = old_rows_.runner_up(before);
    const EditionRow* next = new_rows_.runner_up(after);
    if (comes != nullptr && next != nullptr && comes->gpu != next->gpu) {
      kinds.push_back("runner_up_changed");
    }
    if (after.far_below_next && !before.far_below_next) kinds.push_back("far_below_next");
    const bool both_know = old_.knows_services && new_.knows_services;
    if (both_know && from != nullptr && to != nullptr &&
        service_moved(*from, *to, changes_.thresholds)) {
      kinds.push_back("service_moved");
    }
    if (next != nullptr && after.switch_at) {
      change.next = NextPick{next->side.row_key, next->side.gpu_name, *after.switch_at};
    }
    if (kinds.empty()) {
      const bool differs = from != nullptr && to != nullptr && differ(*from, *to);
      return count_quiet(differs, changes_.picks);
    }
    if (from != nullptr) change.old_side = from->side;
    if (to != nullptr) change.new_side = to->side;
    keep(std::move(change), kinds);
  }

  void add_one_sided(Change change, const std::string& kind, const EditionRow* row) {
    if (row != nullptr) (kind == "added" ? change.new_side : change.old_side) = row->side;
    keep(std::move(change), {kind});
  }

  /// Lists and counts a change of these kinds, of which there is one at least.
  void keep(Change change, const std::vector<std::string>& kinds) {
    change.kind = kinds.front();
    change.level = change_kind(change.kind).level;
    change.also.assign(kinds.begin() + 1, kinds.end());
    const bool row = change.of == "row";
    ChangeCounts& counts = row ? changes_.rows : changes_.picks;
    ++counts.compared;
    if (change.level == "breaking") ++counts.breaking;
    if (change.level == "notable") ++counts.notable;
    if (change.level == "detail") ++counts.detail;
    for (const std::string& kind : kinds) ++(row ? changes_.row_kinds : changes_.pick_kinds)[kind];
    changes_.changes.push_back(std::move(change));
  }

  /// Counts a compared key that is not listed.
  static void count_quiet(bool differs, ChangeCounts& counts) {
    ++counts.compared;
    ++(differs ? counts.below_threshold : counts.unchanged);
  }

  /// Adds one run on either side.
  static void add_run(const RunMove& move, const ChangeEffects& effects, ChangeTotals& totals) {
    ++totals.comparable;
    totals.old_usd += move.old_usd;
    totals.new_usd += move.new_usd;
    (effects.total.value > 0 ? totals.up_usd : totals.down_usd) += effects.total;
    for_each_named(effects, totals.effects, [](MicroUsd part, MicroUsd& sum) { sum += part; });
  }

  /// By how severe, a pick before a row, the order of NEW's lists, the key. What only OLD lists
  /// comes behind those, what neither lists last.
  void sort_changes() {
    using Places = std::array<std::size_t, kRowParts.size()>;
    std::array<std::map<std::string, std::size_t>, kRowParts.size()> listed;
    for (const Edition* edition : {&new_, &old_}) {
      for (std::size_t i = 0; i < kRowParts.size(); ++i) {
        for (const EditionName& name : edition->*kRowParts[i].listed) {
          listed[i].emplace(name.id, listed[i].size());
        }
      }
    }
    using Rank = std::tuple<std::size_t, bool, Places, std::string, std::size_t>;
    std::vector<Rank> ranked;
    ranked.reserve(changes_.changes.size());
    for (const Change& change : changes_.changes) {
      Places places{};
      for (std::size_t i = 0; i < kRowParts.size(); ++i) {
        const auto entry = listed[i].find(change.*kRowParts[i].change);
        places[i] = entry == listed[i].end() ? listed[i].size() : entry->second;
      }
      ranked.emplace_back(severity(change.kind), change.of == "row", places, change.key,
                          ranked.size());
    }
    std::sort(ranked.begin(), ranked.end());
    std::vector<Change> sorted;
    sorted.reserve(ranked.size());
    for (const Rank& rank : ranked) {
      sorted.push_back(std::move(changes_.changes[std::get<4>(rank)]));
    }
    changes_.changes = std::move(sorted);
  }

  const Edition& old_;
  const Edition& new_;
  RowIndex old_rows_;
  RowIndex new_rows_;
  OfferPrices old_prices_;
  SheetChanges changes_;
};

// ---- Models, GPU types, methods and scenarios that only one edition has, so that a new model is
// one line and not one for each of its rows.

/// A row is told by its model first, then by its GPU, method, scenario.
constexpr std::array<const RowPart*, kRowParts.size()> kTellingOrder{&kRowParts[0], &kRowParts[2],
                                                                     &kRowParts[1], &kRowParts[3]};

/// Both editions must have the same names for the same things.
void find_whole_entries(const Edition& old_edition, const Edition& new_edition,
                        SheetChanges& changes) {
  const auto ids_in = [](const Edition& edition, const RowPart& part) {
    std::set<std::string> ids;
    for (const EditionRow& row : edition.rows) ids.insert(row.*part.row);
    return ids;
  };
  for (const RowPart* part : kTellingOrder) {
    const std::set<std::string> before = ids_in(old_edition, *part);
    const std::set<std::string> after = ids_in(new_edition, *part);
    for (const std::string& id : after) {
      if (!before.contains(id)) changes.entries.push_back({part->of, id, "added", 0, 0});
    }
    for (const std::string& id : before) {
      if (!after.contains(id)) changes.entries.push_back({part->of, id, "removed", 0, 0});
    }
  }
  for (const Change& change : changes.changes) {
    const EntryChange* told_by = whole_entry(changes, change);
    if (told_by == nullptr) continue;
    EntryChange& entry = changes.entries[static_cast<std::size_t>(told_by - &changes.entries[0])];
    ++(change.of == "pick" ? entry.picks : entry.rows);
  }
  std::erase_if(changes.entries,
                [](const EntryChange& entry) { return entry.rows + entry.picks == 0; });
}

/// NEW's names, and OLD's of what is gone.
void name_entries(const Edition& old_edition, const Edition& new_edition, SheetChanges& changes) {
  for (const Edition* edition : {&new_edition, &old_edition}) {
    for (const RowPart& part : kRowParts) {
      for (const EditionName& name : edition->*part.listed) {
        if (!name.title.empty()) changes.names.emplace(part.of + ("/" + name.id), name.title);
      }
    }
  }
}

}  // namespace

const EntryChange* whole_entry(const SheetChanges& changes, const Change& change) {
  if (change.kind != "added" && change.kind != "removed") return nullptr;
  for (const RowPart* part : kTellingOrder) {
    for (const EntryChange& entry : changes.entries) {
      const bool tells = entry.of == part->of && entry.id == change.*part->change;
      if (tells && entry.how == change.kind) return &entry;
    }
  }
  return nullptr;
}

SheetChanges compare_editions(const Edition& old_edition, const Edition& new_edition,
                              const ChangeThresholds& thresholds) {
  const Renames renames = renames_between(old_edition, new_edition);
  if (!renames.none()) {
    return compare_editions(under_new_names(old_edition, renames), new_edition, thresholds);
  }
  SheetChanges changes = Comparison(old_edition, new_edition, thresholds).run();
  changes.plan = plan_change(old_edition, new_edition, thresholds);
  find_whole_entries(old_edition, new_edition, changes);
  name_entries(old_edition, new_edition, changes);
  return changes;
}

}  // namespace sizesheet
