// SPDX-License-Identifier: Apache-2.0
// The money half of a row, with the proof of every figure.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "catalog/prices/price.h"
#include "cost/rent.h"
#include "sheet/rows/candidates.h"
#include "sizing/time/throughput.h"

namespace sizesheet {

struct Catalog;
struct Job;
struct OwnershipTerms;
struct Purchase;
struct PurchaseNode;
struct Question;
struct RentLine;
struct Row;
struct SheetOptions;
struct SheetSpec;

/// The sheet's price policy for one tier.
PricePolicy policy_of(const SheetSpec& spec, const std::string& tier);

/// The catalog's prices under the sheet's policy, for each tier that it shows.
class SheetPrices {
 public:
  /// The catalog's rows must stay where they are.
  SheetPrices(const Catalog& catalog, const SheetSpec& spec);
  SheetPrices(const SheetPrices&) = delete;
  SheetPrices& operator=(const SheetPrices&) = delete;

  /// Throws std::out_of_range for a tier that a sheet does not show.
  const CurrentPrices& in(const std::string& tier) const { return tiers_.at(tier); }
  const Offers& offers() const { return *offers_; }

 private:
  std::map<std::string, CurrentPrices> tiers_;
  std::optional<CurrentPrices> any_stock_;  ///< on demand, all but what is out of stock
  std::optional<Offers> offers_of_any_stock_;
  std::optional<Offers> offers_;
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

/// The machines with the lowest purchase for n GPUs, all of one kind and quoted; nullptr when
/// nothing of that holds n.
const PurchaseNode* cheapest_nodes(const Purchase& purchase, const std::string& gpu,
                                   std::int64_t gpus);

/// What the sheet's rates say of owning the row's GPUs in these machines, against its list price.
OwnershipTerms row_terms(const Purchase& purchase, const SheetSpec& spec, const PurchaseNode& node,
                         const Row& row);

/// Rent and ownership of the row's layout. Rows that do not hold ("no") get none.
void price_row(const Catalog& catalog, const SheetSpec& spec, const SheetPrices& prices, Row& row);

/// Hours of a run, whether or not the job holds; nullopt where the speed or the length of the run
/// is not known.
std::optional<Hours> hours_of(const Question& question, const Job& job);

}  // namespace sizesheet
