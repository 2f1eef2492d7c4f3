// SPDX-License-Identifier: Apache-2.0
// What a row's GPUs cost to rent, in every tier, with the proof of every printed figure.
#pragma once

#include <map>
#include <string>

#include "catalog/catalog.h"
#include "cost/rent.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sheet/tiers.h"

namespace sizesheet {

/// How old a price may be, days.
struct AgeLimits {
  std::int64_t plain = 0;  ///< on demand and spot
  std::int64_t reserved = 0;
  std::optional<std::int64_t> block;  ///< capacity blocks; absent: as on demand

  std::int64_t of(const std::string& tier) const;
};

/// The sheet's price policy for one tier.
PricePolicy policy_of(const SheetSpec& spec, const std::string& tier);

/// The catalog's prices under the sheet's policy, for each tier that it shows.
class SheetPrices {
 public:
  /// The catalog's rows must stay where they are.
  SheetPrices(const Catalog& catalog, const SheetSpec& spec);

  /// Throws std::out_of_range for a tier that a sheet does not show.
  const CurrentPrices& in(const std::string& tier) const { return tiers_.at(tier); }

 private:
  std::map<std::string, CurrentPrices> tiers_;
};

/// The hours of a run as they meet money; nullopt where the row has none.
std::optional<HoursTenThousandths> hours_of(const Row& row);

/// The hours that each instance is paid for in a tier: of a month on a reserved term, else of a
/// run; nullopt where the row has none.
std::optional<double> billed_hours(const SheetOptions& options, const Row& row,
                                   const RentTier& tier);

/// Appends cost lines to the row's, each name behind the prefix.
void add_cost_lines(const std::vector<CostLine>& lines, const std::string& prefix, Row& row);

/// The lowest rent of the row's GPUs at these prices; nullopt where none will do.
std::optional<RentLine> lowest_rent(const Catalog& catalog, const SheetSpec& spec,
                                    const CurrentPrices& prices, const Row& row);

/// The lowest current rent of each tier, and the spread of list prices.
void add_rent(const Catalog& catalog, const SheetSpec& spec, const SheetPrices& prices, Row& row);

}  // namespace sizesheet
