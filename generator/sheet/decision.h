// SPDX-License-Identifier: Apache-2.0
// What a decision rests on: the set-ups that a run can be rented as, with their ranges of hours and
// dollars; the rules by which one of them is picked; what comes next; and the machine to own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cost/cost_line.h"
#include "sizing/job/layout_shape.h"
#include "sizing/time/throughput.h"
#include "support/described.h"
#include "support/money.h"

namespace sizesheet {

inline constexpr const char* kRankedByUpperEnd = "usd_high";

/// By which rules a sheet picks. Upper ends are those that nineteen of twenty runs stay below.
struct PickRules {
  std::string rank = kRankedByUpperEnd;  ///< usd_high | usd_mid: the dollars that have to be low
  double tie_share = 0.05;               ///< of those dollars: within it the faster set-up wins
  bool measured = false;                 ///< only GPU types of which a speed was published may win
  std::int64_t min_offers = 1;           ///< providers that offer what may win, at the least
  double exposure_share = 0.25;  ///< a second provider dearer than this does not count as one
  double frontier_share = 1;     ///< candidates dearer than the row's set-up by more are left out
};
BOOST_DESCRIBE_STRUCT(PickRules, (),
                      (rank, tie_share, measured, min_offers, exposure_share, frontier_share))

struct UsdRange {
  MicroUsd low;
  MicroUsd mid;
  MicroUsd high;
};
BOOST_DESCRIBE_STRUCT(UsdRange, (), (low, mid, high))

/// A count of one GPU type in its fastest layout that fits, at the lowest offer that counts.
struct RunCandidate {
  std::string gpu;
  std::int64_t gpus = 0;
  LayoutShape layout;
  Hours hours;
  UsdRange usd;  ///< the hours at `price_key`
  std::string price_key;
  std::string provider;
  std::string price_as_of;
  bool old = false;         ///< the price is past the sheet's age, and no newer one will do
  std::int64_t offers = 0;  ///< providers that offer so many
  bool exposed = false;     ///< one seller: no second one within PickRules::exposure_share
  bool measured = false;    ///< some published speed is of this GPU type
  std::int64_t batch = 0;   ///< sequences of an optimizer step
  bool keeps_batch = true;  ///< not more of them than the workload's global batch, but for rounding
  std::int64_t device_high = 0;      ///< bytes of a GPU at the upper end of their range
  std::optional<bool> certain = {};  ///< it fits up to that end

  /// At the lowest price of another seller. Only while a sheet is made: no form shows it.
  std::optional<MicroUsd> usd_high_elsewhere = {};

  static constexpr Key kKeys[] = {{"device_high", "device_high_bytes"}};
};
BOOST_DESCRIBE_STRUCT(RunCandidate, (),
                      (gpu, gpus, layout, hours, usd, price_key, provider, price_as_of, old, offers,
                       exposed, measured, batch, keeps_batch, device_high, certain))

/// A run of adapters on the same GPUs, at the same price, under the fastest stack of the catalog
/// that takes it there.
struct StackRun {
  std::string stack;
  std::string title;
  std::string needs;  ///< what its documents ask for, in words; "" where they name nothing
  LayoutShape layout;
  std::int64_t device = 0;  ///< bytes of the fullest GPU
  Hours hours;
  UsdRange usd;
  double hours_share = 0;            ///< of the hours under the sheet's stack
  std::optional<bool> certain = {};  ///< it fits up to the upper end of its range
};
BOOST_DESCRIBE_STRUCT(StackRun, (),
                      (stack, title, needs, layout, device, hours, usd, hours_share, certain))

/// The best of another GPU type from another provider.
struct RunnerUp {
  std::string row;
  std::int64_t candidate = 0;
  double usd_high_share = 0;  ///< its upper end over the pick's, less 1
};
BOOST_DESCRIBE_STRUCT(RunnerUp, (), (row, candidate, usd_high_share))

/// The lowest middle of the dollars, where another candidate has the lowest upper end.
struct CheapestMid {
  std::string row;
  std::int64_t candidate = 0;
  MicroUsd usd_mid;
};
BOOST_DESCRIBE_STRUCT(CheapestMid, (), (row, candidate, usd_mid))

/// From where on the runner-up would win, all else as it is; either alone is enough.
struct PickSwitch {
  std::optional<MicroUsd> usd_per_gpu_hour;  ///< at this price or below
  std::optional<double> speed_share;         ///< faster than estimated by this share of its speed

  bool operator==(const PickSwitch&) const = default;
};
BOOST_DESCRIBE_STRUCT(PickSwitch, (), (usd_per_gpu_hour, speed_share))

/// Machines of one kind that a job is run on by their owner, for the runs that the planned hours
/// hold, against the rent pick of the same job.
struct OwnPick {
  std::string gpu;
  std::string machine;  ///< id of the purchase node
  std::string machine_title;
  std::int64_t machines = 0;
  std::int64_t gpus = 0;         ///< that a run uses
  std::int64_t unused_gpus = 0;  ///< bought and idle
  LayoutShape layout;
  Hours hours;  ///< of a run
  MicroUsd capex_usd;
  MicroUsd usd_per_month;           ///< at the planned hours
  MicroUsd fixed_usd_per_month;     ///< at no hour
  MicroUsd full_use_usd_per_month;  ///< at every hour
  MicroUsd usd_per_run;             ///< its share of that month
  double planned_runs_per_month = 0;
  std::optional<MicroUsd> rent_usd_per_run;         ///< of the rent pick; absent without one
  std::optional<double> break_even_runs_per_month;  ///< absent: not within the hours of a month
  std::optional<double> break_even_hours_per_month;
  std::optional<std::string> advice;         ///< "buy" | "rent"
  bool close = false;                        ///< within 10 %
  std::vector<QuantityLine> quantity_terms;  ///< the break-even with its formulas
  std::optional<bool> certain;               ///< a run fits up to the upper end of its range

  /// "buy", "rent" or "close"; "" without an advice.
  std::string word() const { return close ? "close" : advice.value_or(""); }
};
BOOST_DESCRIBE_STRUCT(OwnPick, (),
                      (gpu, machine, machine_title, machines, gpus, unused_gpus, layout, hours,
                       capex_usd, usd_per_month, fixed_usd_per_month, full_use_usd_per_month,
                       usd_per_run, planned_runs_per_month, rent_usd_per_run,
                       break_even_runs_per_month, break_even_hours_per_month, advice, close,
                       quantity_terms, certain))

/// The figure of a range that picks and plans minimise: its upper end, or its middle where the
/// rules say so.
MicroUsd ranked_usd(const UsdRange& usd, const PickRules& rules);
double ranked_hours(const Hours& hours, const PickRules& rules);
/// Its name: "upper end of dollars", "dollars".
std::string ranked_words(const PickRules& rules);

/// The dollars that a pick is ranked by.
MicroUsd ranked_usd(const RunCandidate& candidate, const PickRules& rules);

/// The same of machines: dollars a run.
double ranked_usd_to_own(const OwnPick& own, const PickRules& rules);

/// Whether a candidate may win: by the rules, and by the upper end of its hours.
bool rules_allow(const RunCandidate& candidate, const PickRules& rules,
                 std::optional<double> deadline_hours);

/// Of those that may win, the lowest by rank; of equal ones the fastest. Lowering any price never
/// raises what it is ranked by. nullptr: none.
const RunCandidate* least_ranked(std::span<const RunCandidate* const> all, const PickRules& rules,
                                 std::optional<double> deadline_hours);

/// The one that is picked: of those that may win the lowest by rank, and within the tie share of it
/// the fastest that keeps the batch, at a price that is not old where there is one. nullptr: none.
const RunCandidate* picked(std::span<const RunCandidate* const> all, const PickRules& rules,
                           std::optional<double> deadline_hours);

/// Those that no other beats in hours and dollars alike, their middles and upper ends; in the order
/// of their hours, the longest first.
std::vector<RunCandidate> frontier(std::vector<RunCandidate> all);

/// Up to the upper end of its hours.
bool meets(const Hours& hours, std::optional<double> deadline_hours);

}  // namespace sizesheet
