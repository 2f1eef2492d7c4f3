// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/row_kinds.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

#include "catalog/prices/purchase.h"
#include "sheet/changes.h"
#include "sheet/diff/edition.h"
#include "sheet/diff/run_effects.h"
#include "sheet/measures.h"
#include "sheet/services.h"
#include "sizing/memory/verdict.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

using Kinds = std::vector<std::string>;

/// How a figure may move, as kinds of change; "" is not told.
struct MoveKinds {
  const char* more;
  const char* less;
  const char* came;
  const char* went;
};

constexpr MoveKinds kRent{"dearer", "cheaper", "appeared", "vanished"};

constexpr MoveKinds kOwn{"own_dearer", "own_cheaper", "own_appeared", "own_vanished"};

constexpr MoveKinds kHours{"slower", "faster", "", ""};

constexpr MoveKinds kBreakEven{"break_even_moved", "break_even_moved", "", ""};

constexpr MoveKinds kBreakEvenOrNever{"break_even_moved", "break_even_moved", "break_even_moved",
                                      "break_even_moved"};

bool reaches(double move, double of, double share) {
  return move != 0 && std::abs(move) >= share * std::abs(of);
}

bool moved(double from, double to, double share) { return reaches(to - from, from, share); }

bool moved(MicroUsd from, MicroUsd to, double share) {
  return reaches(to_usd(to - from), to_usd(from), share);
}

template <typename T>
void add_move(const std::optional<T>& from, const std::optional<T>& to, double share,
              const MoveKinds& ends, Kinds& kinds) {
  std::string kind;
  if (from && to && moved(*from, *to, share)) kind = *to > *from ? ends.more : ends.less;
  if (from && !to) kind = ends.went;
  if (!from && to) kind = ends.came;
  if (!kind.empty()) kinds.push_back(kind);
}

/// Price, count or time moved by the threshold although the sum did not.
bool offsetting(const EditionRow& old_row, const EditionRow& new_row, double share) {
  const auto moving = [](const ChangeSide& side) {
    return std::tie(side.usd_per_instance_hour, side.instances, side.gpus_billed, side.hours);
  };
  const auto move = row_move(&old_row, &new_row);
  if (!move || moving(old_row.side) == moving(new_row.side)) return false;
  const ChangeEffects effects = effects_of(*move);
  const double amount = to_usd(*old_row.side.list_usd_per_run);
  for (const MicroUsd part : {effects.price, effects.quantity, effects.time}) {
    if (reaches(to_usd(part), amount, share)) return true;
  }
  return false;
}

/// A run is rented, or an hour where the hours of a run are not known on both sides.
void add_rent_kinds(const EditionRow& old_row, const EditionRow& new_row, double share,
                    Kinds& kinds) {
  const ChangeSide& from = old_row.side;
  const ChangeSide& to = new_row.side;
  const bool runs = from.list_usd_per_run && to.list_usd_per_run;
  const auto& before = runs ? from.list_usd_per_run : from.list_usd_per_hour;
  const auto& after = runs ? to.list_usd_per_run : to.list_usd_per_hour;
  const std::size_t told = kinds.size();
  add_move(before, after, share, kRent, kinds);
  const bool same_sum = before && after && kinds.size() == told;
  if (same_sum && from.gpus == to.gpus && offsetting(old_row, new_row, share)) {
    kinds.push_back("offsetting");
  }
}

/// Only between editions whose demand somebody states.
void add_decision_kind(const ChangeSide& from, const ChangeSide& to, Kinds& kinds) {
  if (from.decision && to.decision && *from.decision != *to.decision) {
    kinds.push_back("advice_flipped");
  }
}

/// What it costs to own, from when that pays, and what a demand decides.
void add_own_kinds(const ChangeSide& from, const ChangeSide& to, const ChangeThresholds& limits,
                   Kinds& kinds) {
  const bool advised = from.advice && to.advice;  // an absent break-even then means "never"
  add_move(from.own_usd_per_month, to.own_usd_per_month, limits.usd_share, kOwn, kinds);
  add_decision_kind(from, to, kinds);
  add_move(from.break_even_hours_per_month, to.break_even_hours_per_month, limits.hours_share,
           advised ? kBreakEvenOrNever : kBreakEven, kinds);
}

/// A machine to own is the same in each row of a model and method, and is told once, of the pick.
bool owns_own_gpus(const ChangeSide& from, const ChangeSide& to) {
  return from.machine.empty() && to.machine.empty();
}

void add_money(const EditionRow& old_row, const EditionRow& new_row, const ChangeThresholds& limits,
               Kinds& kinds) {
  const ChangeSide& from = old_row.side;
  const ChangeSide& to = new_row.side;
  add_rent_kinds(old_row, new_row, limits.usd_share, kinds);
  add_move(from.hours, to.hours, limits.hours_share, kHours, kinds);
}

void add_fit_kinds(const ChangeSide& from, const ChangeSide& to, Kinds& kinds) {
  if (from.holds() != to.holds()) kinds.push_back(to.holds() ? "now_fits" : "no_longer_fits");
  if (!from.holds() || !to.holds()) return;
  if (from.verdict < to.verdict) kinds.push_back("headroom_low");
  if (to.verdict < from.verdict) kinds.push_back("headroom_back");
  const bool both_fit = from.verdict == Verdict::kFits && to.verdict == Verdict::kFits;
  if (both_fit && from.certain() && to.certain() && *from.certain() != *to.certain()) {
    kinds.push_back(*to.certain() ? "now_certain" : "no_longer_certain");
  }
  const auto fewest = [](const ChangeSide& side) { return side.fewest.value_or(side.gpus); };
  if (fewest(from) != fewest(to)) {
    kinds.push_back(fewest(to) > fewest(from) ? "needs_more" : "needs_less");
  } else if (from.gpus != to.gpus) {
    kinds.push_back("count_changed");
  }
}

/// A chosen count is reported through its run cost. A required count changes cost and hours by
/// itself, so only prices that appeared or vanished are reported.
void add_money_of_counts(const EditionRow& old_row, const EditionRow& new_row,
                         const ChangeThresholds& limits, Kinds& kinds) {
  const ChangeSide& from = old_row.side;
  const ChangeSide& to = new_row.side;
  constexpr MoveKinds kComesOrGoes{"", "", kRent.came, kRent.went};
  if (contains(kinds, std::string("count_changed"))) {
    add_rent_kinds(old_row, new_row, limits.usd_share, kinds);
  } else {
    add_move(from.list_usd_per_hour, to.list_usd_per_hour, 0, kComesOrGoes, kinds);
  }
}

/// Who sells it, and what is owned instead; where both editions say it.
void add_choice_kinds(const ChangeSide& from, const ChangeSide& to, Kinds& kinds) {
  const auto differ = [](const std::string& a, const std::string& b) {
    return !a.empty() && !b.empty() && a != b;
  };
  if (from.gpu == to.gpu && differ(from.provider, to.provider)) kinds.push_back("seller_changed");
  if (from.exposed && to.exposed && *from.exposed != *to.exposed) {
    kinds.push_back("exposure_changed");
  }
  if (differ(from.machine, to.machine)) kinds.push_back("own_machine_changed");
}

/// Figures are told of rows that hold on the same count, words (a grade) of any two rows.
void add_measures(const EditionRow& from, const EditionRow& to, bool figures,
                  const ChangeThresholds& limits, Kinds& kinds) {
  const auto differs = [&](const FigureValue& a, const FigureValue& b) {
    const auto* before = std::get_if<MicroUsd>(&a);
    const auto* after = std::get_if<MicroUsd>(&b);
    return before != nullptr && after != nullptr ? moved(*before, *after, limits.usd_share)
                                                 : a != b;
  };
  for (std::size_t i = 0; i < compared_measures().size(); ++i) {
    if (!figures && !std::holds_alternative<std::string>(to.figures[i])) continue;
    if (differs(from.figures[i], to.figures[i])) kinds.push_back(compared_measures()[i]->change);
  }
}

/// Each once.
Kinds by_severity(Kinds kinds) {
  std::sort(kinds.begin(), kinds.end(),
            [](const std::string& a, const std::string& b) { return severity(a) < severity(b); });
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  return kinds;
}

}  // namespace

Kinds row_kinds(const EditionRow& old_row, const EditionRow& new_row,
                const ChangeThresholds& thresholds) {
  const ChangeSide& from = old_row.side;
  const ChangeSide& to = new_row.side;
  const bool both_hold = from.holds() && to.holds();
  const bool none_holds = !from.holds() && !to.holds();
  const bool same_count = both_hold && from.gpus == to.gpus;
  Kinds kinds;
  add_fit_kinds(from, to, kinds);
  add_measures(old_row, new_row, same_count, thresholds, kinds);
  if (same_count) {
    add_money(old_row, new_row, thresholds, kinds);
    if (owns_own_gpus(from, to)) add_own_kinds(from, to, thresholds, kinds);
    if (from.price_key != to.price_key && from.usd_per_instance_hour && to.usd_per_instance_hour) {
      kinds.push_back("price_date");
    }
  } else if (both_hold) {
    add_money_of_counts(old_row, new_row, thresholds, kinds);
  }
  const auto grown = static_cast<double>(new_row.side.device_bytes - old_row.side.device_bytes);
  const bool memory_moved = reaches(grown, kGiB, thresholds.memory_gib) ||
                            !term_changes(old_row, new_row, thresholds).empty();
  if ((same_count || none_holds) && memory_moved) {
    kinds.push_back("term_changed");
  }
  if (old_row.notes != new_row.notes || (none_holds && from.verdict != to.verdict)) {
    kinds.push_back("note_changed");
  }
  return by_severity(std::move(kinds));
}

Kinds pick_kinds(const EditionRow& old_row, const EditionRow& new_row,
                 const ChangeThresholds& thresholds) {
  const ChangeSide& from = old_row.side;
  const ChangeSide& to = new_row.side;
  Kinds kinds;
  if (from.gpu != to.gpu) {
    kinds.push_back("type_changed");
    add_rent_kinds(old_row, new_row, thresholds.usd_share, kinds);
  } else if (from.gpus != to.gpus) {
    add_fit_kinds(from, to, kinds);
    add_money_of_counts(old_row, new_row, thresholds, kinds);
  } else {
    add_money(old_row, new_row, thresholds, kinds);
  }
  // A machine may stay while the set-up that is rented changes. An older edition without machines
  // to own has figures of another purchase.
  const bool same_set_up = from.gpu == to.gpu && from.gpus == to.gpus;
  const bool both_own = !from.machine.empty() && !to.machine.empty();
  const bool one_side = !from.own_usd_per_month || !to.own_usd_per_month;
  if (both_own || one_side || (owns_own_gpus(from, to) && same_set_up)) {
    add_own_kinds(from, to, thresholds, kinds);
  }
  add_choice_kinds(from, to, kinds);
  return by_severity(std::move(kinds));
}

bool service_moved(const EditionRow& old_row, const EditionRow& new_row,
                   const ChangeThresholds& thresholds) {
  const std::optional<RowService>& from = old_row.side.service;
  const std::optional<RowService>& to = new_row.side.service;
  if (!from || !to) return from.has_value() != to.has_value();
  return from->provider != to->provider ||
         moved(from->usd_per_run, to->usd_per_run, thresholds.usd_share);
}

bool differ(const EditionRow& old_row, const EditionRow& new_row) {
  ChangeSide from = old_row.side;
  const ChangeSide& to = new_row.side;
  from.row_key = to.row_key;  // names are not what a row says
  from.gpu = to.gpu;
  from.gpu_name = to.gpu_name;
  from.service = to.service;  // of picks, see service_moved
  return from != to || old_row.terms != new_row.terms || old_row.figures != new_row.figures ||
         old_row.notes != new_row.notes;
}

std::vector<TermChange> term_changes(const EditionRow& old_row, const EditionRow& new_row,
                                     const ChangeThresholds& thresholds) {
  std::vector<TermChange> changes;
  const auto tell = [&](const EditionTerm& term) {
    const auto before = old_row.bytes_of(term.name);
    const auto after = new_row.bytes_of(term.name);
    const auto move = static_cast<double>(after.value_or(0) - before.value_or(0));
    if (reaches(move, kGiB, thresholds.memory_gib)) {
      changes.push_back({term.name, term.title, before, after});
    }
  };
  for (const EditionTerm& term : new_row.terms) tell(term);
  for (const EditionTerm& term : old_row.terms) {
    if (!new_row.bytes_of(term.name)) tell(term);
  }
  return changes;
}

}  // namespace sizesheet
