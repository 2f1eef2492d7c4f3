// SPDX-License-Identifier: Apache-2.0
// What changed between two editions, as plain values: counted, ordered, with causes and with the
// dollars that each effect moved. Nothing here is formatted; unknown is absent.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sheet/decision.h"
#include "sheet/plan.h"
#include "sheet/services.h"
#include "sizing/memory/verdict.h"
#include "support/described.h"
#include "support/money.h"

namespace sizesheet {

/// Which edition a side of the comparison is.
struct EditionLabel {
  std::string title;
  std::string edition;      ///< "2026-Q4"
  std::string as_of;        ///< YYYY-MM-DD, the sheet's clock
  std::string price_as_of;  ///< newest date among the prices that the picks use
  std::string catalog_hash;
  std::string tool_version;
};
BOOST_DESCRIBE_STRUCT(EditionLabel, (),
                      (title, edition, as_of, price_as_of, catalog_hash, tool_version))

/// Below these a move is counted but not listed.
struct ChangeThresholds {
  double usd_share = 0.01;    ///< of the old amount
  double hours_share = 0.02;  ///< of the old hours
  double memory_gib = 0.1;
};
BOOST_DESCRIBE_STRUCT(ChangeThresholds, (), (usd_share, hours_share, memory_gib))

/// One side of a change: a row as it stood, or the row that was picked.
struct ChangeSide {
  std::string row_key;
  std::string gpu;
  std::string gpu_name;  ///< short name
  Verdict verdict = Verdict::kUnknown;
  std::int64_t gpus = 0;
  std::int64_t device_bytes = 0;       ///< of one GPU
  std::int64_t capacity_bytes = 0;     ///< of one GPU
  std::int64_t device_high_bytes = 0;  ///< upper end of its range; 0: not known
  std::optional<double> hours;         ///< of a run, multiples of 0.0001
  std::string price_key;               ///< "" without a list price
  std::int64_t instances = 0;
  std::int64_t gpus_billed = 0;  ///< in those instances: at least `gpus`; 0 without a list price
  std::optional<MicroUsd> usd_per_instance_hour;
  std::optional<MicroUsd> list_usd_per_hour;
  std::optional<MicroUsd> list_usd_per_run;
  std::optional<MicroUsd> list_usd_per_run_high;  ///< at the upper end of its hours
  std::optional<MicroUsd> own_usd_per_month;
  std::optional<double> break_even_hours_per_month;
  std::optional<std::string> advice;    ///< buy | rent, at planned hours
  std::optional<std::string> decision;  ///< buy | close | rent, where a demand is stated
  std::string advice_price_key;         ///< of the rent that it compares with; no form shows it
  std::optional<std::int64_t> fewest;   ///< GPUs on offer that hold it; absent: as `gpus`
  std::string provider;                 ///< of the lowest offer; "" where it is not known
  std::optional<bool> exposed;          ///< one seller
  std::string machine;                  ///< to own: "2 × 8x B200 node"; "" where it is not known
  std::string machine_id;               ///< of that machine; no form shows it
  std::optional<RowService> service;    ///< the cheapest; absent where none is known

  bool holds() const { return sizesheet::holds(verdict); }
  std::optional<bool> certain() const { return is_certain(device_high_bytes, capacity_bytes); }
  /// 0 without a list price.
  std::int64_t gpus_per_instance() const { return instances > 0 ? gpus_billed / instances : 0; }
  bool operator==(const ChangeSide&) const = default;
};
BOOST_DESCRIBE_STRUCT(ChangeSide, (),
                      (row_key, gpu, gpu_name, verdict, gpus, device_bytes, capacity_bytes,
                       device_high_bytes, hours, price_key, instances, gpus_billed,
                       usd_per_instance_hour, list_usd_per_hour, list_usd_per_run,
                       list_usd_per_run_high, own_usd_per_month, break_even_hours_per_month, advice,
                       decision, fewest, provider, exposed, machine, service))

/// How the dollars of one run (or of many) moved. The parts add up to the total exactly.
struct ChangeEffects {
  MicroUsd price;     ///< (p1 - p0) n1 h1: dollars per GPU-hour
  MicroUsd quantity;  ///< p0 (n1 - n0) h1: GPUs billed
  MicroUsd time;      ///< p0 n0 (h1 - h0): hours
  MicroUsd mix;  ///< another card, seller or count was picked: its old cost less the old pick's
  MicroUsd total;

  bool operator==(const ChangeEffects&) const = default;
};
BOOST_DESCRIBE_STRUCT(ChangeEffects, (), (price, quantity, time, mix, total))

/// A memory term that moved; absent on a side that lacks it.
struct TermChange {
  std::string name;
  std::string title;
  std::optional<std::int64_t> old_bytes;
  std::optional<std::int64_t> new_bytes;

  bool operator==(const TermChange&) const = default;
};
BOOST_DESCRIBE_STRUCT(TermChange, (), (name, title, old_bytes, new_bytes))

/// What comes next to a pick, and how far it is from winning.
struct NextPick {
  std::string row_key;
  std::string gpu_name;
  PickSwitch at;

  bool operator==(const NextPick&) const = default;
};
BOOST_DESCRIBE_STRUCT(NextPick, (), (row_key, gpu_name, at))

/// One row or one pick that differs. `kind` and `also` are ids of `change_kinds()`.
struct Change {
  std::string key;     ///< model/method/gpu/scenario of a row, model/method of a pick; NEW's names
  std::string was;     ///< its key in OLD where an id was renamed, else ""
  std::string of;      ///< row | pick
  std::string model;   ///< id
  std::string method;  ///< id
  std::string gpu;     ///< id; "" for a pick
  std::string scenario;           ///< id
  std::string kind;               ///< the most severe
  std::string level;              ///< breaking | notable | detail
  std::vector<std::string> also;  ///< what else changed, most severe first
  std::optional<ChangeSide> old_side;
  std::optional<ChangeSide> new_side;
  std::optional<ChangeSide> old_bought;  ///< where a pick buys another card: the rows it buys by
  std::optional<ChangeSide> new_bought;
  std::vector<TermChange> terms;             ///< of a row: those that moved by the threshold
  std::vector<std::string> cause;            ///< groups of inputs; empty where causes are not known
  std::vector<std::string> because;          ///< ids in `SheetChanges::moved`
  std::optional<ChangeEffects> effects_usd;  ///< of one run; absent where a side has no price
  std::optional<NextPick> next;              ///< of a pick, in NEW

  bool is(const std::string& id) const;    ///< kind or one of also
  std::vector<std::string> kinds() const;  ///< kind, then what is also

  static constexpr Key kKeys[] = {{"old_side", "old"}, {"new_side", "new"}};
};
BOOST_DESCRIBE_STRUCT(Change, (),
                      (key, was, of, model, method, gpu, scenario, kind, level, also, old_side,
                       new_side, terms, cause, because, effects_usd, next))

/// An entry of the catalog, or of the sheet's specification, that differs.
struct MovedInput {
  std::string id;     ///< "prices:runpod/…", unique
  std::string group;  ///< prices | gpus | models | methods | workload | ownership | services …
  std::string what;   ///< "runpod h100-sxm on_demand"
  std::string field;  ///< JSON pointer inside the entry; "" when the whole entry came or went
  std::string how;    ///< changed | added | removed
  std::string old_value;  ///< JSON text; "" where it came
  std::string new_value;
  std::string unit;       ///< "$/h", or ""
  std::string old_as_of;  ///< date of the entry, or ""
  std::string new_as_of;
  std::string source;      ///< of the newer entry
  std::int64_t rows = 0;   ///< rows whose change names it
  std::int64_t picks = 0;  ///< picks whose change names it

  bool operator==(const MovedInput&) const = default;

  static constexpr Key kKeys[] = {{"old_value", "old"}, {"new_value", "new"}};
};
BOOST_DESCRIBE_STRUCT(MovedInput, (),
                      (id, group, what, field, how, old_value, new_value, unit, old_as_of,
                       new_as_of, source, rows, picks))

/// Of rows, or of picks. The last five add up to `compared`.
struct ChangeCounts {
  std::int64_t compared = 0;  ///< keys on either side
  std::int64_t breaking = 0;
  std::int64_t notable = 0;
  std::int64_t detail = 0;
  std::int64_t unchanged = 0;
  std::int64_t below_threshold = 0;
};

/// One run of each row (or pick) that has a price on both sides, those below threshold too.
struct ChangeTotals {
  std::int64_t comparable = 0;
  MicroUsd old_usd;
  MicroUsd new_usd;
  MicroUsd up_usd;    ///< sum of the increases
  MicroUsd down_usd;  ///< sum of the decreases, negative
  ChangeEffects effects;

  static constexpr Key kKeys[] = {{"effects", "effects_usd"}};
};
BOOST_DESCRIBE_STRUCT(ChangeTotals, (), (comparable, old_usd, new_usd, up_usd, down_usd, effects))

/// What one group of inputs did, switched to NEW after the groups before it.
struct CauseTotal {
  std::string group;
  std::int64_t rows = 0;   ///< changed rows that name it
  std::int64_t picks = 0;  ///< changed picks that name it
  MicroUsd usd;            ///< of one run of each comparable pick; all groups add up to the total
};
BOOST_DESCRIBE_STRUCT(CauseTotal, (), (group, rows, picks, usd))

/// A model, GPU type, method or scenario that only one edition has, with the added or removed rows
/// and picks that belong to it. Each row and pick belongs to at most one entry.
struct EntryChange {
  std::string of;  ///< model | gpu | method | scenario
  std::string id;
  std::string how;  ///< added | removed
  std::int64_t rows = 0;
  std::int64_t picks = 0;

  bool operator==(const EntryChange&) const = default;
};
BOOST_DESCRIBE_STRUCT(EntryChange, (), (of, id, how, rows, picks))

/// Where most runs of a kind are, where that is another place than before.
struct PlanRunsMoved {
  std::string model;
  std::string method;
  std::string from;  ///< title of the pool; "" of a kind that came
  std::string to;    ///< "" of one that went
};
BOOST_DESCRIBE_STRUCT(PlanRunsMoved, (), (model, method, from, to))

/// What one group of inputs did to the plan, switched to NEW after the groups before it.
struct PlanCause {
  std::string group;
  MicroUsd usd;
  std::vector<PlanUnitsMoved> moves;
  std::string why;  ///< there is no plan after it, or ""
};
BOOST_DESCRIBE_STRUCT(PlanCause, (), (group, usd, moves, why))

/// How the plan differs; each side as its edition has it.
struct PlanChange {
  std::string level;            ///< breaking: none any more | notable: other machines | detail
  std::int64_t old_months = 0;  ///< 0 without a plan, as below
  std::int64_t new_months = 0;
  std::optional<PlanTotals> old_totals;
  std::optional<PlanTotals> new_totals;
  std::vector<PlanUnitsMoved> moves;  ///< machines and reservations
  std::vector<PlanRunsMoved> runs;
  std::vector<PlanCause> causes;  ///< add up to the difference in dollars, where both have a plan

  static constexpr Key kKeys[] = {{"old_totals", "old"}, {"new_totals", "new"}};
};
BOOST_DESCRIBE_STRUCT(PlanChange, (),
                      (level, old_months, new_months, old_totals, new_totals, moves, runs, causes))

/// The whole comparison.
struct SheetChanges {
  EditionLabel old_edition;
  EditionLabel new_edition;
  ChangeThresholds thresholds;
  ChangeCounts rows;
  ChangeCounts picks;
  ChangeTotals row_totals;
  ChangeTotals pick_totals;
  std::map<std::string, std::int64_t> row_kinds;   ///< kind -> rows with it, also or first
  std::map<std::string, std::int64_t> pick_kinds;  ///< likewise
  std::vector<Change> changes;       ///< most severe kind first, then in the order of NEW
  std::vector<EntryChange> entries;  ///< models first; then GPUs, methods, scenarios; by id
  std::vector<MovedInput> moved;     ///< by group, then by what
  std::vector<CauseTotal> causes;    ///< in the order they were switched; empty without causes
  std::string causes_unknown;        ///< "" or why causes could not be worked out
  std::optional<PlanChange> plan;    ///< absent where it moved by less than the thresholds
  /// What people call an entry, by its kind and id: "gpu/h100-sxm" -> "H100".
  std::map<std::string, std::string> names;

  /// The id where no name is known. `of` as in `EntryChange::of`.
  const std::string& name_of(const std::string& of, const std::string& id) const {
    const auto name = names.find(of + "/" + id);
    return name == names.end() ? id : name->second;
  }
};

/// A kind of change, most severe first in the list.
struct ChangeKind {
  std::string id;           ///< "no_longer_fits"
  std::string level;        ///< breaking | notable | detail
  std::string mark;         ///< "!", one character; " " where the sign of the dollars says it
  std::string words;        ///< "no longer fits"
  std::string matter = {};  ///< of which it is one end (dearer, cheaper); "" where it is all
  int place = 0;            ///< in a sentence that counts kinds; 0 in none
  std::string many = {};    ///< there, "3 no longer fit"; "" for the words
  std::string one = {};     ///< "" for the words

  static constexpr int kFirstOfMoney = 13;  ///< places before it say what fits and what to choose

  const std::string& counted(std::int64_t count) const {
    const std::string& verb = count == 1 ? one : many;
    return verb.empty() ? words : verb;
  }
};
const std::vector<ChangeKind>& change_kinds();
/// Throws std::out_of_range for an id that is none.
const ChangeKind& change_kind(const std::string& id);
/// Place in the list, 0 for the most severe. Throws likewise.
std::size_t severity(const std::string& kind);

}  // namespace sizesheet
