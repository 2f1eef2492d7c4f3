// SPDX-License-Identifier: Apache-2.0
// What a run can be rented as and owned on: every count of a row's GPU type in its fastest layout,
// with the ranges of its hours and dollars.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cost/cost_line.h"
#include "cost/rent.h"
#include "sheet/decision.h"
#include "support/money.h"

namespace sizesheet {

struct Catalog;
struct SheetSpec;
struct Timed;

/// The offers of so many GPUs, the lowest first.
struct CountOffers {
  std::vector<RentQuote> quotes;  ///< at least one
  std::int64_t providers = 0;
  bool exposed = false;  ///< one seller: no second provider is near
};

/// The offers on demand of every rentable count.
class Offers {
 public:
  /// The price rows must stay where they are.
  Offers(const Catalog& catalog, const CurrentPrices& prices, const std::vector<std::string>& gpus,
         std::int64_t max_gpus, const PickRules& rules);

  /// nullptr: nobody offers so many.
  const CountOffers* of(const std::string& gpu, std::int64_t gpus) const;

  const PickRules& rules() const { return rules_; }

  /// The same with offers of any stock; nullptr where nobody asked. `other` must stay where it is.
  const Offers* of_any_stock() const { return any_stock_; }
  void set_any_stock(const Offers* other) { any_stock_ = other; }

 private:
  const Offers* any_stock_ = nullptr;
  std::map<std::string, std::map<std::int64_t, CountOffers>> offers_;
  PickRules rules_;
};

/// What a run costs at so much an hour, where the price may be higher by exp(ln_width). The upper
/// end takes the hours' and the price's own as independent: the square root of the sum of the
/// squares of their logarithms.
UsdRange run_range(MicroUsd hourly, double ln_width, const Hours& hours);

/// What a run on an owned machine costs, where its month costs so many times as much at either end
/// of the machine's price. Both ends take the hours' and the price's own as independent, as
/// run_range does.
UsdRange own_range(MicroUsd usd_per_run, const Hours& hours, double ratio_low, double ratio_high);

/// The offer with the lowest score for these hours.
const RentQuote& best_quote(const std::vector<RentQuote>& quotes, const Hours& hours,
                            const PickRules& rules);

/// Those of `ways` that have hours and an offer, as candidates at the offer with the lowest score,
/// in their order.
std::vector<RunCandidate> candidates_of(const std::string& gpu, const std::vector<Timed>& ways,
                                        const Offers& offers);

/// Of every seller the candidate that would be picked if it were the only one, in the order of
/// their names.
std::vector<RunCandidate> best_by_seller(const std::string& gpu, const std::vector<Timed>& ways,
                                         const Offers& offers,
                                         std::optional<double> deadline_hours);

/// Its dollars with their formulas: of an hour, of a run, and of the ends of its range.
std::vector<CostLine> explain_candidate(const Offers& offers, const RunCandidate& run);

/// Those of `ways` with fewer GPUs than `gpus`, with the hours and dollars that `candidates` has.
std::vector<SmallerCount> smaller_counts(std::int64_t gpus, const std::vector<Timed>& ways,
                                         const std::vector<RunCandidate>& candidates,
                                         const PickRules& rules,
                                         std::optional<double> deadline_hours);

/// Takes out what is dearer than the one of so many GPUs by more than the rules show.
void drop_dear(const PickRules& rules, std::int64_t gpus, std::vector<RunCandidate>& candidates);

/// What a row shows as its set-up: the candidate picked of its own; where none meets the deadline,
/// regardless of it; without a price the fewest GPUs that meet it, else the fewest. nullptr without
/// ways.
const Timed* set_up_of(const std::vector<Timed>& ways, const std::vector<RunCandidate>& candidates,
                       const PickRules& rules, std::optional<double> deadline_hours);

/// Of the quoted machines on sale with this GPU type and counts of them: the lowest dollars per run
/// at the planned hours, of those that end in time. nullopt: nothing sold runs it.
std::optional<OwnPick> cheapest_to_own(const Catalog& catalog, const SheetSpec& spec,
                                       std::optional<double> deadline_hours, const std::string& gpu,
                                       const std::vector<Timed>& ways);

/// Says from how many runs and hours per month the machines cost less than renting each run as
/// `rented`, which is the set-up that is cheapest on average.
void compare_to_rent(const RunCandidate& rented, double hours_per_month, OwnPick& own);

}  // namespace sizesheet
