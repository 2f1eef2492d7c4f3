// SPDX-License-Identifier: Apache-2.0
// A row of a sheet: its question asked of the engine, and what its GPUs cost to rent and to own.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "catalog/catalog.h"
#include "cost/ownership.h"
#include "cost/rent.h"
#include "sheet/money.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sizing/estimate.h"
#include "sizing/search/search.h"
#include "support/json.h"

namespace sizesheet {

// ---- What a run can be rented as and owned on: every count of a GPU type in its fastest layout.

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

// ---- The sizing half of a row: asks the engine one cell's question and keeps the whole answer.

/// Which cell: a model, a method, a GPU type and a scenario of the spec.
struct Cell {
  const SpecModel* model = nullptr;
  std::string method;
  std::string gpu;
  const SpecScenario* scenario = nullptr;
};

/// The `estimate` request of a cell, before any layout is fixed.
Json request_of(const Catalog& catalog, const SheetSpec& spec, const Cell& cell);

/// Says in a request how long a run of this method is: so many training tokens, or as many prompts
/// as make them.
void ask_run(const Method& method, std::int64_t tokens, Json& request);

/// Sizes a cell at the offers that count. What the engine refuses becomes a row with `modelled`
/// false and the reason. The row's set-up is the best of its candidates, or the one with so many
/// GPUs.
Row size_row(const Catalog& catalog, const SheetSpec& spec, const LowestOffers& offers,
             const Cell& cell, std::optional<std::int64_t> gpus = {});

/// The same without proofs, words on what binds and machines to own.
Row bare_row(const Catalog& catalog, const SheetSpec& spec, const LowestOffers& offers,
             const Cell& cell);

/// A whole answer, and what its set-up is rented as.
struct RentedRun {
  Sizing sizing;
  std::optional<RunCandidate> run;  ///< absent where nobody offers what fits, or hours are unknown
  std::vector<RunCandidate> frontier = {};  ///< of the counts that the question allows
  std::optional<OwnPick> own = {};          ///< absent where nothing sold runs it in time
  std::vector<CostLine> cost_terms = {};    ///< of `run`, where formulas are wanted
};

/// By the prices and rules of a sheet. Where the objective is money, the set-up is that with the
/// lowest upper end of dollars under the deadline, else what the search chooses.
RentedRun rented_run(const Catalog& catalog, const SheetSpec& policy, const Question& question);

/// Device bytes of the row's layout at other sequence lengths, and the longest that holds with
/// headroom; recomputed where it does not fit as it runs and the scenario lets that vary.
SequenceSeries sequence_series(const Catalog& catalog, const SheetSpec& spec, const Cell& cell,
                               const Row& row);

// ---- What a row's GPUs cost to rent, in every tier, with the proof of every printed figure.

/// The sheet's price policy for one tier.
PricePolicy policy_of(const SheetSpec& spec, const std::string& tier);

/// The catalog's prices under the sheet's policy, for each tier that it shows.
class SheetPrices {
 public:
  /// The catalog's rows must stay where they are.
  SheetPrices(const Catalog& catalog, const SheetSpec& spec);

  /// Throws std::out_of_range for a tier that a sheet does not show.
  const CurrentPrices& in(const std::string& tier) const { return tiers_.at(tier); }
  const LowestOffers& offers() const { return *offers_; }

 private:
  std::map<std::string, CurrentPrices> tiers_;
  std::optional<LowestOffers> offers_;
};

/// The hours of a run as they meet money; nullopt where the row has none.
std::optional<HoursTenThousandths> hours_of(const Row& row);

/// The hours that each instance is paid for in a tier: of a month on a reserved term, else of a
/// run; nullopt where the row has none.
std::optional<double> billed_hours(const SheetOptions& options, const Row& row,
                                   const RentTier& tier);

/// The lowest rent of the row's GPUs at these prices; nullopt where none will do.
std::optional<RentLine> lowest_rent(const Catalog& catalog, const SheetSpec& spec,
                                    const CurrentPrices& prices, const Row& row);

/// The lowest current rent of each tier, and the spread of list prices.
void add_rent(const Catalog& catalog, const SheetSpec& spec, const SheetPrices& prices, Row& row);

/// The machines with the lowest purchase for n GPUs, all of one kind; nullptr when nothing sold
/// holds n.
const PurchaseNode* cheapest_nodes(const Purchase& purchase, const std::string& gpu,
                                   std::int64_t gpus);

/// What the sheet's rates say of owning the row's GPUs in these machines, against its list price.
OwnershipTerms row_terms(const Purchase& purchase, const SheetSpec& spec, const PurchaseNode& node,
                         const Row& row);

/// Rent and ownership of the row's layout. Rows that do not hold ("no") get none.
void price_row(const Catalog& catalog, const SheetSpec& spec, const SheetPrices& prices, Row& row);

// ---- A row's question, asked again: for what is worked out beside the rows themselves.

/// The cell of the spec that a row came from; it must be one of this spec's.
Cell cell_of(const SheetSpec& spec, const Row& row);

/// nullopt: the request is refused.
std::optional<Question> question_of(const Catalog& catalog, const SheetSpec& spec,
                                    const Cell& cell);

struct AskedRow {
  Question question;
  Candidate chosen;  ///< the fastest layout of the count asked for, else the best
};

/// nullopt: the request is refused, or has no layout on so many GPUs.
std::optional<AskedRow> asked(const Catalog& catalog, const SheetSpec& spec, const Cell& cell,
                              std::int64_t gpus);

/// Hours of a run, whether or not the job holds; nullopt where the speed or the length of the run
/// is not known.
std::optional<Hours> hours_of(const Question& question, const Job& job);

/// The middle of them.
std::optional<double> mid_hours(const Question& question, const Job& job);

/// The first method of the spec of this kind ("full", "lora"); nullptr if there is none.
const Method* method_of_kind(const Catalog& catalog, const SheetSpec& spec, const char* kind);

/// The main scenario's cell of a model, a method and a GPU type; nullopt where it leaves the method
/// out.
std::optional<Cell> main_cell(const SheetSpec& spec, const std::string& model,
                              const std::string& method, const std::string& gpu);

}  // namespace sizesheet
