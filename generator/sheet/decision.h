// SPDX-License-Identifier: Apache-2.0
// What a decision rests on: the set-ups that a run can be rented as, with their ranges of hours and
// dollars; the rules by which one of them is picked; what comes next; and the machine to own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalog/prices/purchase.h"
#include "cost/cost_line.h"
#include "cost/rent_or_own.h"
#include "sizing/job/layout_shape.h"
#include "sizing/job/risk_weight.h"
#include "sizing/time/throughput.h"
#include "support/described.h"
#include "support/money.h"
#include "support/named.h"

namespace sizesheet {

inline constexpr const char* kRankedByUpperEnd = "usd_high";
inline constexpr const char* kRankedByMiddle = "usd_mid";

/// What a pick makes least: the score, the upper end of the dollars, or the expected dollars.
inline const std::vector<std::string> kRanks = {"score", kRankedByUpperEnd, kRankedByMiddle};

/// By which rules a sheet picks. Upper ends are those that nineteen of twenty runs stay below.
struct PickRules {
  std::string rank = "score";  ///< one of kRanks
  /// The score is expected + risk_weight × (upper end − expected).
  double risk_weight = kDefaultRiskWeight;
  double tie_share = 0;          ///< of the score: within it the faster set-up wins
  bool measured = false;         ///< only GPU types of which a speed was published may win
  std::int64_t min_offers = 1;   ///< providers that offer what may win, at the least
  double exposure_share = 0.25;  ///< a second provider dearer than this does not count as one
  double frontier_share = 1;     ///< candidates dearer than the row's set-up by more are left out

  /// How much of a range the rank weighs: 1 for usd_high, 0 for usd_mid.
  double weight() const;
  /// What a plan of many runs adds up: the upper ends where they are the rank, else what is
  /// expected.
  std::string planned_by() const;
};
BOOST_DESCRIBE_STRUCT(PickRules, (),
                      (rank, risk_weight, tie_share, measured, min_offers, exposure_share,
                       frontier_share))

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
  std::int64_t nodes = 1;   ///< machines that hold the GPUs
  double startup_share = 0;          ///< of the expected hours, before the first step
  std::int64_t device_high = 0;      ///< bytes of a GPU at the upper end of their range
  std::optional<bool> certain = {};  ///< it fits up to that end
  double price_ln_width = 0;         ///< natural logarithm: the price may be higher by so much

  static constexpr Key kKeys[] = {{"device_high", "device_high_bytes"}};
};
BOOST_DESCRIBE_STRUCT(RunCandidate, (),
                      (gpu, gpus, layout, hours, usd, price_key, provider, price_as_of, old, offers,
                       exposed, measured, batch, keeps_batch, nodes, startup_share, device_high,
                       certain, price_ln_width))

/// A count below the row's set-up that fits, in its fastest layout: what it takes and what it
/// costs.
struct SmallerCount {
  std::int64_t gpus = 0;
  std::int64_t device = 0;           ///< bytes of the fullest GPU
  std::int64_t device_high = 0;      ///< at the upper end of their range
  std::optional<bool> certain;       ///< it fits up to that end
  std::optional<Hours> hours = {};   ///< absent: no speed is known
  std::optional<UsdRange> usd = {};  ///< absent: no offer of so many counts
  std::string provider = {};         ///< "" without an offer
  bool allowed = false;              ///< it might win by the rules and the deadline
  double startup_share = 0;          ///< of the expected hours, before the first step
  std::string price_key = {};        ///< "" without an offer

  static constexpr bool kMayLack = true;
};
BOOST_DESCRIBE_STRUCT(SmallerCount, (),
                      (gpus, device, device_high, certain, hours, usd, provider, allowed,
                       startup_share, price_key))

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
  double score_share = 0;     ///< its score over the pick's, less 1
};
BOOST_DESCRIBE_STRUCT(RunnerUp, (), (row, candidate, usd_high_share, score_share))

/// Where else the job can run: the best candidate of another seller than the pick's.
struct SecondSource {
  std::string provider;
  std::string gpu;
  std::int64_t gpus = 0;
  double hours = 0;  ///< expected
  MicroUsd usd;      ///< of a run, expected
  MicroUsd usd_low;
  MicroUsd usd_high;
  std::string price_key;
  double hours_low = 0;
  double hours_high = 0;
  double startup_share = 0;          ///< of the expected hours, before the first step
  std::optional<bool> certain = {};  ///< it fits up to the upper end of its range
};
BOOST_DESCRIBE_STRUCT(SecondSource, (),
                      (provider, gpu, gpus, hours, usd, usd_low, usd_high, price_key, hours_low,
                       hours_high, startup_share, certain))
/// A candidate as the source of a run.
SecondSource source_of(const RunCandidate& run);

/// The pick of the same job at another sequence length: all GPU types and counts are tried anew.
struct LengthPick : SecondSource {
  std::int64_t seq_len = 0;

  static constexpr bool kMayLack = true;
};
BOOST_DESCRIBE_STRUCT(LengthPick, (SecondSource), (seq_len))

/// A set-up with a lower score than the pick's, at an offer whose stock the sheet does not admit.
struct ScarceOffer : SecondSource {
  std::string stock;  ///< see stock_of
};
BOOST_DESCRIBE_STRUCT(ScarceOffer, (SecondSource), (stock))

/// The lowest expected dollars, where another candidate has the lowest score.
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

/// What an owned machine is compared with: the set-up that is cheapest on average, which is the
/// pick or a riskier one.
struct RentSetUp {
  std::string gpu;
  std::int64_t gpus = 0;
  std::string provider;
  std::string price_key;
  UsdRange usd;  ///< of a run
};
BOOST_DESCRIBE_STRUCT(RentSetUp, (), (gpu, gpus, provider, price_key, usd))

/// Machines of one kind that a job is run on by their owner, for the runs that the planned hours
/// hold, against the cheapest rent of the same job.
struct OwnPick {
  std::string gpu;
  std::string machine;  ///< id of the purchase node
  std::string machine_title;
  bool used = false;                        ///< the title says so as well
  std::string price_as_of;                  ///< of the machine
  std::optional<PriceKind> price_kind;      ///< of that price
  std::optional<LeadTime> lead_time_weeks;  ///< absent: unknown
  std::int64_t machines = 0;
  std::int64_t gpus = 0;         ///< that a run uses
  std::int64_t unused_gpus = 0;  ///< bought and idle
  LayoutShape layout;
  Hours hours;            ///< of a run
  bool measured = false;  ///< some published speed is of this GPU type
  MicroUsd capex_usd;
  MicroUsd usd_per_month;           ///< at the planned hours
  MicroUsd fixed_usd_per_month;     ///< at no hour
  MicroUsd full_use_usd_per_month;  ///< at every hour
  MicroUsd usd_per_run;             ///< its share of that month
  MicroUsd usd_per_run_low;         ///< hours and the machine's price at their lower ends
  MicroUsd usd_per_run_high;        ///< at their upper ends, see own_range
  double planned_runs_per_month = 0;
  std::optional<RentSetUp> rent_set_up;             ///< absent where nothing is rented
  std::optional<MicroUsd> rent_usd_per_run;         ///< its expected dollars
  std::string rent_price_key;                       ///< of its offer; "" without one
  std::optional<double> break_even_runs_per_month;  ///< absent: not within the hours of a month
  std::optional<double> break_even_hours_per_month;
  std::optional<std::string> advice;  ///< "buy" | "rent" at `advice_at_hours`; no form prints it
  double advice_at_hours = 0;         ///< a month, of the machine's use
  bool close = false;                 ///< within 10 %
  /// What a demand that somebody states decides: the sheet's own plan, or runs or hours that are
  /// asked for. Absent without one.
  std::optional<RentOrOwn> decision;
  std::vector<QuantityLine> quantity_terms;  ///< the break-even with its formulas
  std::optional<bool> certain;               ///< a run fits up to the upper end of its range

  /// "buy", "rent" or "close"; "" where nobody states a demand.
  std::string word() const { return decision ? std::string(facts_of(*decision).id) : ""; }
};
BOOST_DESCRIBE_STRUCT(OwnPick, (),
                      (gpu, machine, machine_title, used, price_as_of, price_kind, lead_time_weeks,
                       machines, gpus, unused_gpus, layout, hours, measured, capex_usd,
                       usd_per_month, fixed_usd_per_month, full_use_usd_per_month, usd_per_run,
                       usd_per_run_low, usd_per_run_high, planned_runs_per_month, rent_set_up,
                       rent_usd_per_run, rent_price_key, break_even_runs_per_month,
                       break_even_hours_per_month, advice, advice_at_hours, close, decision,
                       quantity_terms, certain))

/// The figure of a range that a plan adds up, see PickRules::planned_by.
MicroUsd planned_usd(const UsdRange& usd, const PickRules& rules);
double planned_hours(const Hours& hours, const PickRules& rules);

/// The score of a range, which picks make least.
MicroUsd ranked_usd(const UsdRange& usd, const PickRules& rules);
double ranked_hours(const Hours& hours, const PickRules& rules);
/// Its name: "score", "upper end of dollars", "expected dollars".
std::string ranked_words(const PickRules& rules);

/// The dollars that a pick is ranked by.
MicroUsd ranked_usd(const RunCandidate& candidate, const PickRules& rules);

/// The same of machines, by their range of dollars per run.
double ranked_usd_to_own(const OwnPick& own, const PickRules& rules);

/// Whether a candidate may win: by the rules, and by the upper end of its hours.
bool rules_allow(const RunCandidate& candidate, const PickRules& rules,
                 std::optional<double> deadline_hours);

inline constexpr double kMostStartup = 0.10;  ///< of the hours of a run on several machines
inline constexpr std::int64_t kManyNodes = 8;
inline constexpr double kFewHours = 2;  ///< on more than kManyNodes

/// Whether few people would start it: several machines for a run that starts for over a tenth of
/// its hours, or more than eight machines for less than two hours.
bool is_hard_to_start(const RunCandidate& candidate);

/// Those that may win. What is hard to start may only where no smaller count may.
std::vector<const RunCandidate*> able_to_win(std::span<const RunCandidate* const> all,
                                             const PickRules& rules,
                                             std::optional<double> deadline_hours);

/// Of those that may win, the lowest by rank; of equal ones the fastest. Lowering any price never
/// raises the rank. nullptr: none.
const RunCandidate* least_ranked(std::span<const RunCandidate* const> all, const PickRules& rules,
                                 std::optional<double> deadline_hours);

/// The one that is picked: as least_ranked, and within the tie share of it the fastest that keeps
/// the batch. nullptr: none.
const RunCandidate* picked(std::span<const RunCandidate* const> all, const PickRules& rules,
                           std::optional<double> deadline_hours);

/// Of those that may win, the one with the lowest expected dollars. nullptr: none.
const RunCandidate* cheapest_on_average(std::span<const RunCandidate* const> all,
                                        const PickRules& rules,
                                        std::optional<double> deadline_hours);

/// Those that no other beats in hours and dollars alike, their middles and upper ends; in the order
/// of their hours, the longest first.
std::vector<RunCandidate> frontier(std::vector<RunCandidate> all);

/// Up to the upper end of its hours.
bool meets(const Hours& hours, std::optional<double> deadline_hours);

}  // namespace sizesheet
