// SPDX-License-Identifier: Apache-2.0
// What a row's GPUs cost to rent, in every tier, with the proof of every printed figure.
#pragma once

#include "catalog/catalog.h"
#include "cost/rent.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"

namespace sizesheet {

/// The tiers that a sheet shows, in the order of its columns.
const std::vector<std::string>& sheet_tiers();

/// Where a row keeps the rent of a tier of `sheet_tiers()`. Throws std::out_of_range for others.
std::optional<RentLine>& rent_of(Row& row, const std::string& tier);
const std::optional<RentLine>& rent_of(const Row& row, const std::string& tier);

/// How old a price may be, days.
struct AgeLimits {
  std::int64_t plain = 0;  ///< on demand and spot
  std::int64_t reserved = 0;
  std::optional<std::int64_t> block;  ///< capacity blocks; absent: as on demand

  std::int64_t of(const std::string& tier) const;
};

/// The sheet's price policy for one tier.
PricePolicy policy_of(const SheetSpec& spec, const std::string& tier);

/// The hours of a run as they meet money; nullopt where the row has none.
std::optional<HoursTenThousandths> hours_of(const Row& row);

/// Appends cost lines to the row's, each name behind the prefix.
void add_cost_lines(const std::vector<CostLine>& lines, const std::string& prefix, Row& row);

/// The lowest rent of the row's GPUs under a policy; nullopt where it admits none of the prices.
std::optional<RentLine> lowest_rent(const Catalog& catalog, const SheetSpec& spec,
                                    const std::vector<Price>& prices, const PricePolicy& policy,
                                    const Row& row);

/// The lowest current rent of each tier, and the spread of list prices.
void add_rent(const Catalog& catalog, const SheetSpec& spec, Row& row);

}  // namespace sizesheet
