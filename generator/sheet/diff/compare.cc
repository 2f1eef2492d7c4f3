// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/compare.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "cost/rent.h"
#include "sheet/diff/causes.h"
#include "sheet/diff/edition.h"
#include "support/error.h"

namespace sizesheet {
namespace {

/// A change as it will be sorted: how severe, a pick before a row, the order of NEW, the key.
using Rank = std::tuple<std::size_t, bool, std::array<std::size_t, 4>, std::string>;

Rank rank_of(const Change& change, const NewOrder& order) {
  const auto severity = static_cast<std::size_t>(&change_kind(change.kind) - change_kinds().data());
  return {severity, change.of == "row",
          order.place(change.model, change.method, change.gpu, change.scenario), change.key};
}

void set_kinds(std::vector<std::string> kinds, Change& change) {
  change.kind = kinds.front();
  change.level = change_kind(change.kind).level;
  change.also.assign(kinds.begin() + 1, kinds.end());
}

Change row_change(const EditionRow& named) {
  Change change;
  change.key = named.key();
  change.of = "row";
  change.model = named.model;
  change.method = named.method;
  change.gpu = named.gpu;
  change.scenario = named.scenario;
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
        order_(old_edition, new_edition) {
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
        add_one_sided(row, "added");
      }
    }
    for (const EditionRow& row : old_.rows) {
      if (new_rows_.find(row.key()) == nullptr) add_one_sided(row, "removed");
    }
    compare_all_picks();
    sort_changes();
    find_whole_entries(old_, new_, changes_);
    return std::move(changes_);
  }

 private:
  std::optional<ChangeEffects> count_run(const EditionRow& before, const EditionRow& after) {
    try {
      const auto effects = row_effects(before.side, after.side);
      add_run(before.side, after.side, effects, changes_.row_totals);
      return effects;
    } catch (const std::overflow_error&) {
      throw InputError(new_.file + ": row " + after.key() +
                       ": expected dollars that can be added up, got more than 9.2e12");
    }
  }

  void compare_rows(const EditionRow& before, const EditionRow& after) {
    const auto effects = count_run(before, after);
    std::vector<std::string> kinds = row_kinds(before, after, changes_.thresholds);
    const bool renamed = before.side.row_key != after.side.row_key;
    if (renamed) kinds.push_back("renamed");
    if (kinds.empty()) return count_quiet(differ(before, after), changes_.rows);
    Change change = row_change(after);
    if (renamed) change.was = before.side.row_key;
    set_kinds(std::move(kinds), change);
    change.old_side = before.side;
    change.new_side = after.side;
    change.terms = term_changes(before, after, changes_.thresholds);
    change.effects_usd = effects;
    keep_row(std::move(change));
  }

  void add_one_sided(const EditionRow& row, const char* kind) {
    Change change = row_change(row);
    set_kinds({kind}, change);
    (change.kind == "added" ? change.new_side : change.old_side) = row.side;
    keep_row(std::move(change));
  }

  void keep_row(Change change) {
    count_change(change, changes_.rows, changes_.row_kinds);
    changes_.changes.push_back(std::move(change));
  }

  void compare_all_picks() {
    std::map<std::string, const EditionPick*> before;
    for (const EditionPick& pick : old_.picks) before[pick.model + "/" + pick.method] = &pick;
    for (const EditionPick& pick : new_.picks) {
      const auto entry = before.find(pick.model + "/" + pick.method);
      if (entry == before.end()) {
        add_one_sided_pick(pick, new_rows_, "added");
        continue;
      }
      compare_picks(*entry->second, pick);
      before.erase(entry);
    }
    for (const auto& [key, pick] : before) add_one_sided_pick(*pick, old_rows_, "removed");
  }

  static const EditionRow* row_at(const RowIndex& rows, const std::optional<std::string>& key) {
    return key ? rows.find(*key) : nullptr;
  }

  /// Kinds of a pick that one side lacks: nothing holds there, or what holds has no price.
  std::string one_side(const EditionPick& before, const EditionPick& after, bool came) const {
    const bool held = old_rows_.any_holds(before.model, before.method, before.scenario);
    const bool holds = new_rows_.any_holds(after.model, after.method, after.scenario);
    if (came) return held ? "appeared" : "now_fits";
    return holds ? "vanished" : "no_longer_fits";
  }

  std::vector<std::string> kinds_of(const EditionPick& before, const EditionPick& after,
                                    const EditionRow* from, const EditionRow* to) const {
    std::vector<std::string> kinds;
    if (from != nullptr && to != nullptr) kinds = pick_kinds(*from, *to, changes_.thresholds);
    if ((from == nullptr) != (to == nullptr)) {
      kinds.push_back(one_side(before, after, from == nullptr));
    }
    if (buys_another_card(before, after)) kinds.push_back("buy_type_changed");
    return kinds;
  }

  bool buys_another_card(const EditionPick& before, const EditionPick& after) const {
    const EditionRow* bought = row_at(old_rows_, before.buy_key);
    const EditionRow* buys = row_at(new_rows_, after.buy_key);
    return bought != nullptr && buys != nullptr && bought->gpu != buys->gpu;
  }

  void compare_picks(const EditionPick& before, const EditionPick& after) {
    const EditionRow* from = row_at(old_rows_, before.rent_key);
    const EditionRow* to = row_at(new_rows_, after.rent_key);
    const auto effects = effects_of_picks(from, to);
    if (effects) add_run(from->side, to->side, effects, changes_.pick_totals);
    std::vector<std::string> kinds = kinds_of(before, after, from, to);
    if (kinds.empty()) {
      const bool differs = from != nullptr && to != nullptr && differ(*from, *to);
      return count_quiet(differs, changes_.picks);
    }
    Change change = pick_change(after);
    set_kinds(std::move(kinds), change);
    if (from != nullptr) change.old_side = from->side;
    if (to != nullptr) change.new_side = to->side;
    if (buys_another_card(before, after)) {
      change.old_bought = row_at(old_rows_, before.buy_key)->side;
      change.new_bought = row_at(new_rows_, after.buy_key)->side;
    }
    change.effects_usd = effects;
    keep_pick(std::move(change));
  }

  std::optional<ChangeEffects> effects_of_picks(const EditionRow* from,
                                                const EditionRow* to) const {
    if (from == nullptr || to == nullptr) return std::nullopt;
    if (from->key() == to->key()) return row_effects(from->side, to->side);
    const EditionRow* then = old_rows_.find(to->key());
    return pick_effects(from->side, then != nullptr ? &then->side : nullptr, to->side);
  }

  static Change pick_change(const EditionPick& pick) {
    Change change;
    change.key = pick.model + "/" + pick.method;
    change.of = "pick";
    change.model = pick.model;
    change.method = pick.method;
    change.scenario = pick.scenario;
    return change;
  }

  void add_one_sided_pick(const EditionPick& pick, const RowIndex& rows, const char* kind) {
    Change change = pick_change(pick);
    set_kinds({kind}, change);
    const EditionRow* row = row_at(rows, pick.rent_key);
    if (row != nullptr) (change.kind == "added" ? change.new_side : change.old_side) = row->side;
    keep_pick(std::move(change));
  }

  void keep_pick(Change change) {
    count_change(change, changes_.picks, changes_.pick_kinds);
    changes_.changes.push_back(std::move(change));
  }

  void sort_changes() {
    std::vector<std::pair<Rank, std::size_t>> ranked;
    ranked.reserve(changes_.changes.size());
    for (const Change& change : changes_.changes) {
      ranked.emplace_back(rank_of(change, order_), ranked.size());
    }
    std::sort(ranked.begin(), ranked.end());
    std::vector<Change> sorted;
    sorted.reserve(ranked.size());
    for (const auto& [rank, at] : ranked) sorted.push_back(std::move(changes_.changes[at]));
    changes_.changes = std::move(sorted);
  }

  const Edition& old_;
  const Edition& new_;
  RowIndex old_rows_;
  RowIndex new_rows_;
  NewOrder order_;
  SheetChanges changes_;
};

}  // namespace

SheetChanges compare_editions(const Edition& old_edition, const Edition& new_edition,
                              const ChangeThresholds& thresholds) {
  const Renames renames = renames_between(old_edition, new_edition);
  if (renames.none()) return Comparison(old_edition, new_edition, thresholds).run();
  const Edition old_renamed = under_new_names(old_edition, renames);
  return Comparison(old_renamed, new_edition, thresholds).run();
}

SheetChanges diff_editions(const Edition& old_edition, const Edition& new_edition,
                           const DiffOptions& options) {
  SheetChanges changes = compare_editions(old_edition, new_edition, options.thresholds);
  find_causes(old_edition, new_edition, options.jobs, changes);
  return changes;
}

void count_change(const Change& change, ChangeCounts& counts,
                  std::map<std::string, std::int64_t>& kinds) {
  ++counts.compared;
  if (change.level == "breaking") ++counts.breaking;
  if (change.level == "notable") ++counts.notable;
  if (change.level == "detail") ++counts.detail;
  ++kinds[change.kind];
  for (const std::string& kind : change.also) ++kinds[kind];
}

void count_quiet(bool differs, ChangeCounts& counts) {
  ++counts.compared;
  ++(differs ? counts.below_threshold : counts.unchanged);
}

void add_run(const ChangeSide& old_side, const ChangeSide& new_side,
             const std::optional<ChangeEffects>& effects, ChangeTotals& totals) {
  if (!effects) return;
  ++totals.comparable;
  totals.old_usd += *old_side.list_usd_per_run;
  totals.new_usd += *new_side.list_usd_per_run;
  (effects->total.value > 0 ? totals.up_usd : totals.down_usd) += effects->total;
  totals.effects += *effects;
}

namespace {

bool knows_run(const ChangeSide& side) {
  return side.list_usd_per_run && side.usd_per_instance_hour && side.hours;
}

MicroUsd run_of(MicroUsd per_instance_hour, std::int64_t instances, double hours) {
  return run_cost(per_instance_hour * instances, round_hours(hours));
}

}  // namespace

std::optional<ChangeEffects> row_effects(const ChangeSide& old_side, const ChangeSide& new_side) {
  if (!knows_run(old_side) || !knows_run(new_side)) return std::nullopt;
  const MicroUsd price = *old_side.usd_per_instance_hour;
  const MicroUsd start = *old_side.list_usd_per_run;
  const MicroUsd end = *new_side.list_usd_per_run;
  const MicroUsd other_hours = run_of(price, old_side.instances, *new_side.hours);
  const MicroUsd other_count = run_of(price, new_side.instances, *new_side.hours);
  ChangeEffects effects;
  effects.time = other_hours - start;
  effects.quantity = other_count - other_hours;
  effects.price = end - other_count;
  effects.total = end - start;
  return effects;
}

std::optional<ChangeEffects> pick_effects(const ChangeSide& old_pick,
                                          const ChangeSide* new_pick_in_old,
                                          const ChangeSide& new_pick) {
  if (!knows_run(old_pick) || !knows_run(new_pick)) return std::nullopt;
  ChangeEffects effects;
  MicroUsd start = *new_pick.list_usd_per_run;
  if (new_pick_in_old != nullptr && knows_run(*new_pick_in_old)) {
    effects = *row_effects(*new_pick_in_old, new_pick);
    start = *new_pick_in_old->list_usd_per_run;
  }
  effects.mix = start - *old_pick.list_usd_per_run;
  effects.total = *new_pick.list_usd_per_run - *old_pick.list_usd_per_run;
  return effects;
}

ChangeEffects& operator+=(ChangeEffects& sum, const ChangeEffects& more) {
  sum.price += more.price;
  sum.quantity += more.quantity;
  sum.time += more.time;
  sum.mix += more.mix;
  sum.total += more.total;
  return sum;
}

}  // namespace sizesheet
