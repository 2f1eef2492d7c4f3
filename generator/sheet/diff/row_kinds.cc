// SPDX-License-Identifier: Apache-2.0
// How a row changed, and what entries came or went whole.

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>

#include "sheet/diff/compare.h"
#include "support/text.h"

namespace sizesheet {
namespace {

using Usd = std::optional<MicroUsd>;
using Kinds = std::vector<std::string>;

/// 2 fits, 1 fits tightly, 0 does not.
int rank_of(const ChangeSide& side) {
  if (side.verdict == "fits") return 2;
  return side.verdict == "tight" ? 1 : 0;
}

bool reaches(double move, double of, double share) {
  return move != 0 && std::abs(move) >= share * std::abs(of);
}

bool moved(const Usd& from, const Usd& to, double share) {
  if (!from || !to) return from.has_value() != to.has_value();
  return reaches(to_usd(*to - *from), to_usd(*from), share);
}

/// What a row costs: a run, or an hour where the hours of a run are not known on both sides.
std::pair<Usd, Usd> amounts(const ChangeSide& from, const ChangeSide& to) {
  if (from.list_usd_per_run && to.list_usd_per_run) {
    return {from.list_usd_per_run, to.list_usd_per_run};
  }
  return {from.list_usd_per_hour, to.list_usd_per_hour};
}

/// Price, count or time moved by the threshold although the sum did not.
bool offsetting(const ChangeSide& from, const ChangeSide& to, double share) {
  const auto moving = [](const ChangeSide& side) {
    return std::tie(side.usd_per_instance_hour, side.instances, side.hours);
  };
  const auto effects = row_effects(from, to);
  if (!effects || moving(from) == moving(to)) return false;
  const double amount = to_usd(*from.list_usd_per_run);
  for (const MicroUsd part : {effects->price, effects->quantity, effects->time}) {
    if (reaches(to_usd(part), amount, share)) return true;
  }
  return false;
}

void add_rent_kinds(const ChangeSide& from, const ChangeSide& to, double share, Kinds& kinds) {
  const auto [before, after] = amounts(from, to);
  if (before && !after) kinds.push_back("vanished");
  if (!before && after) kinds.push_back("appeared");
  if (!before || !after) return;
  if (moved(before, after, share)) {
    kinds.push_back(*after > *before ? "dearer" : "cheaper");
  } else if (from.gpus == to.gpus && offsetting(from, to, share)) {
    kinds.push_back("offsetting");
  }
}

void add_own_kinds(const ChangeSide& from, const ChangeSide& to, double share, Kinds& kinds) {
  const Usd& before = from.own_usd_per_month;
  const Usd& after = to.own_usd_per_month;
  if (before && !after) kinds.push_back("own_vanished");
  if (!before && after) kinds.push_back("own_appeared");
  if (before && after && moved(before, after, share)) {
    kinds.push_back(*after > *before ? "own_dearer" : "own_cheaper");
  }
}

void add_hours_kinds(const ChangeSide& from, const ChangeSide& to, double share, Kinds& kinds) {
  if (!from.hours || !to.hours || !reaches(*to.hours - *from.hours, *from.hours, share)) return;
  kinds.push_back(*to.hours > *from.hours ? "slower" : "faster");
}

void add_break_even_kind(const ChangeSide& from, const ChangeSide& to, double share, Kinds& kinds) {
  const auto& before = from.break_even_hours_per_month;
  const auto& after = to.break_even_hours_per_month;
  const bool both_known = from.advice && to.advice;  // an absent figure then means "never"
  const bool came_or_went = both_known && before.has_value() != after.has_value();
  const bool shifted = before && after && reaches(*after - *before, *before, share);
  if (came_or_went || shifted) kinds.push_back("break_even_moved");
}

bool flipped(const ChangeSide& from, const ChangeSide& to) {
  return from.advice && to.advice && *from.advice != *to.advice;
}

bool spread_moved(const EditionRow& from, const EditionRow& to, double share) {
  if (!from.spread || !to.spread) return from.spread.has_value() != to.spread.has_value();
  return from.spread->providers != to.spread->providers ||
         moved(from.spread->low, to.spread->low, share) ||
         moved(from.spread->median, to.spread->median, share) ||
         moved(from.spread->high, to.spread->high, share);
}

bool other_rent_moved(const EditionRow& from, const EditionRow& to, double share) {
  for (std::size_t tier = 0; tier < from.other_usd_per_hour.size(); ++tier) {
    if (moved(from.other_usd_per_hour[tier], to.other_usd_per_hour[tier], share)) return true;
  }
  return false;
}

bool memory_moved(const EditionRow& from, const EditionRow& to, const ChangeThresholds& limits) {
  const auto least = limits.memory_gib * kGiB;
  const auto move = static_cast<double>(to.side.device_bytes - from.side.device_bytes);
  return (move != 0 && std::abs(move) >= least) || !term_changes(from, to, limits).empty();
}

/// What stays worth telling of a row whose count is the same.
void add_details(const EditionRow& from, const EditionRow& to, const ChangeThresholds& limits,
                 Kinds& kinds) {
  if (other_rent_moved(from, to, limits.usd_share)) kinds.push_back("other_rent_moved");
  if (spread_moved(from, to, limits.usd_share)) kinds.push_back("spread_moved");
  if (memory_moved(from, to, limits)) kinds.push_back("term_changed");
  if (from.side.price_key != to.side.price_key && from.side.usd_per_instance_hour &&
      to.side.usd_per_instance_hour) {
    kinds.push_back("price_date");
  }
}

void add_money(const ChangeSide& from, const ChangeSide& to, const ChangeThresholds& limits,
               Kinds& kinds) {
  add_rent_kinds(from, to, limits.usd_share, kinds);
  add_own_kinds(from, to, limits.usd_share, kinds);
  add_hours_kinds(from, to, limits.hours_share, kinds);
  if (flipped(from, to)) kinds.push_back("advice_flipped");
  add_break_even_kind(from, to, limits.hours_share, kinds);
}

/// A row that needs another count costs and takes something else by that; only what can be told of
/// any two configurations is told.
void add_money_of_another_count(const ChangeSide& from, const ChangeSide& to, Kinds& kinds) {
  if (from.list_usd_per_hour && !to.list_usd_per_hour) kinds.push_back("vanished");
  if (!from.list_usd_per_hour && to.list_usd_per_hour) kinds.push_back("appeared");
  if (flipped(from, to)) kinds.push_back("advice_flipped");
}

void add_fit_kinds(const ChangeSide& from, const ChangeSide& to, Kinds& kinds) {
  const int before = rank_of(from);
  const int after = rank_of(to);
  if (before > 0 && after == 0) kinds.push_back("no_longer_fits");
  if (before == 0 && after > 0) kinds.push_back("now_fits");
  if (before == 2 && after == 1) kinds.push_back("headroom_low");
  if (before == 1 && after == 2) kinds.push_back("headroom_back");
  if (before > 0 && after > 0 && from.gpus != to.gpus) {
    kinds.push_back(to.gpus > from.gpus ? "needs_more" : "needs_less");
  }
}

std::size_t severity(const std::string& kind) {
  const auto& all = change_kinds();
  return static_cast<std::size_t>(&change_kind(kind) - all.data());
}

Kinds by_severity(Kinds kinds) {
  std::sort(kinds.begin(), kinds.end(),
            [](const std::string& a, const std::string& b) { return severity(a) < severity(b); });
  return kinds;
}

const EditionTerm* find_term(const std::vector<EditionTerm>& terms, const std::string& name) {
  const auto found = std::find_if(terms.begin(), terms.end(),
                                  [&](const EditionTerm& term) { return term.name == name; });
  return found == terms.end() ? nullptr : &*found;
}

bool same_terms(const std::vector<EditionTerm>& a, const std::vector<EditionTerm>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const EditionTerm& one, const EditionTerm& other) {
                      return one.name == other.name && one.bytes == other.bytes;
                    });
}

bool same_spread(const std::optional<PriceSpread>& a, const std::optional<PriceSpread>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->low == b->low && a->median == b->median && a->high == b->high &&
         a->providers == b->providers;
}

}  // namespace

Kinds row_kinds(const EditionRow& old_row, const EditionRow& new_row,
                const ChangeThresholds& thresholds) {
  const ChangeSide& from = old_row.side;
  const ChangeSide& to = new_row.side;
  Kinds kinds;
  add_fit_kinds(from, to, kinds);
  if (from.holds() && to.holds() && from.gpus == to.gpus) {
    add_money(from, to, thresholds, kinds);
    add_details(old_row, new_row, thresholds, kinds);
  } else if (from.holds() && to.holds()) {
    add_money_of_another_count(from, to, kinds);
  } else if (!from.holds() && !to.holds() && memory_moved(old_row, new_row, thresholds)) {
    kinds.push_back("term_changed");
  }
  if (old_row.grade != new_row.grade) kinds.push_back("confidence_changed");
  if (old_row.notes != new_row.notes ||
      (!from.holds() && !to.holds() && from.verdict != to.verdict))
    kinds.push_back("note_changed");
  return by_severity(std::move(kinds));
}

Kinds pick_kinds(const EditionRow& old_row, const EditionRow& new_row,
                 const ChangeThresholds& thresholds) {
  const ChangeSide& from = old_row.side;
  const ChangeSide& to = new_row.side;
  Kinds kinds;
  if (from.gpu != to.gpu) {
    kinds.push_back("type_changed");
    add_rent_kinds(from, to, thresholds.usd_share, kinds);
    if (flipped(from, to)) kinds.push_back("advice_flipped");
  } else if (from.gpus != to.gpus) {
    add_fit_kinds(from, to, kinds);
    add_money_of_another_count(from, to, kinds);
  } else {
    add_money(from, to, thresholds, kinds);
  }
  return by_severity(std::move(kinds));
}

bool differ(const EditionRow& old_row, const EditionRow& new_row) {
  ChangeSide from = old_row.side;
  const ChangeSide& to = new_row.side;
  from.row_key = to.row_key;  // names are not what a row says
  from.gpu = to.gpu;
  from.gpu_name = to.gpu_name;
  return !(from == to) || !same_terms(old_row.terms, new_row.terms) ||
         old_row.other_usd_per_hour != new_row.other_usd_per_hour ||
         !same_spread(old_row.spread, new_row.spread) || old_row.grade != new_row.grade ||
         old_row.notes != new_row.notes;
}

std::vector<TermChange> term_changes(const EditionRow& old_row, const EditionRow& new_row,
                                     const ChangeThresholds& thresholds) {
  const double least = thresholds.memory_gib * kGiB;
  const auto worth = [&](std::int64_t bytes) {
    return bytes != 0 && std::abs(static_cast<double>(bytes)) >= least;
  };
  std::vector<TermChange> changes;
  for (const EditionTerm& term : new_row.terms) {
    const EditionTerm* before = find_term(old_row.terms, term.name);
    if (!worth(term.bytes - (before != nullptr ? before->bytes : 0))) continue;
    changes.push_back({term.name, term.title,
                       before != nullptr ? std::optional(before->bytes) : std::nullopt,
                       term.bytes});
  }
  for (const EditionTerm& term : old_row.terms) {
    if (find_term(new_row.terms, term.name) != nullptr || !worth(term.bytes)) continue;
    changes.push_back({term.name, term.title, term.bytes, std::nullopt});
  }
  return changes;
}

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
