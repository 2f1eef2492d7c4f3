// SPDX-License-Identifier: Apache-2.0
// What a run can be rented as and owned on: every count of a row's GPU type in its fastest layout,
// with the ranges of its hours and dollars.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "cost/cost_line.h"
#include "cost/rent.h"
#include "support/money.h"

namespace sizesheet {

struct Catalog;
struct OwnPick;
struct PickRules;
struct RunCandidate;
struct SheetSpec;
struct Timed;

/// The lowest rent of so many GPUs, and who else offers them.
struct LowestOffer {
  RentQuote quote;
  std::int64_t providers = 0;
  std::optional<MicroUsd> second_usd_per_hour;  ///< of another seller
  bool exposed = false;                         ///< one seller: no second provider is near
};

/// The offers on demand of every rentable count.
class LowestOffers {
 public:
  /// The price rows must stay where they are.
  LowestOffers(const Catalog& catalog, const CurrentPrices& prices,
               const std::vector<std::string>& gpus, std::int64_t max_gpus, double exposure_share);

  /// nullptr: nobody offers so many.
  const LowestOffer* of(const std::string& gpu, std::int64_t gpus) const;

 private:
  std::map<std::string, std::map<std::int64_t, LowestOffer>> offers_;
};

/// Those of `ways` that have hours and an offer, as candidates, in their order.
std::vector<RunCandidate> candidates_of(const std::string& gpu, const std::vector<Timed>& ways,
                                        const LowestOffers& offers);

/// Its dollars with their formulas: of an hour, of a run, and of the ends of its range.
std::vector<CostLine> explain_candidate(const RentQuote& quote, const RunCandidate& run);

/// Takes out what is dearer than the one of so many GPUs by more than the rules show.
void drop_dear(const PickRules& rules, std::int64_t gpus, std::vector<RunCandidate>& candidates);

/// What a row shows as its set-up: the candidate picked of its own; where none meets the deadline,
/// regardless of it; without a price the fewest GPUs that meet it, else the fewest. nullptr without
/// ways.
const Timed* set_up_of(const std::vector<Timed>& ways, const std::vector<RunCandidate>& candidates,
                       const PickRules& rules, std::optional<double> deadline_hours);

/// Of the machines on sale with this GPU type and counts of them: the lowest dollars a run at the
/// planned hours, of those that end in time. nullopt: nothing sold runs it.
std::optional<OwnPick> cheapest_to_own(const Catalog& catalog, const SheetSpec& spec,
                                       std::optional<double> deadline_hours, const std::string& gpu,
                                       const std::vector<Timed>& ways);

/// Says from how many runs a month the machines cost less than renting each, and what to do.
void compare_to_rent(MicroUsd rent_usd_per_run, double hours_per_month, OwnPick& own);

}  // namespace sizesheet
